"""A week of games by days in a short time: people sleep, stay away and change devices, and servers are killed.

A day of the games lasts for as many seconds as the setting `day` says, so nothing of the server is replaced.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any, NamedTuple

import psutil
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from quadriga.server.state import events
from quadriga.server.state.day_events import Deadline, TimeLost
from quadriga.server.state.events import BotControl, Start
from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import Storage, now
from server.rooms.days.support import SMALL, stored
from server.support.harness import Client, Server
from server.support.services import store_for
from soak import SOAK, count

PEOPLE = count(8, 500, "WEEK_PEOPLE")
TABLES = count(9, 2000, "WEEK_TABLES")
DAY_S = count(5, 3000, "WEEK_DAY") / 10  # seconds of a day of the games
KILLS = count(2, 10)
DAYS = 7
_LATE_S = 60.0  # by the clock, since the work of a server gets no shorter with the day


class Part(NamedTuple):
    """The seat of a person at a table."""

    table: str
    token: str
    seat: int


class Person:
    """Somebody with habits: sleeps a third of each day, stays away for a whole one now and then."""

    def __init__(self, number: int) -> None:
        self.rng = random.Random(number)
        self.parts: list[Part] = []
        self.sleeps_at = self.rng.random()
        self.away_on = self.rng.randrange(DAYS) if self.rng.random() < 0.4 else -1
        self.moves = 0

    def is_awake(self, at_day: float) -> bool:
        return (at_day - self.sleeps_at) % 1 > 1 / 3 and int(at_day) != self.away_on

    async def live(self, week: Week) -> None:
        """Look in at one's games until the week is over, each time with a new connection."""
        while week.at_day < DAYS:
            await asyncio.sleep(self.rng.uniform(0.05, 0.3) * DAY_S)
            if self.is_awake(week.at_day):
                for part in list(self.parts):
                    with suppress(ConnectionClosed, InvalidHandshake, OSError, HTTPException):  # it is being killed
                        await self.visit(week, part)

    async def visit(self, week: Week, part: Part) -> None:
        """Make one's moves at a table, if there are any to make."""
        status, shown = await asyncio.to_thread(week.server.call, "GET", f"/api/tables/{part.table}")
        assert status == 200, shown
        if shown["status"] != "playing":
            self.parts.remove(part)
            return
        if shown["seats"][part.seat]["covered"] or (shown["deadline"] or {}).get("seat") == part.seat:
            client = await week.server.connect(part.table, part.token)
            try:
                await self.move(client, part.seat)
            finally:
                await client.close()

    async def move(self, client: Client, seat: int) -> None:
        """Take one's seat back if a bot has it, and play as long as one is asked."""
        while not client.view:
            await client.hear()
        if client.table["seats"][seat]["covered"]:
            await client.say(type="back")
            while client.table["seats"][seat]["covered"] and not client.over:
                await client.hear()
        for _ in range(20):
            if not client.legal or client.over:
                return
            number = client.number
            await client.act(self.rng.choice([each["text"] for each in client.legal if not each.get("family")]))
            self.moves += 1
            while client.number == number and not client.over and not client.refused:
                await client.hear()


class Week:
    """A server that is killed now and then, its people, and when it was down."""

    def __init__(self, store: Path) -> None:
        self.server = Server(store, day=DAY_S, sweep=0.05).start()
        self.people = [Person(number) for number in range(PEOPLE)]
        self.tables: list[str] = []
        self.began = time.monotonic()
        self.downs: list[tuple[int, int]] = []  # from and until, in milliseconds since 1970
        self.cpu_s = 0.0

    @property
    def at_day(self) -> float:
        return (time.monotonic() - self.began) / DAY_S

    def create(self, number: int) -> None:
        """Start a table of two people, in one of the three games."""
        game = list(SMALL)[number % 3]
        options, seats = SMALL[game]
        pair = random.Random(number).sample(self.people, 2)
        days = {"days": 1 + number % 2, "late": "lose" if number % 5 == 4 else "bot"}
        table, token = self.server.create(game, seats, options=options, days=days)
        other = self.server.join(table, "Bob")
        assert self.server.call("POST", f"/api/tables/{table}/start", {}, token)[0] == 200
        for seat, (person, own) in enumerate(zip(pair, (token, other), strict=True)):
            person.parts.append(Part(table, own, seat))
        self.tables.append(table)

    @property
    def process(self) -> psutil.Process:
        return psutil.Process(self.server.process.pid)

    def restart(self) -> None:
        """Kill the server, and start it again on the same store."""
        self.count_cpu()
        since = now()
        self.server.kill()
        self.server.start()
        self.downs.append((since, now() + 1000))

    def count_cpu(self) -> None:
        used = self.process.cpu_times()
        self.cpu_s += used.user + used.system

    async def kill_sometimes(self) -> None:
        """Kill the server at random moments, but not on the last days, in which its memory is measured."""
        rng = random.Random(7)
        for at in sorted(rng.uniform(0.2, DAYS - 2) for _ in range(KILLS)):
            await asyncio.sleep(max(0.0, at - self.at_day) * DAY_S)
            self.restart()


async def test_a_week_of_games_by_days(tmp_path: Path):
    week = Week(tmp_path / "tables.sqlite")
    memory: list[int] = []
    try:
        for number in range(TABLES):
            await asyncio.to_thread(week.create, number)
        week.began = time.monotonic()
        lives = [asyncio.create_task(each.live(week)) for each in week.people]
        await week.kill_sometimes()
        while week.at_day < DAYS:
            await asyncio.sleep(0.5 * DAY_S)
            memory.append(week.process.memory_info().rss)
        await asyncio.gather(*lives)
        week.count_cpu()
    finally:
        week.server.kill()
    moves = sum(each.moves for each in week.people)
    cost_ms = week.cpu_s / TABLES / DAYS * 1000
    print(f"{TABLES} games, {moves} moves of people, {cost_ms:.1f} ms a game and day, bytes in memory: {memory}")
    store = await open_store(store_for(tmp_path / "tables.sqlite"))
    try:
        await check(store, week)
    finally:
        await store.close()
    if SOAK:
        assert moves > TABLES
        assert memory[-1] < memory[0] * 1.25


async def check(store: Storage, week: Week) -> None:
    """Check that every game goes on or has ended, and that no deadline was lost, doubled or missed."""
    waiting = {row.table_id for row in await stored(store)}
    lateness: list[tuple[int, float]] = []
    ends: Counter[str] = Counter()
    for table in week.tables:
        lines = await store.events(table)
        log = [(line.at, events.decode(line.kind, line.body)) for line in lines]
        room = await store.load(table)
        assert room is not None
        assert (room.row.status == "playing") == (table in waiting), table
        ends[room.row.status] += 1
        lateness += met(log)
    most = max((late for _, late in lateness_outside(lateness, week.downs)), default=0.0)
    print(f"{dict(ends)}, {len(lateness)} deadlines met, the latest after {most:.2f} s")
    assert set(ends) <= {"playing", "over"}
    assert not SOAK or most <= _LATE_S


def met(log: list[tuple[int, Any]]) -> list[tuple[int, float]]:
    """Return when each deadline was due and how late it was met; check that each was warned of before, and once."""
    found: list[tuple[int, float]] = []
    deadline: Deadline | None = None
    for at, event in log:
        match event:
            case Start():
                deadline = None
            case Deadline():
                is_same = deadline is not None and (deadline.seat, deadline.due) == (event.seat, event.due)
                assert not (is_same and deadline is not None and deadline.warned), "warned twice"
                deadline = event
            case BotControl(on=True) | TimeLost():
                assert deadline is not None
                assert (deadline.seat, deadline.warned) == (event.seat, True)
                assert at >= deadline.due
                found.append((deadline.due, (at - deadline.due) / 1000))
                deadline = None
    return found


def lateness_outside(lateness: list[tuple[int, float]], downs: list[tuple[int, int]]) -> list[tuple[int, float]]:
    """Return the deadlines that were due while a server ran."""
    return [(due, late) for due, late in lateness if not any(since <= due <= until for since, until in downs)]
