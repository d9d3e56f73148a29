"""The lobby over several processes: everybody sees the same tables, and bots are seated once."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa

from quadriga.server.storage.base import now
from quadriga.server.storage.lobby_schema import OPEN_TABLES
from server.cluster.test_following import two
from server.lobby.test_live import MANY, until
from server.lobby.test_opening import sits, started
from server.support.devices import Device
from server.support.live import listen


@pytest.mark.parametrize("pubsub", [True, False])
async def test_pages_at_every_process_see_tables_people_and_turns(pubsub: bool):
    async with two(pubsub, **MANY) as servers:
        ann, bob = Device(servers[0]), Device(servers[1])
        await ann.member("Ann")
        await bob.member("Bob")
        pages = [await listen(ann), await listen(bob)]
        for page in pages:
            await page.until("games")
        table = await ann.table(public=True, dice={"kind": "seeded", "seed": 3})
        for page in pages:
            await until(page, table)
        await bob.post(f"/api/tables/{table}/join", {"name": "x"})
        await ann.post(f"/api/tables/{table}/start")
        for page in pages:
            await until(page, table, status="playing")
        clients = [await device.connect(table) for device in (ann, bob)]
        for client in clients:
            await client.until("view")
        while (turn := next((seat for seat, client in enumerate(clients) if client.legal), None)) is None:
            await asyncio.gather(*(client.hear() for client in clients))
        for seat, page in enumerate(pages):
            while [each["mine"] for each in page.games or []] != [seat == turn]:
                await page.hear()
        while pubsub and pages[0].present != 4:  # two pages, two seats; without pub/sub each counts its own
            await pages[0].hear()


async def test_bots_are_seated_once_by_one_of_two_processes():
    async with two(**MANY) as servers:
        ann = Device(servers[0])
        tables = [await ann.table("ave-caesar", "me open open", public=True, fill=3600) for _ in range(8)]
        due = sa.update(OPEN_TABLES).values(fill_at=now() + 300)
        await servers[0].registry.store.transact(lambda connection: connection.execute(due))
        for server in servers:
            server.app.state.lobby.openings.changed()
        for table in tables:
            shown = await started(ann, table)
            assert [each["kind"] for each in shown["seats"]] == ["person", "bot", "bot"]
            assert await sits(servers[0], table) == ["sit", "sit", "sit", "start", "moves"]
