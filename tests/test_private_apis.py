"""Run this file after an upgrade of Numba, uvicorn, websockets, Starlette, Click, Rich or Ray.

Quadriga uses parts of some libraries that they do not document, each library's in one module of its own. Each fault
here is a sentence: the library, its version, what it lacks, and what Quadriga does without it.
"""

from __future__ import annotations

import ast
import asyncio
import json
import os
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from quadriga.engine.inherited import missing_members
from quadriga.engine.kernels import compiler, numba_private
from quadriga.lab.executors import ray_private
from quadriga.server import run
from quadriga.server.http import uvicorn_private
from quadriga.server.proxy import Proxies
from quadriga.server.settings import Settings
from server.support.harness import close_all
from server.support.in_process import in_process
from server.support.tables import connect_all, start_table
from support import ROOT

SOURCES = ROOT / "src" / "quadriga"
# The modules that may use private parts, by library, and the modules of the library that nothing else may import.
PRIVATE = {
    "numba": ("engine/kernels/numba_private.py", "numba.core"),
    "ray": ("lab/executors/ray_private.py", "ray._private"),
    "uvicorn": ("server/http/uvicorn_private.py", "uvicorn.protocols"),
    "websockets": ("server/http/uvicorn_private.py", "websockets"),  # nothing else of the server needs it
}
# Names with an underscore that are documented all the same.
DOCUMENTED = {"_asdict", "_fields", "_replace", "_exit", "_accumulate_rewards", "_was_dead_step"}
# Modules that are documented, though below one that is not.
DOCUMENTED_MODULES = {"numba.core": ("cgutils",)}

needs_numba = pytest.mark.skipif(not compiler.is_available(), reason="there is no compiler")


def sentence(library: str, lacks: list[str], without: str) -> str:
    """Return what a maintainer has to know, or nothing."""
    if not lacks:
        return ""
    module = SOURCES / PRIVATE[library][0]
    return f"{library} {version(library)} lacks {', '.join(lacks)}, which {module} uses. Until it fits, {without}."


# What every library has in common.


def requirements() -> dict[str, Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    listed = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    return {found.name: found for found in map(Requirement, listed)}


def test_known_versions_end_where_pyproject_says():
    bounds = {"numba": numba_private.BOUND, "ray": ray_private.BOUND, **uvicorn_private.BOUNDS}
    for library, bound in bounds.items():
        assert f"<{'.'.join(map(str, bound))}" in str(requirements()[library].specifier), library


@cache
def trees() -> dict[Path, ast.Module]:
    """Return every module of the package, parsed."""
    return {path: ast.parse(path.read_text("utf-8")) for path in SOURCES.rglob("*.py")}


def test_private_names_are_used_in_one_module_of_each_library():
    """A name with an underscore that nothing of Quadriga defines belongs to a library."""
    allowed = {SOURCES / module for module, _ in PRIVATE.values()}
    defined = {name for path, tree in trees().items() if path not in allowed for name in definitions(tree)}
    for path, tree in trees().items():
        used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        foreign = {name for name in used - defined - DOCUMENTED if name.startswith("_") and name[1:2] != "_"}
        assert path in allowed or not foreign, f"{path} uses {sorted(foreign)} of another library"


def definitions(tree: ast.Module) -> set[str]:
    """Return the names that a module defines, as functions, classes, variables or attributes of `self`."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                found.add(name)
    return found


@pytest.mark.parametrize("library", PRIVATE)
def test_private_modules_are_imported_in_one_module_of_each_library(library: str):
    module, private = PRIVATE[library]
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{private}."):
                names = {each.name for each in node.names} - set(DOCUMENTED_MODULES.get(node.module or "", ()))
                assert path == SOURCES / module or not names, f"{path} imports {node.module}"


class _Old:
    """A class of a library, as it was."""

    def __init__(self) -> None:
        self.count, self.part = 0, self

    def started(self, when: float) -> None: ...

    def _refused(self) -> None: ...


class _New:
    """The same class, after an upgrade."""

    def __init__(self) -> None:
        self.part = self

    def started(self, when: float, why: str) -> None: ...


class _Ours(_Old):
    """A class of ours that uses the private parts of the other."""

    own: int = 0

    def started(self, when: float) -> None:
        super().started(when)
        self.own = self.count

    def _refused(self) -> None:
        self.part.started(1.0)

    def push(self) -> None:
        self._helper()

    def _helper(self) -> None: ...


def test_what_an_upgrade_has_taken_away_is_named():
    assert missing_members(_Ours, _Old, own=["push"], parts={"part": _Old}) == []
    found = ["_New._refused", "_New.count", "_New.started with the same parameters"]
    assert missing_members(_Ours, _New, own=["push"], parts={"part": _New}) == found
    assert missing_members(_Ours, _Old, parts={"part": object}) == ["_Old.push", "object.started"]


# Numba.

COMPILED = """
import json, sys
from pathlib import Path
from quadriga.engine.kernels import compiler, numba_private
from quadriga.engine.kernels.disk_cache import DiskCache
from quadriga.engine.kernels.random_games import measure
from quadriga.engine.kernels.machine import Machine
from quadriga.games import find
from quadriga.lab.simulate import simulate
if sys.argv[1] == "public":
    numba_private.is_usable = lambda: False
game = find("nim")
machine = Machine(game)
was_ready = machine.is_ready(measure)
found = simulate(game, *game.resolve_options({}, None), games=50, seed=1).to_dict()
entry = machine.link(measure)
hits = sum(entry.stats.cache_hits.values()) if sys.argv[1] == "public" else None
print(json.dumps([found["decisions"], was_ready, machine.is_ready(measure), hits]))
"""


def compiled(how: str, folder: Path) -> list[object]:
    """Simulate in a process; return the result, whether code was ready before and after, and Numba's cache hits."""
    environment = {**os.environ, "QUADRIGA_CACHE": str(folder / how), "NUMBA_CACHE_DIR": ""}
    ended = subprocess.run(
        [sys.executable, "-c", COMPILED, how], capture_output=True, text=True, env=environment, check=False
    )
    assert ended.returncode == 0, f"Numba {version('numba')} does not compile the {how} way: {ended.stderr[-1500:]}"
    found: list[object] = json.loads(ended.stdout)
    return found


@needs_numba
def test_numba_has_its_private_parts():
    without = "kernels are compiled by Numba's own way, in two to four times the time, and kept in its own cache"
    assert not (told := sentence("numba", numba_private.faults(), without)), told


@needs_numba
def test_numba_compiles_and_finds_ready_with_private_parts_and_without(tmp_path: Path):
    first, second = compiled("private", tmp_path), compiled("private", tmp_path)
    assert [first[1:3], second[1:3]] == [[False, True], [True, True]], "the disk cache of kernels does not work"
    public, again = compiled("public", tmp_path), compiled("public", tmp_path)
    assert [public[1:], again[1:]] == [[False, True, 0], [True, True, 1]], "Numba's own cache does not work"
    assert first[0] == second[0] == public[0] == again[0]


# Ray. `tests/lab/executors` plays on a real cluster, kills nodes, and reads what commands print as JSON.


def test_ray_has_its_private_switch():
    pytest.importorskip("ray")
    without = "messages about lost nodes appear on standard output among the results"
    assert not (told := sentence("ray", ray_private.faults(), without)), told


def test_without_its_private_switch_ray_is_used_all_the_same(monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("ray")
    from ray._private import worker

    from quadriga.lab.executors.connection import import_ray

    monkeypatch.delattr(worker, "_worker_logs_enabled")
    assert ray_private.faults() == ["ray._private.worker._worker_logs_enabled"]
    assert hasattr(import_ray(), "init")
    assert not hasattr(worker, "_worker_logs_enabled")


# uvicorn and websockets. `tests/server/http/test_connection.py` tests the limits with real sockets.


def test_uvicorn_and_websockets_have_their_private_parts():
    without = f"websockets {version('websockets')}: the server runs without limits on connections and requests"
    assert not (told := sentence("uvicorn", uvicorn_private.faults(), without)), told


def test_a_version_that_lacks_a_part_is_served_by_uvicorn_alone(monkeypatch: pytest.MonkeyPatch):
    settings, proxies = Settings(), Proxies(())
    assert run.own_protocols(settings, proxies) is not None
    monkeypatch.setattr(uvicorn_private, "is_usable", lambda: False)
    assert run.own_protocols(settings, proxies) is None
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "quadriga.server.http.uvicorn_private", None)
    monkeypatch.delattr("quadriga.server.http.uvicorn_private")
    assert run.own_protocols(settings, proxies) is None


def test_a_game_is_played_with_uvicorn_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(run, "own_protocols", lambda *_: None)

    async def play() -> None:
        async with in_process(tmp_path / "tables.sqlite") as server:
            assert server.serving.config.http == "httptools"
            clients = await connect_all(server, *await start_table(server))
            assert all(client.table["status"] == "playing" for client in clients)
            await clients[0].say(type="ping", ref="there?")
            assert (await clients[0].until("pong"))["ref"] == "there?"
            await close_all()

    asyncio.run(play())
