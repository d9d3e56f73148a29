"""Games by days for tests: start them, look at their logs, and play them among people who are seldom there."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import sqlalchemy as sa

from quadriga.server.state import events
from quadriga.server.state.events import RoomEvent
from quadriga.server.storage.base import Storage, StoredDeadline
from quadriga.server.storage.days_schema import DEADLINES
from server.support.in_process import InProcessServer
from support import SHORT_RACE

SMALL: dict[str, tuple[dict[str, Any], str]] = {
    "ur": ({"markers": 2}, "me open"),
    "ave-caesar": ({"courses": ["white cw"]}, "me open bot"),
    "ben-hvrt": ({"series": [1], "bribes": True, **SHORT_RACE}, "me open bot"),
}


async def stored(store: Storage) -> list[StoredDeadline]:
    """Return the stored deadlines."""
    return [StoredDeadline._make(row) for row in await store.read(sa.select(DEADLINES))]


async def log_of(store: Storage, table: str) -> list[RoomEvent]:
    """Return the events of a room."""
    return [events.decode(line.kind, line.body) for line in await store.events(table)]


async def until_logged(server: InProcessServer, table: str, what: type[RoomEvent], count: int = 1) -> None:
    """Wait until the log of a room has so many events of a kind."""
    while sum(isinstance(each, what) for each in await log_of(server.registry.store, table)) < count:
        await asyncio.sleep(0.02)


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
