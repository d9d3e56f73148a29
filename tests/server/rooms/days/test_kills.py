"""Processes are killed while deadlines are met: none is lost, and none is met twice."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path

from quadriga.server.state.day_events import Deadline
from quadriga.server.state.events import BotControl, RoomEvent, Start
from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import Storage
from server.rooms.days.support import log_of, stored
from server.support.harness import Server
from server.support.services import store_for
from soak import count

KILLS = count(3, 60)
TABLES = count(6, 200)
SETTINGS = {"day": 1.6, "sweep": 0.05}


def start_tables(server: Server) -> list[str]:
    """Start games of two people and a bot, whom nobody will ever visit."""
    found = []
    for number in range(TABLES):
        game, seats = (("ur", "me open"), ("ave-caesar", "me open bot"))[number % 2]
        options = {"markers": 1} if game == "ur" else {"courses": ["white cw"]}
        table, token = server.create(game, seats, options=options, days={"days": 1})
        server.join(table)
        assert server.call("POST", f"/api/tables/{table}/start", {}, token)[0] == 200
        found.append(table)
    return found


def check(log: list[RoomEvent]) -> None:
    """Check that each deadline was warned of once and met once, and that nobody was replaced without one."""
    deadlines = [each for each in log if isinstance(each, Deadline)]
    covers = Counter(each.seat for each in log if isinstance(each, BotControl))
    assert covers == {0: 1, 1: 1}
    assert Counter((each.seat, each.warned) for each in deadlines) == {
        (seat, warned): 1 for seat in (0, 1) for warned in (False, True)
    }
    assert sum(isinstance(each, Start) for each in log) == 1


async def finished(store: Storage, tables: list[str]) -> None:
    """Wait until nothing is due any more, and check every log."""
    while await stored(store):
        await asyncio.sleep(0.05)
    for table in tables:
        check(await log_of(store, table))


async def test_kills_at_any_moment_neither_lose_nor_double_a_deadline(tmp_path: Path):
    address, rng = tmp_path / "tables.sqlite", random.Random(4)
    server = Server(address, **SETTINGS).start()
    try:
        tables = start_tables(server)
        for _ in range(KILLS):
            await asyncio.sleep(rng.uniform(0.05, 0.8))
            server.kill()
            server.start()
        shown = dict.fromkeys(tables, "playing")
        while "playing" in shown.values():
            shown = {table: server.get(f"/api/tables/{table}")["status"] for table in tables}
            await asyncio.sleep(0.1)
        assert set(shown.values()) == {"over"}
    finally:
        server.kill()
    store = await open_store(store_for(address))
    try:
        await finished(store, tables)
    finally:
        await store.close()
