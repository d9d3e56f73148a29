"""Quick games: the next person who wants the same game, and nobody who has gone."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from quadriga.server.lobby import queue
from quadriga.server.lobby.queue import Wish
from quadriga.server.storage.lobby_schema import SEEKERS
from server.lobby.test_live import MANY, until
from server.people.test_identity import MANY_PROOFS
from server.support.devices import Device
from server.support.in_process import InProcessServer, in_process
from server.support.live import Live, listen


async def seeker(server: InProcessServer, name: str, game: str = "ur", seats: int = 2) -> tuple[Device, Live]:
    """Let a guest look for a quick game."""
    device = Device(server)
    await device.post("/api/me")
    page = await listen(device)
    await page.say(type="quick", game=game, seats=seats, name=name)
    return device, page


async def waiting(page: Live) -> Live:
    await page.until("quick", state="waiting")
    return page


async def queued(server: InProcessServer, count: int) -> None:
    """Wait until so many are in the queue."""
    while len(await server.registry.store.read(sa.select(SEEKERS.c.id))) != count:
        await asyncio.sleep(0.01)


async def test_two_who_want_the_same_game_are_paired_and_play(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, first = await seeker(server, "Ann")
        await waiting(first)
        bob, second = await seeker(server, "Bob")
        table = (await first.until("quick", state="paired"))["table"]
        assert (await second.until("quick", state="paired"))["table"] == table
        shown = await ann.get(f"/api/tables/{table}")
        assert (shown["status"], shown["public"]) == ("playing", False)
        assert [each["name"] for each in shown["seats"]] == ["Ann", "Bob"]
        for seat, device in enumerate((ann, bob)):
            assert [each["table"] for each in (await device.get("/api/me/games"))["games"]] == [table]
            assert (await (await device.connect(table)).until("welcome"))["seats"] == [seat]
        await queued(server, 0)


async def test_those_who_want_something_else_or_have_left_are_not_paired(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        _, other_game = await seeker(server, "Cem", "ben-hvrt")
        _, other_size = await seeker(server, "Dea", "ben-hvrt", 3)
        _, cancelled = await seeker(server, "Eva")
        for page in (other_game, other_size, cancelled):
            await waiting(page)
        await cancelled.say(type="cancel")
        await cancelled.until("quick", state="idle")
        _, closed = await seeker(server, "Fay")
        await waiting(closed)
        await queued(server, 3)
        await closed.close()
        await queued(server, 2)
        _, ann = await seeker(server, "Ann")
        await waiting(ann)
        await queued(server, 3)
        _, bob = await seeker(server, "Bob")
        table = (await bob.until("quick", state="paired"))["table"]
        assert (await ann.until("quick", state="paired"))["table"] == table
        for page in (other_game, other_size):
            await page.settle()
            assert page.quick["state"] == "waiting"


async def test_bots_are_offered_and_the_search_goes_on(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", quick_offer=0.0, **MANY) as server:
        _, ann = await seeker(server, "Ann")
        await ann.until("quick", state="alone")
        _, bob = await seeker(server, "Bob")
        assert (await bob.until("quick", state="paired"))["table"] == (await ann.until("quick", state="paired"))[
            "table"
        ]


async def test_a_person_looks_with_the_newest_page_and_never_plays_alone(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, old = await seeker(server, "Ann")
        await waiting(old)
        await queued(server, 1)
        new = await listen(ann)
        await new.say(type="quick", game="ur", seats=2, name="Ann")
        await old.until("quick", state="idle")
        await queued(server, 1)
        _, bob = await seeker(server, "Bob")
        assert (await bob.until("quick", state="paired"))["table"] == (await new.until("quick", state="paired"))[
            "table"
        ]


async def test_a_table_for_more_takes_the_next_ones_and_starts_when_it_is_full(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        people = [await seeker(server, name, "ave-caesar", 3) for name in ("Ann", "Bob")]
        tables = {(await page.until("quick", state="paired"))["table"] for _, page in people}
        (table,) = tables
        watching = await listen(Device(server))
        shown = await until(watching, table)
        assert [each["kind"] for each in shown["seats"]] == ["person", "person", "open"]
        assert shown["fill"] is not None
        _, page = await seeker(server, "Cem", "ave-caesar", 3)
        assert (await page.until("quick", state="paired"))["table"] == table
        assert (await people[0][0].get(f"/api/tables/{table}"))["status"] == "playing"


async def test_somebody_who_deletes_their_account_is_not_paired_and_holds_nobody_up(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **{**MANY, **MANY_PROOFS}) as server:
        gone = Device(server)
        await gone.member("Ann")
        page = await listen(gone)
        await page.say(type="quick", game="ur", seats=2, name="Ann")
        await waiting(page)
        await queued(server, 1)
        await gone.post("/api/me/delete", {"name": "Ann"})
        await queued(server, 0)
        await page.until("quick", state="idle")
        _, bob = await seeker(server, "Bob")
        await waiting(bob)
        _, cem = await seeker(server, "Cem")
        table = (await bob.until("quick", state="paired"))["table"]
        assert (await cem.until("quick", state="paired"))["table"] == table
        assert await server.registry.store.room_ids() == [table]


async def test_strangers_and_wrong_games_are_refused(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        stranger = await listen(Device(server))
        await stranger.say(type="quick", game="ur", seats=2, name="x")
        assert (await stranger.until("refused"))["code"] == "person.stranger"
        ann = Device(server)
        await ann.post("/api/me")
        page = await listen(ann)
        for wrong in ({"game": "chess", "seats": 2}, {"game": "ur", "seats": 3}, {"game": "ur", "seats": 1}):
            await page.say(type="quick", name="x", **wrong)
            assert (await page.until("refused"))["code"]
        await queued(server, 0)


async def test_too_many_searches_of_one_address_are_refused(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **{**MANY, "joins": 0.0, "join_burst": 2.0}) as server:
        ann = Device(server)
        await ann.post("/api/me")
        page = await listen(ann)
        for _ in range(3):
            await page.say(type="quick", game="ur", seats=2, name="x")
        assert (await page.until("refused"))["code"] == "wire.rate"


async def test_a_table_of_a_pair_counts_as_created_by_an_address(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **{**MANY, "tables_each": 1}) as server:
        _, first = await seeker(server, "Ann")
        await waiting(first)
        await seeker(server, "Bob")
        await first.until("quick", state="paired")
        await first.say(type="quick", game="ur", seats=2, name="Ann")
        assert (await first.until("refused"))["code"] == "table.yours"


@pytest.mark.parametrize("died", ["asker", "answerer"])
async def test_a_process_that_dies_between_the_steps_leaves_nobody_stuck(
    tmp_path: Path, monkeypatch: Any, died: str
):
    """A row of another process, which never answers and never renews, stands for a killed one."""
    monkeypatch.setattr(queue, "PROPOSAL_MS", 100)
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        store = server.registry.store

        def ghost(connection: sa.Connection) -> None:
            queue.seek(connection, "dead", Wish("ghost", "Ghost", "ur", 2, frozenset({"ghost"})))

        if died == "answerer":
            await store.transact(ghost)
            _, ann = await seeker(server, "Ann")  # proposes to the ghost
            await waiting(ann)
        else:
            _, ann = await seeker(server, "Ann")
            await waiting(ann)
            await queued(server, 1)
            await server.app.state.lobby.quick.close()  # so that the ghost's proposal is not answered in time
            await store.transact(ghost)
            await asyncio.sleep(0.2)
            server.app.state.lobby.quick.open()
            gone = sa.delete(SEEKERS).where(SEEKERS.c.process == "dead")
            await store.transact(lambda connection: connection.execute(gone))
        while True:  # until Ann is free again
            rows = await store.read(sa.select(SEEKERS.c.person_id, SEEKERS.c.pairing))
            if len(rows) == 1 and rows[0][1] is None:
                break
            await asyncio.sleep(0.05)
        _, bob = await seeker(server, "Bob")
        table = (await bob.until("quick", state="paired"))["table"]
        assert (await ann.until("quick", state="paired"))["table"] == table
        await queued(server, 0)


async def test_somebody_whose_process_has_died_finds_the_table_again(tmp_path: Path):
    """The pair is stored, and the page has not been told: it looks again at another process, and gets the table."""
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann = Device(server)
        me = (await ann.post("/api/me"))["me"]["id"]
        table = await ann.table(seats="me bot")
        wish = Wish(me, "Ann", "ur", 2, frozenset({me}))
        await server.registry.store.transact(lambda each: queue.seek(each, "dead", wish))
        stored = sa.update(SEEKERS).values(table_id=table)
        await server.registry.store.transact(lambda connection: connection.execute(stored))
        page = await listen(ann)
        await page.say(type="quick", game="ur", seats=2, name="Ann")
        assert (await page.until("quick", state="paired"))["table"] == table
        await queued(server, 0)
