"""Open tables: the host lists them, and bots take the open seats in time, once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from quadriga.server.lobby import opening
from quadriga.server.lobby.opening import Openings
from quadriga.server.storage.base import now
from quadriga.server.storage.lobby_schema import OPEN_TABLES
from server.lobby.test_live import MANY
from server.support.devices import Device
from server.support.in_process import InProcessServer, in_process
from server.support.live import listen


async def started(device: Device, table: str) -> dict[str, Any]:
    """Wait until a game has begun; return the table."""
    while (shown := await device.get(f"/api/tables/{table}"))["status"] == "waiting":
        await asyncio.sleep(0.01)
    return dict(shown)


async def sits(server: InProcessServer, table: str) -> list[str]:
    """Return the kinds of those who have sat down, in the order of the log."""
    return [line.kind for line in await server.registry.store.events(table)]


async def test_the_host_opens_a_table_later_and_closes_it_again(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob = Device(server), Device(server)
        await ann.post("/api/me")
        table = await ann.table(seats="me open open", game="ave-caesar")
        page = await listen(bob)
        assert (await page.hear())["tables"] == []
        assert await ann.get(f"/api/tables/{table}/open") == {"open": False, "fill": None}
        assert (await bob.call("POST", f"/api/tables/{table}/open", {"open": True}))[0] == 401
        opened = await ann.post(f"/api/tables/{table}/open", {"open": True, "fill": 600})
        assert opened["open"]
        while table not in page.tables:
            await page.hear()
        assert page.tables[table]["fill"] == opened["fill"] > now()
        assert [each["id"] for each in (await bob.get("/api/tables"))["tables"]] == [table]
        await ann.post(f"/api/tables/{table}/open", {"open": False})
        while table in page.tables:
            await page.hear()
        await bob.post("/api/me")
        await bob.post(f"/api/tables/{table}/join", {"name": "Bob"})
        status, refused = await bob.call("POST", f"/api/tables/{table}/open", {"open": True})
        assert (status, refused["code"]) == (403, "table.host")


async def test_bots_take_the_open_seats_and_the_game_starts(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann = Device(server)
        table = await ann.table("ave-caesar", "me open open", public=True, fill=0)
        shown = await started(ann, table)
        assert [each["kind"] for each in shown["seats"]] == ["person", "bot", "bot"]
        assert await sits(server, table) == ["sit", "sit", "sit", "start", "moves"]
        while (await ann.get(f"/api/tables/{table}/open"))["fill"] is not None:
            await asyncio.sleep(0.01)


async def test_a_game_that_is_over_leaves_the_list_and_its_row(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann = Device(server)
        await ann.post("/api/me")
        table, other = [await ann.table("ur", "me bot", public=True) for _ in range(2)]
        client = await ann.connect(table)
        await client.until("view")
        await client.say(type="vote", kind="end")
        while not client.over:
            await client.hear()
        assert await server.registry.store.read(sa.select(OPEN_TABLES.c.table_id)) == [(other,)]


async def test_bots_come_once_after_a_restart(tmp_path: Path):
    path = tmp_path / "store.sqlite"
    async with in_process(path, **MANY) as server:
        ann = Device(server)
        await ann.post("/api/me")
        table = await ann.table(public=True, fill=3600)
        due = sa.update(OPEN_TABLES).values(fill_at=now() - 1)
        await server.registry.store.transact(lambda connection: connection.execute(due))
    async with in_process(path, **MANY) as server:
        ann.server = server
        shown = await started(ann, table)
        assert [each["kind"] for each in shown["seats"]] == ["person", "bot"]
        assert (await sits(server, table)).count("start") == 1


async def test_a_process_that_dies_while_it_fills_a_table_is_replaced(tmp_path: Path, monkeypatch: Any):
    """It has claimed the table and seated a bot, and not started the game: another goes on from there, once."""
    monkeypatch.setattr(opening, "CLAIM_MS", 200)
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann = Device(server)
        await ann.post("/api/me")
        table = await ann.table("ave-caesar", "me open open", public=True, fill=3600)
        await ann.post(f"/api/tables/{table}/seats/1", {"kind": "bot"})
        await server.app.state.lobby.openings.close()
        due = sa.update(OPEN_TABLES).values(fill_at=now() - 1)
        await server.registry.store.transact(lambda connection: connection.execute(due))
        dead, others = Openings(server.registry), [Openings(server.registry) for _ in range(3)]
        assert await dead._claim([table]) == [table]
        assert [await each._claim([table]) for each in others] == [[], [], []]
        for each in others:
            each.open()
        shown = await started(ann, table)
        assert [each["kind"] for each in shown["seats"]] == ["person", "bot", "bot"]
        for each in others:
            await each.close()
        assert await sits(server, table) == ["sit", "sit", "sit", "start", "moves"]


async def test_a_table_without_people_is_not_filled(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann = Device(server)
        table = await ann.table("ur", "open open", public=True, fill=0)
        while (await ann.get(f"/api/tables/{table}/open"))["fill"] is not None:
            await asyncio.sleep(0.01)
        assert (await ann.get(f"/api/tables/{table}"))["status"] == "waiting"
