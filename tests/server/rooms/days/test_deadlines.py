"""Deadlines of games by days: warned once, met once, and waiting in the store only."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from pathlib import Path

import pytest
import sqlalchemy as sa

import sleeping
from quadriga.server.rooms.days.sweeper import due_rows
from quadriga.server.rooms.log import next_line
from quadriga.server.state.day_events import Deadline, TimeLost
from quadriga.server.state.events import BotControl, Pace, Sit
from quadriga.server.storage.base import LoadedRoom, now
from quadriga.server.storage.days_schema import DEADLINES
from server.rooms.days.support import Calendar, log_of, started_table, stored, until_logged
from server.support.devices import Device
from server.support.in_process import InProcessServer, in_process
from server.support.listeners import opened_registry
from server.support.tables import start_table

DAY_MS = 86_400_000
QUICK = {"day": 0.6, "sweep": 0.05}


async def by_days(server: InProcessServer, seats: str = "me open", **days: object) -> tuple[str, list[str]]:
    """Start a short game of Ur by days."""
    return await start_table(server, "ur", seats, options={"markers": 1}, days={"days": 1, **days})


async def test_a_move_begins_the_next_deadline_in_the_log_and_in_the_store(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        store, before = server.registry.store, now()
        table, tokens = await by_days(server, days=4)
        for _ in range(6):
            *_, last = [each for each in await log_of(store, table) if isinstance(each, Deadline)]
            assert 0 <= last.due - before - 4 * DAY_MS < DAY_MS
            (row,) = await stored(store)
            assert (row.kind, row.ends, row.due) == ("warning", last.due, last.due - DAY_MS)
            _, shown = await server.fetch("GET", f"/api/tables/{table}")
            assert shown["days"] == {"days": 4, "late": "bot"}
            assert shown["deadline"] == {"seat": last.seat, "due": last.due, "warned": False}
            client = await server.connect(table, tokens[last.seat])
            await client.until("view")
            assert client.legal is not None
            await client.act(client.legal[0]["text"])
            while client.table["deadline"]["due"] == last.due:
                await client.hear()
            await client.close()


async def test_somebody_late_is_warned_once_and_replaced_once(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", **QUICK) as server:
        table, _ = await by_days(server, "me bot")
        await until_logged(server, table, BotControl)
        while await stored(server.registry.store):
            await asyncio.sleep(0.02)
        seen = [
            each for each in await log_of(server.registry.store, table) if isinstance(each, Deadline | BotControl)
        ]
        assert [(type(each), getattr(each, "warned", None)) for each in seen] == [
            (Deadline, False),
            (Deadline, True),
            (BotControl, None),
        ]


async def test_somebody_late_takes_the_seat_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    calendar = Calendar(monkeypatch)
    async with in_process(tmp_path / "tables.sqlite", sweep=0.05) as server:
        table, tokens = await start_table(server, "ave-caesar", "me open bot", days={"days": 1})
        while not (waiting := await stored(server.registry.store)) or not waiting[0].ends:
            await asyncio.sleep(0.01)  # a bot moves
        *_, deadline = [each for each in await log_of(server.registry.store, table) if isinstance(each, Deadline)]
        client = await server.connect(table, tokens[deadline.seat])
        await client.until("view")
        calendar.go_to(waiting[0].due)
        await until_logged(server, table, Deadline, lambda each: each.warned)
        calendar.go_to(waiting[0].ends)
        while not client.table["seats"][deadline.seat]["covered"]:
            await client.hear()
        await client.say(type="back")
        while client.table["seats"][deadline.seat]["covered"]:
            await client.hear()


async def test_somebody_late_loses_the_seat_where_the_table_says_so(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", **QUICK) as server:
        ann, bob = Device(server), Device(server)
        await ann.member("Ann")
        await bob.member("Bob")
        table = await ann.table(options={"markers": 1}, days={"days": 1, "late": "lose"})
        await bob.post(f"/api/tables/{table}/join", {"name": "Bob"})
        await ann.post(f"/api/tables/{table}/start")
        await until_logged(server, table, TimeLost, count=2)
        log = await log_of(server.registry.store, table)
        assert [each.kind for each in log if isinstance(each, Sit)] == ["person", "person", "bot", "bot"]
        while (await ann.get(f"/api/tables/{table}"))["status"] != "over":
            await asyncio.sleep(0.05)
        shown = await ann.get(f"/api/tables/{table}")
        assert [seat["vacated"]["late"] for seat in shown["seats"]] == [True, True]
        (game,) = (await bob.get("/api/me/history"))["games"]
        assert game["place"] == 2


async def test_games_that_wait_are_in_the_store_only(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", day=600.0, sweep=0.02, idle=0.05) as server:
        registry = server.registry
        tables = [(await by_days(server))[0] for _ in range(3)]
        while registry.rooms:
            await asyncio.sleep(0.02)
        assert len(await stored(registry.store)) == 3
        await until_all_warned(server, tables)
        assert not registry.rooms


async def until_all_warned(server: InProcessServer, tables: list[str]) -> None:
    """Bring the warnings of some games forward, by saying that they are due; wait until they are made."""
    soon = sa.update(DEADLINES).values(due=1)
    await server.registry.store.transact(lambda connection: connection.execute(soon) and None)
    while any(row.due == 1 for row in await stored(server.registry.store)):
        await asyncio.sleep(0.02)


async def test_a_row_that_is_not_what_the_log_says_is_corrected(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", sweep=0.02) as server:
        table, _ = await by_days(server)
        before = await stored(server.registry.store)
        await until_all_warned(server, [table])
        assert await stored(server.registry.store) == before
        assert not [each for each in await log_of(server.registry.store, table) if getattr(each, "warned", False)]
        unknown = before[0]._replace(table_id="unknown", due=1)._asdict()
        await server.registry.store.transact(lambda c: c.execute(DEADLINES.insert().values(**unknown)) and None)
        while min(row.due for row in await stored(server.registry.store)) < now():
            await asyncio.sleep(0.02)


async def test_a_deadline_is_met_at_the_next_look_if_another_process_was_faster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The log has an event that this process has not read when it adds the warning."""
    calendar = Calendar(monkeypatch)
    async with opened_registry(tmp_path / "tables.sqlite", sweep=1e6) as registry:
        room = await started_table(registry)
        (row,) = await stored(registry.store)
        calendar.go_to(row.due)
        room = await registry.room(room.state.id)  # in memory from here on
        elsewhere = await room.log.load(room.state.id)
        assert elsewhere is not None
        paced = Pace(100)
        elsewhere.apply(paced)
        async with room.exclusive():
            look = asyncio.create_task(registry.deadlines.sweep())
            while not room.lock._waiters:
                await asyncio.sleep(0.01)
            await registry.store.append(room.state.id, [next_line(elsewhere, paced)])
        assert await look == 1
        (left,) = await stored(registry.store)
        assert left.due in (row.due, row.ends)  # not postponed; met at once if the event was read in time
        await registry.deadlines.sweep()
        warned = [each.warned for each in await log_of(registry.store, room.state.id) if isinstance(each, Deadline)]
        assert warned == [False, True]


async def test_a_clock_and_days_are_refused_together(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        seats = [{"kind": "me"}, {"kind": "bot"}]
        body = {"game": "ur", "name": "Ann", "seats": seats, "days": {"days": 2}}
        clock = {"kind": "move", "seconds": 30}
        assert (await server.fetch("POST", "/api/tables", {**body, "clock": clock}))[1]["code"] == "days.clock"
        for days in (0, 8):
            assert (await server.fetch("POST", "/api/tables", {**body, "days": {"days": days}}))[0] == 422


async def test_deadlines_that_are_due_are_found_by_an_index(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:

        def plan(connection: sa.Connection) -> str:
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql("SET LOCAL enable_seqscan = off")  # the table is small
                connection.exec_driver_sql("SET LOCAL enable_bitmapscan = off")
            explain = "EXPLAIN" if connection.dialect.name == "postgresql" else "EXPLAIN QUERY PLAN"
            compiled = due_rows(7).compile(connection.engine, compile_kwargs={"literal_binds": True})
            return str(connection.exec_driver_sql(f"{explain} {compiled}").all())

        found = await server.registry.store.transact(plan)
        assert "ix_deadlines_due" in found
        assert "SCAN deadlines" not in found
        assert "Sort" not in found


async def test_a_look_loads_the_games_that_are_due_and_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "tables.sqlite"
    async with opened_registry(path, sweep=1e6) as registry:
        tables = await sleeping.begin(registry, 6)
        assert not registry.rooms
    async with opened_registry(path, sweep=1e6) as registry:
        assert not registry.rooms  # none is loaded at the start
        loaded: list[str] = []
        load = registry.store.load

        def noted(room_id: str) -> Awaitable[LoadedRoom | None]:
            loaded.append(room_id)
            return load(room_id)

        monkeypatch.setattr(registry.store, "load", noted)
        assert await registry.deadlines.sweep() == 0
        is_due = sa.update(DEADLINES).where(DEADLINES.c.table_id.in_(tables[:2])).values(due=now())
        await registry.store.transact(lambda connection: connection.execute(is_due) and None)
        assert await registry.deadlines.sweep() == 2
        assert sorted(loaded) == sorted(tables[:2])
        assert not registry.rooms
