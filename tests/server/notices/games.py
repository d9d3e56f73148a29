"""Games whose people are told: two members, and moves without a page."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from quadriga.server.notices.notices import Notices
from quadriga.server.storage.notices_schema import OUTBOX
from server.people.test_identity import MANY_PROOFS
from server.support.devices import Device
from server.support.in_process import InProcessServer, in_process

SETTINGS: dict[str, Any] = {
    **MANY_PROOFS,
    "notice_after": 0.0,
    "notice_every": 3600.0,  # the tests sweep themselves
    "notice_private": 1,
    "notice_rate": 1e6,
    "notice_burst": 1e6,
}


def serving(path: Path, **more: Any) -> Any:
    """Serve in this process, with notices that are due at once and are sent when a test says so."""
    path.mkdir(exist_ok=True)
    return in_process(path / "store.sqlite", **{**SETTINGS, **more})


def notices(server: InProcessServer) -> Notices:
    found: Notices = server.app.state.notices
    return found


async def two_people(server: InProcessServer) -> tuple[Device, Device]:
    """Return the devices of two members."""
    ann, bob = Device(server), Device(server)
    await ann.member("Ann")
    await bob.member("Bob")
    return ann, bob


async def webhook(device: Device, address: str, shape: str = "ntfy") -> str:
    """Have notices posted to an address; return the id of the channel."""
    answer = await device.post("/api/me/notices/webhook", {"address": address, "shape": shape})
    return str(answer["channels"][-1]["id"])


async def started(ann: Device, bob: Device, game: str = "ur", **more: Any) -> str:
    """Begin a game between two people who are not connected; return the table."""
    table = await ann.table(game, **{"dice": {"kind": "seeded", "seed": 3}, **more})
    await bob.post(f"/api/tables/{table}/join", {"name": "Bob"})
    await ann.post(f"/api/tables/{table}/start")
    return table


async def to_move(device: Device, table: str) -> bool:
    """Return whether a game waits for a person."""
    games = (await device.get("/api/me/games"))["games"]
    return next(each["mine"] for each in games if each["table"] == table)


async def move(device: Device, table: str) -> None:
    """Come, move until it is no longer one's turn, and leave."""
    client = await device.connect(table)
    await client.until("view")
    while client.legal:
        number = client.number
        await client.act(client.legal[0]["text"])
        while client.number <= number:
            await client.hear()
        client.legal = client.news["legal"]
    await client.close()
    server = device.server
    assert isinstance(server, InProcessServer)
    room = server.registry.rooms[table]
    while room.presence.viewers:
        await asyncio.sleep(0.005)


async def rows(server: InProcessServer) -> list[tuple[str, str, int, str]]:
    """Return kind, table, key and state of all rows of the outbox."""
    columns = OUTBOX.c.kind, OUTBOX.c.table_id, OUTBOX.c.key, OUTBOX.c.state
    found = await server.registry.store.read(sa.select(*columns).order_by(OUTBOX.c.since))
    return [tuple(row) for row in found]
