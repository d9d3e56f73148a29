"""Servers, people and their games in a week that passes as fast as the machine can play it.

All processes go by one clock. It runs like the true one while people play, bots move, deadlines are met or notices
are sent, and jumps to the next moment at which something is due as soon as all that is done. So a second of the
week is a second for the server, and a day has all its hours, however busy the machine is.
"""

from __future__ import annotations

import asyncio
import heapq
import random
import re
import signal
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import sqlalchemy as sa

from quadriga.server.storage.days_schema import DEADLINES
from quadriga.server.storage.notices_schema import OUTBOX
from server.people.test_identity import MANY_PROOFS
from server.rooms.days.habits import DAY_MS, Person, at_once
from server.rooms.days.support import SMALL
from server.support.harness import Server
from server.support.receivers import Receiver
from server.support.services import StoreKind, shared_redis, store_for
from server.support.shared_clock import SharedClock

_SLOT_MS = 1_800_000  # people who look in within it do so at the same time
_TOGETHER_MS = 300_000  # notices that are due within it are sent together
_SETTINGS: dict[str, Any] = {
    **MANY_PROOFS,
    **dict.fromkeys(("accounts", "guests", "proofs", "notice_rate", "notice_burst"), 1e6),
    "sweep": 0.05,  # by the true clock, which the week does not wait for
    "notice_every": 0.05,
    "notice_private": 1,
    "idle": 0.5,
}


class Memory(NamedTuple):
    """What the servers hold while all games sleep."""

    day: float
    bytes: int
    objects: int  # that the garbage collector knows


class Week:
    """One server or two that are killed now and then, their people and tables, and the clock of all of them."""

    def __init__(self, folder: Path, days: int, people: int) -> None:
        self.clock = SharedClock(folder / "clock")
        self.store = store_for(folder / "tables.sqlite")
        pubsub = shared_redis().url if StoreKind.is_postgres else ""
        self.servers = [Server(self.store, pubsub=pubsub, **_SETTINGS) for _ in range(1 + StoreKind.is_postgres)]
        for server in self.servers:
            server.clock = self.clock.path
            server.start()
        driver = f"sqlite:///{self.store}" if isinstance(self.store, Path) else str(self.store)
        engine = sa.create_engine(driver.replace("postgresql:", "postgresql+psycopg:"))
        self._reader = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        self.days = days
        self.people = [Person(number, self.servers, days) for number in range(people)]
        self.tables: list[str] = []
        self.began = self.clock.now()
        self._lost: set[Any] = set()  # notices that nobody sends any more, since a server was killed
        self.cpu_s = 0.0
        self.memory: list[Memory] = []

    @property
    def at_day(self) -> float:
        return (self.clock.now() - self.began) / DAY_MS

    async def begin(self, tables: int, hook: Receiver) -> None:
        """Let everybody arrive, and start games of two people in all three games."""
        await at_once([person.arrive(hook.address, self.began) for person in self.people])
        await at_once([self._create(number) for number in range(tables)])
        self._count_cpu(-1)
        self.began = self.clock.now()

    async def _create(self, number: int) -> None:
        game = list(SMALL)[number % 3]
        options, seats = SMALL[game]
        one, two = (person.devices[0] for person in random.Random(number).sample(self.people, 2))
        days = {"days": 1 + number % 2, "late": "lose" if number % 5 == 4 else "bot"}
        table = await one.table(game, seats, options=options, days=days)
        await two.post(f"/api/tables/{table}/join", {"name": "Bob"})
        await one.post(f"/api/tables/{table}/start")
        self.tables.append(table)

    async def pass_by(self, kills: list[float]) -> None:
        """Let the week pass. Kill a server at these days, and measure the memory at the end of each other day."""
        looks = [(self._slot(self.began, person), person.number) for person in self.people]
        heapq.heapify(looks)
        deaths = sorted(self.began + round(at * DAY_MS) for at in kills)
        days = [self.began + day * DAY_MS for day in range(1, self.days + 1)]
        rng = random.Random(7)
        while days:
            self.clock.go_to(min(looks[0][0], days[0], *deaths[:1], *self._next_due()))
            work = []
            while looks[0][0] <= self.clock.now():
                at, number = heapq.heappop(looks)
                person = self.people[number]
                heapq.heappush(looks, (self._slot(at, person), number))
                work.append(person.look(self.at_day))
            if deaths and deaths[0] <= self.clock.now():
                deaths.pop(0)
                work.append(self._kill(rng.choice(self.servers)))
            await at_once(work)
            await self._until_quiet()
            if days[0] <= self.clock.now():
                days.pop(0)
                if not deaths:
                    await self._measure()

    async def close(self) -> None:
        """End the servers as a host does: what is being sent is finished."""
        self._count_cpu()
        for server in self.servers:
            await asyncio.to_thread(server.kill, signal.SIGTERM)

    def kill(self) -> None:
        """Kill whatever runs."""
        for server in self.servers:
            server.kill()
        self._reader.close()
        self._reader.engine.dispose()

    def _slot(self, at: int, person: Person) -> int:
        """Return when a person looks in next, after a time."""
        return at + max(1, round(person.pause_ms() / _SLOT_MS)) * _SLOT_MS

    def _next_due(self) -> list[int]:
        """Return when the next deadline and the next notices are due."""
        moments = self._reader.execute(
            sa.select(sa.func.min(DEADLINES.c.due)).union_all(sa.select(sa.func.min(OUTBOX.c.due) + _TOGETHER_MS))
        ).scalars()
        return [moment for moment in moments if moment is not None]

    async def _until_quiet(self) -> None:
        """Wait until no deadline and no notice is due, and no bot has to move."""
        due = DEADLINES.c.due <= sa.bindparam("now"), DEADLINES.c.kind == "bots"
        some = sa.select(DEADLINES.c.table_id).where(sa.or_(*due)).limit(1)
        told = sa.select(OUTBOX.c.table_id).where(OUTBOX.c.due <= sa.bindparam("now")).limit(1)
        while (
            any(self._reader.execute(each, {"now": self.clock.now()}).first() for each in (some, told))
            or self._being_sent() - self._lost
        ):
            await asyncio.sleep(0.01)

    def _being_sent(self) -> set[Any]:
        """Return the notices that are being sent, or were as a server was killed."""
        keys = OUTBOX.c.channel_id, OUTBOX.c.kind, OUTBOX.c.table_id, OUTBOX.c.key
        return set(self._reader.execute(sa.select(*keys).where(OUTBOX.c.state == "sending")).all())

    async def _kill(self, server: Server) -> None:
        """Kill a server in the middle of whatever it does, and start it again."""
        await asyncio.sleep(random.random() / 10)
        used = psutil.Process(server.process.pid).cpu_times()
        self.cpu_s += used.user + used.system
        await asyncio.to_thread(server.kill)
        self._lost |= self._being_sent()
        await asyncio.to_thread(server.start)

    async def _measure(self) -> None:
        """Write down the memory of all servers as soon as no table is in it."""
        for server in self.servers:
            while re.search(r"^quadriga_tables{", await asyncio.to_thread(server.get, "/metrics"), re.M):
                await asyncio.sleep(0.1)
        objects = sum(each.process.objects() for each in self.servers)
        resident = sum(psutil.Process(each.process.pid).memory_info().rss for each in self.servers)
        self.memory.append(Memory(self.at_day, resident, objects))
        print(f"after {self.at_day:.1f} days {resident / 1e6:.1f} MB, {objects} objects", flush=True)

    def _count_cpu(self, sign: int = 1) -> None:
        """Add the time that the running servers have used, or leave it out."""
        for each in self.servers:
            used = psutil.Process(each.process.pid).cpu_times()
            self.cpu_s += sign * (used.user + used.system)
