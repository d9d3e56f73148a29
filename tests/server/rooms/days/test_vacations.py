"""Vacations: deadlines of a person's moves stand still, for 14 days a year and no longer."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from quadriga.server.people.vacations import Vacations
from quadriga.server.state.day_events import Deadline, Vacation
from quadriga.server.state.events import BotControl
from quadriga.server.storage.base import now
from quadriga.server.storage.days_schema import DEADLINES, VACATIONS
from server.people.test_identity import MANY_PROOFS
from server.rooms.days.support import Calendar, log_of, stored, until_logged
from server.support.devices import Device
from server.support.in_process import InProcessServer, in_process

DAY_MS = 86_400_000


async def two_play(server: InProcessServer, **days: object) -> tuple[list[Device], str, int]:
    """Start a game of two members by days; return their devices, the table, and whose move it is."""
    people = [Device(server), Device(server)]
    for device, name in zip(people, ("Ann", "Bob"), strict=True):
        await device.member(name)
    table = await people[0].table(days={"days": 2, **days})
    await people[1].post(f"/api/tables/{table}/join", {"name": "Bob"})
    await people[0].post(f"/api/tables/{table}/start")
    return people, table, (await people[0].get(f"/api/tables/{table}"))["deadline"]["seat"]


async def test_a_vacation_moves_the_deadline_and_coming_back_moves_it_back(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", **MANY_PROOFS) as server:
        people, table, mover = await two_play(server)
        other = people[1 - mover]
        before = (await other.get(f"/api/tables/{table}"))["deadline"]["due"]
        began = await people[mover].post("/api/me/vacation", {"on": True})
        assert (began["left"], began["days"]) == (14, 14)
        shown = await other.get(f"/api/tables/{table}")
        assert [seat["vacation"] for seat in shown["seats"]] == [
            began["until"] if seat == mover else None for seat in (0, 1)
        ]
        assert 13.9 * DAY_MS < shown["deadline"]["due"] - before <= 14 * DAY_MS
        assert (await stored(server.registry.store))[0].ends == shown["deadline"]["due"]
        (game,) = (await other.get("/api/me/games"))["games"]
        assert (game["mine"], game["due"]) == (False, shown["deadline"]["due"])
        again = await people[mover].post("/api/me/vacation", {"on": True})
        assert again["until"] == began["until"]
        ended = await people[mover].post("/api/me/vacation", {"on": False})
        assert (ended["until"], 13.9 < ended["left"] <= 14) == (None, True)
        shown = await other.get(f"/api/tables/{table}")
        assert [seat["vacation"] for seat in shown["seats"]] == [None, None]
        assert 0 <= shown["deadline"]["due"] - before < DAY_MS / 100  # by the time that the vacation lasted
        assert (await people[mover].get("/api/me/vacation"))["until"] is None


async def test_a_vacation_of_somebody_who_has_not_to_move_counts_when_they_have(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", **MANY_PROOFS) as server:
        people, table, mover = await two_play(server, days=1)
        until = (await people[1 - mover].post("/api/me/vacation", {"on": True}))["until"]
        client = await people[mover].connect(table)
        await client.until("view")
        while (deadline := client.table["deadline"]) is None or deadline["seat"] == mover:
            if client.legal:
                action, client.legal = client.legal[0]["text"], None
                await client.act(action)
            await client.hear()
        assert deadline["due"] == until + DAY_MS


async def test_a_table_that_was_not_told_learns_of_a_vacation_when_its_deadline_is_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    calendar = Calendar(monkeypatch)
    async with in_process(tmp_path / "tables.sqlite", sweep=0.02, **MANY_PROOFS) as server:
        people, table, mover = await two_play(server, days=1)
        person = (await people[mover].get("/api/me"))["me"]["id"]
        row = {"person_id": person, "begins": now(), "ends": now() + 9 * DAY_MS}
        store = server.registry.store
        await store.transact(lambda connection: connection.execute(VACATIONS.insert().values(**row)) and None)
        (waiting,) = await stored(store)
        calendar.go_to(waiting.ends)
        await until_logged(server, table, Vacation)
        log = await log_of(store, table)
        assert not [each for each in log if isinstance(each, BotControl)]
        *_, last = [each for each in log if isinstance(each, Deadline)]
        assert last.due == row["ends"]


async def test_no_more_than_fourteen_days_in_any_year(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", **MANY_PROOFS) as server:
        ann = Device(server)
        await ann.member("Ann")
        vacations: Vacations = server.registry.vacations
        (visitor,) = [await server.registry.people.devices.visitor(ann.secret)]
        assert visitor is not None
        person, at = visitor.person, now()
        used = 0
        for _ in range(7):  # two days each, with a day between
            assert (await vacations.begin(person, at)).left_ms == 14 * DAY_MS - used
            at += 2 * DAY_MS
            used += 2 * DAY_MS
            await vacations.end(person, at)
            at += DAY_MS
        assert (await vacations.of(person, at)).left_ms == 0
        later = at + 346 * DAY_MS  # the first of them is a year ago
        assert 0 < (await vacations.of(person, later)).left_ms <= 4 * DAY_MS
        await server.registry.store.transact(lambda c: c.execute(sa.delete(VACATIONS)) and None)
        spent = {"person_id": person.id, "begins": now() - 15 * DAY_MS, "ends": now() - DAY_MS}
        await server.registry.store.transact(lambda c: c.execute(VACATIONS.insert().values(**spent)) and None)
        status, refused = await ann.call("POST", "/api/me/vacation", {"on": True})
        assert (status, refused["code"]) == (409, "vacation.spent")
        assert not await server.registry.store.read(sa.select(DEADLINES))


async def test_guests_have_no_vacation_and_a_deleted_account_leaves_none(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite", **MANY_PROOFS) as server:
        guest = Device(server)
        await guest.post("/api/me")
        assert (await guest.call("POST", "/api/me/vacation", {"on": True}))[1]["code"] == "person.guest"
        ann = Device(server)
        await ann.member("Ann")
        until = (await ann.post("/api/me/vacation", {"on": True}))["until"]
        assert [each["ends"] for each in (await ann.get("/api/me/export"))["vacations"]] == [until]
        await ann.post("/api/me/delete", {"name": "Ann"})
        assert not await server.registry.store.read(sa.select(VACATIONS))


@pytest.mark.parametrize(("stops", "goes_on"), [("pause", "resume"), ("live", "days")])
async def test_a_vacation_that_ends_while_no_deadline_runs_is_over_when_one_does(
    tmp_path: Path, stops: str, goes_on: str
):
    async with in_process(tmp_path / "tables.sqlite", **MANY_PROOFS) as server:
        people, table, mover = await two_play(server, days=3)
        before = (await people[mover].get(f"/api/tables/{table}"))["deadline"]["due"]
        clients = [await device.connect(table) for device in people]
        for client in clients:
            await client.until("view")
        for kind, on in ((stops, True), (goes_on, False)):
            await people[mover].post("/api/me/vacation", {"on": on})
            for client in clients:
                await client.say(type="vote", kind=kind)
            while (clients[0].table["deadline"] is None) != on:
                await clients[0].hear()
        shown = await people[mover].get(f"/api/tables/{table}")
        assert [seat["vacation"] for seat in shown["seats"]] == [None, None]
        assert shown["deadline"]["due"] - before < DAY_MS
