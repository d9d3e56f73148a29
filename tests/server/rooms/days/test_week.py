"""A week of games by days: people sleep, stay away, go on vacation and change devices, and servers are killed.

On PostgreSQL there are two servers.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import sqlalchemy as sa

from quadriga.server.notices.lanes import AT_ONCE
from quadriga.server.state import events
from quadriga.server.state.day_events import Deadline, TimeLost
from quadriga.server.state.events import BotControl, Start
from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import Storage
from quadriga.server.storage.notices_schema import CHANNELS, OUTBOX
from server.rooms.days.support import stored
from server.rooms.days.week import Memory, Week
from server.support.receivers import Got, Receiver, receiving
from soak import SOAK, count

PEOPLE = count(4, 500, "WEEK_PEOPLE")
TABLES = count(6, 2000, "WEEK_TABLES")
DAYS = count(3, 7, "WEEK_DAYS")
KILLS = count(2, 10, "WEEK_KILLS")
_CALM = 4  # days at the end without kills: one to warm up, and those in which the memory is measured
_LATE_S = 60.0  # of the week
_GROWTH = 1.15  # of the memory after the day to warm up; it stays below that for weeks
_HOUR_MS = 3_600_000


async def test_a_week_of_games_by_days(tmp_path: Path):
    rng = random.Random(7)
    kills = [rng.uniform(0.2, max(1, DAYS - _CALM)) for _ in range(KILLS)]
    week = Week(tmp_path, DAYS, PEOPLE)
    began = time.monotonic()
    try:
        async with receiving() as hook:
            check_hours(hook, week)
            await week.begin(TABLES, hook)
            await week.pass_by(kills)
            await week.close()
    finally:
        week.kill()
    moves = sum(each.moves for each in week.people)
    cost_ms = week.cpu_s / TABLES / DAYS * 1000
    print(f"\n{TABLES} games, {DAYS} days in {time.monotonic() - began:.0f} s, {moves} moves of people")
    print(f"{cost_ms:.1f} ms of the processor for a game and day")
    store = await open_store(week.store)
    try:
        await check_games(store, week)
        await check_notices(store, hook)
    finally:
        await store.close()
    assert moves > TABLES
    if SOAK:
        check_memory(week.memory[1:])


def check_memory(measured: list[Memory]) -> None:
    """Check that the servers hold no more after some days than after one."""
    first, last = measured[0], measured[-1]
    print(f"{(last.bytes - first.bytes) / (last.day - first.day) / 1e6:.2f} MB more a day")
    assert last.objects < first.objects * _GROWTH
    assert last.bytes < first.bytes * _GROWTH


def check_hours(hook: Receiver, week: Week) -> None:
    """Check of each notice that comes that its receiver is not in their quiet hours."""

    def check(got: Got) -> None:
        person = week.people[int(urlsplit(got.path).path.strip("/"))]
        hours = {datetime.fromtimestamp((week.clock.now() - ago) / 1000, UTC).hour for ago in (0, 60_000)}
        assert not hours <= set(person.quiet), "told in the quiet hours"

    hook.on_request = check


async def check_games(store: Storage, week: Week) -> None:
    """Check that every game goes on or has ended, and that no deadline was lost, doubled or missed."""
    waiting = {row.table_id for row in await stored(store)}
    lateness: list[float] = []
    ends: Counter[str] = Counter()
    for table in week.tables:
        lines = await store.events(table)
        room = await store.load(table)
        assert room is not None
        assert (room.row.status == "playing") == (table in waiting), table
        ends[room.row.status] += 1
        lateness += met([(line.at, events.decode(line.kind, line.body)) for line in lines])
    most = max(lateness, default=0.0)
    print(f"{dict(ends)}, {len(lateness)} deadlines met, the latest after {most:.2f} s")
    assert set(ends) <= {"playing", "over"}
    assert lateness, "nobody was late: this week tells nothing about deadlines"
    assert most <= _LATE_S


def met(log: list[tuple[int, Any]]) -> list[float]:
    """Return how late each deadline was met; check that each was warned of before, and once."""
    found: list[float] = []
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
                found.append((at - deadline.due) / 1000)
                deadline = None
    return found


async def check_notices(store: Storage, hook: Receiver) -> None:
    """Check that nobody was told anything twice, and that only kills between marking and sending lost a notice."""
    columns = CHANNELS.c.address, OUTBOX.c.table_id, OUTBOX.c.state
    rows = await store.read(sa.select(*columns).join(CHANNELS, CHANNELS.c.id == OUTBOX.c.channel_id))
    states = Counter(state for _, _, state in rows)
    marked = Counter(
        (urlsplit(address).path, f"/t/{table}") for address, table, state in rows if state != "waiting"
    )
    told = Counter((got.path, urlsplit(got.headers["click"]).path) for got in hook.got)
    several = sum(times for (_, page), times in told.items() if page == "/games")
    print(f"{len(hook.got)} notices, {several} of them of several games; all by their state: {dict(states)}")
    assert states["sending"] <= KILLS * AT_ONCE
    assert not states["failed"]
    assert all(times <= marked[who, page] for (who, page), times in told.items() if page != "/games")
    assert told.total() <= marked.total()
