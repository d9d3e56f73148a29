"""The lobby over several processes: everybody sees the same tables, and bots are seated once.

People are paired across processes, and a killed process leaves nobody stuck and nothing doubled.
"""

from __future__ import annotations

import asyncio
from collections import Counter

import psycopg
import pytest
import sqlalchemy as sa
import websockets

from quadriga.server.storage.base import now
from quadriga.server.storage.lobby_schema import OPEN_TABLES
from server.cluster.test_following import two
from server.lobby.test_live import MANY, until
from server.lobby.test_opening import sits, started
from server.lobby.test_quick import seeker, waiting
from server.support.devices import Device
from server.support.harness import Server
from server.support.live import listen
from server.support.services import new_shared_store, shared_redis
from soak import count


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


@pytest.mark.parametrize("pubsub", [True, False])
async def test_people_at_different_processes_are_paired(pubsub: bool):
    async with two(pubsub, **MANY) as servers:
        ann, first = await seeker(servers[0], "Ann")
        await waiting(first)
        bob, second = await seeker(servers[1], "Bob")
        table = (await second.until("quick", state="paired"))["table"]
        assert (await first.until("quick", state="paired"))["table"] == table
        assert (await ann.get(f"/api/tables/{table}"))["status"] == "playing"
        for seat, device in enumerate((ann, bob)):
            assert (await (await device.connect(table)).until("welcome"))["seats"] == [seat]


async def search(device: Device, name: str, other: Server) -> str:
    """Look for a quick game as the page does: again at another process whenever the socket is lost."""
    while True:
        try:
            page = await listen(device)
            await page.say(type="quick", game="ur", seats=2, name=name)
            while page.quick.get("state") != "paired":
                await page.hear()
            return str(page.quick["table"])
        except (websockets.WebSocketException, OSError):
            device.server = other


async def test_a_process_is_killed_while_people_are_paired_and_tables_are_filled():
    """Everybody gets one partner and one table, and every due table is filled once, whatever was under way."""
    for _ in range(count(1, 20)):
        database = new_shared_store()
        own = {"pubsub": shared_redis().url, **MANY}
        servers = [Server(database, **own).start() for _ in range(2)]
        try:
            await _killed(servers)
        finally:
            for each in servers:
                each.kill()


async def _killed(servers: list[Server]) -> None:
    host = Device(servers[1])
    open_tables = [await host.table("ave-caesar", "me open open", public=True, fill=0) for _ in range(4)]
    people = [Device(servers[n % 2]) for n in range(8)]
    for each in people:
        await each.post("/api/me")
    searches = [asyncio.create_task(search(each, f"P{n}", servers[1])) for n, each in enumerate(people)]
    done, _ = await asyncio.wait(searches, return_when=asyncio.FIRST_COMPLETED)  # in the middle of it
    assert done
    await asyncio.to_thread(servers[0].kill)
    tables = await asyncio.gather(*searches)
    games = []
    for each in people:
        each.server = servers[1]
        games.append([game["table"] for game in (await each.get("/api/me/games"))["games"]])
    assert games == [[table] for table in tables]  # one each
    assert set(Counter(tables).values()) == {2}
    for table in open_tables:
        shown = await started(host, table)
        assert [each["kind"] for each in shown["seats"]] == ["person", "bot", "bot"]
    with psycopg.connect(str(servers[1].store)) as connection:
        starts = "SELECT count(*) FROM log WHERE kind = 'start' GROUP BY table_id"
        assert {row[0] for row in connection.execute(starts)} == {1}
        assert connection.execute("SELECT count(*) FROM seekers WHERE table_id IS NULL").fetchone() == (0,)
