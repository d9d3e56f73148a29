"""Chat, guests and notes about accounts are deleted when the host wants it, and kept otherwise."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from quadriga.server.state import verify
from quadriga.server.storage.moderation_schema import CHAT_AUTHORS
from quadriga.server.storage.people_schema import AUDIT, PEOPLE
from quadriga.server.storage.schema import CHAT
from server.people.test_identity import MANY_PROOFS, change
from server.support.devices import Device
from server.support.in_process import InProcessServer, in_process
from server.support.services import new_shared_store

KEPT = {**MANY_PROOFS, "keep_chat": 30.0, "keep_guests": 30.0, "keep_audit": 30.0}
OLD = 1_000_000_000_000  # in 2001


async def unload(server: InProcessServer) -> None:
    """Take all tables out of memory, whatever goes on there."""
    for room in list(server.registry.rooms.values()):
        async with room.lock:
            server.registry.rooms.pop(room.state.id).close()


async def names(server: InProcessServer) -> list[str | None]:
    return [row[0] for row in await server.registry.store.read(sa.select(PEOPLE.c.name).order_by(PEOPLE.c.name))]


async def texts(server: InProcessServer) -> list[str]:
    return [row[0] for row in await server.registry.store.read(sa.select(CHAT.c.text).order_by(CHAT.c.text))]


async def talk(device: Device, table: str, text: str) -> None:
    client = await device.connect(table)
    await client.until("welcome")
    await client.say(type="chat", text=text)
    await client.until("chat")
    await client.close()


@pytest.mark.parametrize("is_shared", [False, True])
async def test_only_what_is_old_is_deleted(tmp_path: Path, is_shared: bool):
    address = new_shared_store() if is_shared else tmp_path / "store.sqlite"
    async with in_process(address, **KEPT) as server:
        ann, guest, busy = Device(server), Device(server), Device(server)
        await ann.member("Ann")
        await guest.post("/api/me")
        await busy.post("/api/me")
        old = await ann.table()
        await guest.post(f"/api/tables/{old}/join", {"name": "Gustav"})
        running = await busy.table("ur", "me bot", start=True)
        await talk(ann, old, "once")
        await talk(guest, old, "upon")
        await talk(ann, running, "now")
        sweep = server.app.state.upkeep.retention.sweep
        await unload(server)
        assert await sweep() == 0  # all of it is new
        await change(server, sa.update(PEOPLE).values(seen=OLD))
        await change(server, sa.update(CHAT).where(CHAT.c.table_id == old).values(at=OLD))
        await change(server, sa.update(AUDIT).values(at=OLD))
        assert await sweep() > 0
        while await sweep():
            pass
        assert sorted(await names(server), key=str) == ["Ann", None]  # the other guest's game is running
        assert await texts(server) == ["now"]
        authors = await server.registry.store.read(sa.select(CHAT_AUTHORS.c.table_id))
        assert [row[0] for row in authors] == [running]  # a message of a stranger is not taken for one of Ann
        assert await server.registry.store.read(sa.select(AUDIT.c.id)) == []
        shown = await ann.get(f"/api/tables/{old}")
        assert "Gustav" not in str(shown)
    assert (await asyncio.to_thread(verify.check, address)).whole


async def test_without_settings_everything_is_kept(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        guest = Device(server)
        await guest.post("/api/me")
        table = await guest.table()
        await talk(guest, table, "once")
        await unload(server)
        await change(server, sa.update(PEOPLE).values(seen=OLD))
        await change(server, sa.update(CHAT).values(at=OLD))
        assert await server.app.state.upkeep.retention.sweep() == 0
        assert await texts(server) == ["once"]
        assert len(await names(server)) == 1
