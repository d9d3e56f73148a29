"""Each alert fires when a real server is in the state that it is about, and is silent before."""

from __future__ import annotations

import asyncio
import random
import re
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from quadriga.server.storage import backup_times
from server.support.in_process import InProcessServer, in_process
from server.support.prometheus import Scrape, fires, scraped
from support import ROOT

RULES = (ROOT / "deploy" / "alerts.yml").read_text("utf-8")
ALERTS = dict(re.findall(r"- alert: (\w+)\n\s+expr: (.+)\n", RULES))


async def scrape(server: InProcessServer) -> Scrape:
    return scraped((await server.fetch("GET", "/metrics"))[1], time.time())


async def cannot_store(server: InProcessServer) -> None:
    def full(group: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    store: Any = server.registry.store
    store.writer.execute = full
    store.writer.probe_soon()
    while server.registry.store.fault is None:
        await asyncio.sleep(0.01)


async def slow(server: InProcessServer) -> None:
    store: Any = server.registry.store
    writer = store.writer
    execute = writer.execute

    def late(group: object) -> None:
        time.sleep(0.25)
        execute(group)

    writer.execute = late
    table, token = await asyncio.to_thread(server.create, "ur", "me bot")
    client = await server.connect(table, token)
    await client.play(random.Random(1), moves=2)
    await client.close()
    writer.execute = execute


async def faults(server: InProcessServer) -> None:
    server.registry.store.load = None  # type: ignore[assignment, method-assign]
    assert (await server.fetch("GET", f"/api/tables/{'a' * 20}"))[0] == 500


async def crowded(server: InProcessServer) -> None:
    table = {"game": "ur", "name": "A", "seats": [{"kind": "me"}, {"kind": "open"}]}
    statuses = [(await server.fetch("POST", "/api/tables", table))[0] for _ in range(4)]
    assert statuses[-1] == 503, statuses


STATES: dict[str, Callable[[InProcessServer], Awaitable[None]]] = {
    "QuadrigaCannotStore": cannot_store,
    "QuadrigaSlow": slow,
    "QuadrigaFaults": faults,
    "QuadrigaCrowded": crowded,
}


def test_every_alert_is_tested_and_has_a_runbook():
    assert set(ALERTS) == {*STATES, "QuadrigaDown", "QuadrigaBackupOld", "QuadrigaBackupUntried"}
    runbooks = (ROOT / "docs" / "runbooks.md").read_text("utf-8")
    assert re.findall(r"^## (Quadriga\w+)", runbooks, re.M) == list(ALERTS)
    assert re.findall(r"runbooks.md#(\w+)", RULES) == [name.lower() for name in ALERTS]


@pytest.mark.parametrize("name", STATES)
async def test_an_alert_fires_in_its_state_only(name: str, tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", tables=3) as server:
        before = await scrape(server)
        calm = await scrape(server)
        assert not fires(ALERTS[name], before, calm)
        await STATES[name](server)
        assert fires(ALERTS[name], before, await scrape(server))


async def test_the_alerts_about_backups_fire_until_one_is_made_and_tried(tmp_path: Path):
    path = tmp_path / "store.sqlite"
    async with in_process(path) as server:
        watch = server.app.state.upkeep.watch
        await watch.look()
        bad = await scrape(server)
        for kind in backup_times.KINDS:
            await asyncio.to_thread(backup_times.note, path, kind)
        await watch.look()
        good = await scrape(server)
        for name, days in (("QuadrigaBackupOld", 1.6), ("QuadrigaBackupUntried", 8.1)):
            assert fires(ALERTS[name], bad, bad)
            assert not fires(ALERTS[name], bad, good)
            assert fires(ALERTS[name], bad, good._replace(at=good.at + days * 86400))


def test_the_alert_about_a_server_that_does_not_answer_fires():
    up, down = scraped("quadriga_sockets 0.0\n", 1.0), scraped(None, 61.0)
    assert not fires(ALERTS["QuadrigaDown"], up, up)
    assert fires(ALERTS["QuadrigaDown"], up, down)


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool of the package prometheus is not installed")
def test_prometheus_reads_the_rules():
    assert subprocess.run(["promtool", "check", "rules", str(ROOT / "deploy" / "alerts.yml")]).returncode == 0
