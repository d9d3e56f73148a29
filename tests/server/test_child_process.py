"""Processes that compile or review for the server do not outlive it, even when it is killed."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import psutil
import pytest

from quadriga.engine.kernels import compiler
from server.support.harness import Server
from support import VERSION_0_1_0, is_running

RECORD = VERSION_0_1_0 / "record-ur.jsonl"
PATIENCE = 10.0  # seconds: a helper that has outlived its server would work for far longer

pytestmark = pytest.mark.skipif(not compiler.is_available(), reason="there is no compiler")


def started_by(parent: int) -> list[psutil.Process]:
    """Return the running child processes of a process."""
    return [each for each in psutil.Process(parent).children() if is_running(each)]


@pytest.mark.parametrize("work", ["compile", "review"])
async def test_a_child_process_ends_with_a_killed_server(
    work: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("QUADRIGA_CACHE", str(tmp_path / "cache"))  # nothing lies ready
    server = Server(tmp_path / "tables.sqlite").start()
    helpers: list[psutil.Process] = []
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
        while any(is_running(each) for each in helpers) and asyncio.get_running_loop().time() < ends:
            await asyncio.sleep(0.05)
        assert [each for each in helpers if is_running(each)] == []
    finally:
        server.kill()
        for each in helpers:
            if is_running(each):
                each.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
async def test_a_child_process_works_while_its_server_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("QUADRIGA_CACHE", str(tmp_path))
    from quadriga.server import child_process

    done = tmp_path / "done"
    await child_process.run("import sys, pathlib\npathlib.Path(sys.argv[1]).write_text('yes')", str(done))
    assert done.read_text() == "yes"


async def test_a_cancelled_child_process_has_ended_when_the_wait_for_it_ends():
    from quadriga.server import child_process

    work = asyncio.create_task(child_process.run("import time\ntime.sleep(600)"))
    before = {each.pid for each in started_by(os.getpid())}
    while not (own := [each for each in started_by(os.getpid()) if each.pid not in before]):
        await asyncio.sleep(0.02)
    work.cancel()
    await asyncio.wait([work])
    assert [each for each in own if is_running(each)] == []
