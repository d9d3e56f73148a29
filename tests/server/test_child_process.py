"""Processes that compile or review for the server do not outlive it, even when it is killed."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from quadriga.engine.kernels import compiler
from server.support.harness import Server
from support import VERSION_0_1_0

RECORD = VERSION_0_1_0 / "record-ur.jsonl"
PATIENCE = 10.0  # seconds: a helper that has outlived its server would work for far longer

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc"),
    pytest.mark.skipif(not compiler.is_available(), reason="there is no compiler"),
]


def started_by(parent: int) -> list[int]:
    """The processes that a process has started and that live."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, ppid = stat.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue  # it has just ended
        if int(ppid) == parent and state != "Z":
            found.append(int(stat.parent.name))
    return found


def lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("work", ["compile", "review"])
async def test_a_helper_ends_with_a_server_that_is_killed(
    work: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("QUADRIGA_CACHE", str(tmp_path / "cache"))  # nothing lies ready
    server = Server(tmp_path / "tables.sqlite").start()
    helpers: list[int] = []
    try:
        if work == "compile":
            table, token = server.create("ave-caesar", "me bot bot")
            client = await server.connect(table, token)
            while not client.legal:
                await client.hear()
            await client.say(type="hint", number=client.number)
            await client.until("hint")
        else:
            assert server.call("POST", "/api/reviews", {"record": RECORD.read_text()})[0] == 202
        while not (helpers := started_by(server.process.pid)):
            await asyncio.sleep(0.02)
        server.kill()
        ends = asyncio.get_running_loop().time() + PATIENCE
        while any(lives(each) for each in helpers) and asyncio.get_running_loop().time() < ends:
            await asyncio.sleep(0.05)
        assert [each for each in helpers if lives(each)] == []
    finally:
        server.kill()
        for each in helpers:
            if lives(each):
                os.kill(each, signal.SIGKILL)


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
async def test_a_helper_works_while_its_server_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("QUADRIGA_CACHE", str(tmp_path))
    from quadriga.server import child_process

    done = tmp_path / "done"
    await child_process.run("import sys, pathlib\npathlib.Path(sys.argv[1]).write_text('yes')", str(done))
    assert done.read_text() == "yes"
