"""Sleeping games by days: what 100,000 of them cost a server that starts, and that looks for deadlines.

    python benchmarks/sleeping.py [--games N] [--due N]

Some games are begun as people begin them; the rest are copies of their rows, which nobody will ever load. All wait
for a person. Prints the memory of a process that serves them, the time of the start, of a look when nothing is due,
and of a look that meets deadlines.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

import msgspec
import psutil

from quadriga.server.people.people import People
from quadriga.server.protocol.requests import Create, Join
from quadriga.server.rooms.registry import Registry
from quadriga.server.seats.tokens import Tokens
from quadriga.server.settings import Settings
from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import now

DAY_MS = 86_400_000
LOOKS = 50


async def serving(path: Path) -> Registry:
    """Open a store as a server does at its start; a look is made only when it is asked for."""
    settings = Settings(store=path, sweep=1e6)
    store = await open_store(path)
    registry = Registry(store, await Tokens.of(store), await People.of(store), settings)
    registry.open()
    return registry


async def begin(registry: Registry, count: int) -> list[str]:
    """Begin games by days of Ur between two people, and unload them."""
    found = []
    asked = {"game": "ur", "name": "Ann", "seats": [{"kind": "me"}, {"kind": "open"}], "days": {"days": 7}}
    for _ in range(count):
        room, token = await registry.create(msgspec.convert(asked, Create))
        await registry.join(room, Join(name="Bob"), None)
        await registry.start(room, token)
        found.append(room.state.id)
        registry.unload(room)
    return found


def copy(path: Path, table: str, count: int) -> None:
    """Fill a store with copies of the rows of a game, each with an id of its own."""
    with closing(sqlite3.connect(path)) as disk:
        for name in ("tables", "heads", "log", "games", "deadlines"):
            columns = [row[1] for row in disk.execute(f"PRAGMA table_info({name})")]
            own = "id" if name == "tables" else "table_id"
            values = ", ".join("'copy-' || n.n" if column == own else f"s.{column}" for column in columns)
            if name == "heads":
                values = values.replace("s.number", "0")  # a trigger moves it with every event that is inserted
            disk.execute(
                f"WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?) "
                f"INSERT INTO {name} SELECT {values} FROM n, {name} s WHERE s.{own} = ? "
                + ("ORDER BY n.n, s.number" if name == "log" else ""),
                (count, table),
            )
        disk.commit()


def make_due(path: Path, tables: list[str]) -> None:
    """Let the warnings of some games be due."""
    with closing(sqlite3.connect(path)) as disk:
        disk.executemany("UPDATE deadlines SET due = ? WHERE table_id = ?", [(now(), table) for table in tables])
        disk.commit()


async def main() -> None:
    """Fill a store, and serve it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--due", type=int, default=100)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tables.sqlite"
        registry = await serving(path)
        tables = await begin(registry, given.due)
        await registry.close()
        before = await measured(path, 0)
        copy(path, tables[0], given.games - given.due)
        after = await measured(path, given.games)
        print(f"{(after - before) / 2**20:+.1f} MB of memory for {given.games:,} games that wait")
        make_due(path, tables)
        registry = await serving(path)
        started, cpu = time.perf_counter(), time.process_time()
        met = await registry.deadlines.sweep()
        took_s, cost_ms = time.perf_counter() - started, 1000 * (time.process_time() - cpu) / met
        print(f"a look that finds {met} games due: {took_s:.2f} s, {cost_ms:.1f} ms of the processor each")
        await registry.close()


async def measured(path: Path, games: int) -> int:
    """Start, look for deadlines, print what it took; return the bytes in memory."""
    started = time.perf_counter()
    registry = await serving(path)
    opened = time.perf_counter() - started
    times = []
    for _ in range(LOOKS):
        started = time.perf_counter()
        assert await registry.deadlines.sweep() == 0
        times.append(1000 * (time.perf_counter() - started))
    used = psutil.Process().memory_info().rss
    print(
        f"{games:,} games: {used / 2**20:.1f} MB of memory, start {1000 * opened:.0f} ms, "
        f"a look {sorted(times)[LOOKS // 2]:.2f} ms, {len(registry.rooms)} games in memory"
    )
    await registry.close()
    return used


if __name__ == "__main__":
    asyncio.run(main())
