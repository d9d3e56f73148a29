"""Games by days for tests: start them, look at their logs, and play them among people who are seldom there."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
import pytest
import sqlalchemy as sa

from quadriga.server.protocol.requests import Create, Join
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.room import Room
from quadriga.server.state import events
from quadriga.server.state.events import RoomEvent
from quadriga.server.storage import base
from quadriga.server.storage.base import Storage, StoredDeadline
from quadriga.server.storage.days_schema import DEADLINES
from server.support.in_process import InProcessServer
from support import SHORT_RACE

E = TypeVar("E", bound=RoomEvent)
SMALL: dict[str, tuple[dict[str, Any], str]] = {
    "ur": ({"markers": 2}, "me open"),
    "ave-caesar": ({"courses": ["white cw"]}, "me open bot"),
    "ben-hvrt": ({"series": [1], "bribes": True, **SHORT_RACE}, "me open bot"),
}


async def stored(store: Storage) -> list[StoredDeadline]:
    """Return the stored deadlines."""
    return [StoredDeadline._make(row) for row in await store.read(sa.select(DEADLINES))]


async def started_table(registry: Registry) -> Room:
    """Start a game of Ur by days for two people, who are not there."""
    seats, dice = [{"kind": "me"}, {"kind": "open"}], {"kind": "seeded", "seed": 1}
    asked = {"game": "ur", "name": "Ann", "seats": seats, "days": {"days": 7}, "dice": dice}
    room, token = await registry.create(msgspec.convert(asked, Create))
    await registry.join(room, Join(name="Bob"), None)
    await registry.start(room, token)
    return room


async def log_of(store: Storage, table: str) -> list[RoomEvent]:
    """Return the events of a room."""
    return [events.decode(line.kind, line.body) for line in await store.events(table)]


async def until_logged(
    server: InProcessServer,
    table: str,
    what: type[E],
    is_meant: Callable[[E], bool] = lambda _: True,
    count: int = 1,
) -> None:
    """Wait until the log of a room has so many events of a kind."""
    while True:
        found = [each for each in await log_of(server.registry.store, table) if isinstance(each, what)]
        if sum(map(is_meant, found)) >= count:
            return
        await asyncio.sleep(0.02)


class Calendar:
    """The time that a server in this process goes by. A test moves it on, so that no day is too short."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._ahead_ns = 0
        monkeypatch.setattr(base, "time", self)

    def time_ns(self) -> int:
        """Return the current time, as `time.time_ns` does."""
        return time.time_ns() + self._ahead_ns

    def go_to(self, moment: int) -> None:
        """Let time pass until a moment, in milliseconds since 1970."""
        self._ahead_ns += max(0, moment * 1_000_000 - self.time_ns())


async def visit(server: InProcessServer, table: str, token: str, rng: random.Random) -> None:
    """Connect, play as long as it is one's turn, and leave again."""
    client = await server.connect(table, token)
    while "status" not in client.table or (client.table["status"] == "playing" and not client.view):
        await client.hear()
    while client.legal and not client.over:
        number = client.number
        await client.act(rng.choice([each["text"] for each in client.legal if not each.get("family")]))
        while client.number == number and not client.over:
            await client.hear()
    await client.close()


async def play_by_visits(
    server: InProcessServer, table: str, tokens: list[str], rng: random.Random
) -> dict[str, Any]:
    """Play a game to its end: whoever has to move looks in, and nobody else. Return the table."""
    while True:
        _, shown = await server.fetch("GET", f"/api/tables/{table}")
        if shown["status"] != "playing":
            return dict(shown)
        if shown["deadline"] is None:  # bots move
            await asyncio.sleep(0.01)
            continue
        await visit(server, table, tokens[shown["deadline"]["seat"]], rng)
