"""What old games cost: size in the log and in the archive, the time to pack and to open one, backups, vacuum.

    python benchmarks/archive.py STORE [--games N] [--old N] [--at FILE]

STORE has finished games, which are copied with other ids: as many as `--games` into the log, from which the
archiver packs them, and `--old` of them straight into the archive. Of these, one in a hundred can be opened; the
others have no true hash, which would take most of the time. STORE is only read.

With `--at` the old games are kept in a file. It can be interrupted, and goes on from there. A million games take
6 GB, and three times that while backups are measured. Times are given by the clock and of the processor.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any

from quadriga.engine.errors import QuadrigaError
from quadriga.server.seats.tokens import new_id
from quadriga.server.state import verify
from quadriga.server.state.replaying import replay
from quadriga.server.storage import backup
from quadriga.server.storage.address import open_store
from quadriga.server.storage.archive.packing import pack
from quadriga.server.storage.base import LoadedRoom, Storage
from quadriga.server.storage.chain import first_hash, next_hash
from quadriga.server.storage.difference import make
from quadriga.server.upkeep import archiver

_OPENED = 50
_PER_COMMIT = 10_000
_A_DAY = 1_000  # games
_KEPT = ("games", "players", "results", "result_players", "rated", "chat")  # beside the log


class Sizes:
    """The size of a store's file as it grows."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def now(self) -> int:
        with closing(sqlite3.connect(self.path)) as disk:
            disk.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return self.path.stat().st_size


def finished(path: Path) -> list[tuple[str, Any]]:
    """Return the ids and games of the finished games of a store."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as disk:
        chosen = "SELECT table_id, game FROM games WHERE status = 'over' ORDER BY game"
        return disk.execute(chosen).fetchall()


def renamed(room: LoadedRoom, is_true: bool = True) -> LoadedRoom:
    """Return a copy of a room with another id, whose chain is true or only as long."""
    row = room.row._replace(id=new_id())
    events, digest = [], first_hash(row)
    if not is_true:
        return room._replace(row=row, head=room.head._replace(hash=os.urandom(16)))
    for event in room.events:
        digest = next_hash(digest, event.number, event.at, event.kind, event.body)
        events.append(event._replace(hash=digest))
    return LoadedRoom(row, room.head._replace(hash=digest), events, [], 0)


async def opening(store: Storage, rooms: list[str]) -> float:
    """Return the median time to load and replay a room, in milliseconds."""
    times = []
    for room_id in rooms:
        began = time.perf_counter()
        room = await store.load(room_id)
        assert room is not None
        replay(room)
        times.append(time.perf_counter() - began)
    return 1000 * median(times)


async def measure_packing(path: Path, source: Path, games: int) -> None:
    """Print what a game costs in the log and in the archive, each kind of game by itself."""
    rng = random.Random(7)
    by_game: dict[str, list[str]] = {}
    for room_id, game in finished(source):
        by_game.setdefault(game, []).append(room_id)
    old = await open_store(source)
    for game, known in by_game.items():
        fresh = path.with_name(f"{game}.sqlite")
        store, sizes = await open_store(fresh), Sizes(fresh)
        empty, names, events = sizes.now(), [], 0
        for number in range(games):
            room = await old.load(known[number % len(known)])
            assert room is not None
            copied = renamed(room)
            await store.copy_room(copied, [])
            names.append(copied.row.id)
            events += len(copied.events)
        plain = sizes.now()
        sample = rng.sample(names, min(_OPENED, games))
        before = await opening(store, sample)
        began = time.perf_counter()
        for name in names:
            assert await archiver.archive(store, name)
        took = time.perf_counter() - began
        after = await opening(store, sample)
        await store.close()
        free = sizes.now()
        began = time.perf_counter()
        with closing(sqlite3.connect(fresh)) as disk:
            disk.execute("VACUUM")
        vacuum, packed = time.perf_counter() - began, sizes.now()
        print(
            f"{game}: {events / games:.0f} events; {(plain - empty) / games / 1000:.1f} KB in the log, "
            f"{(packed - empty) / games / 1000:.2f} KB archived (file before vacuum {free / plain:.2f} of the old "
            f"one, vacuum {vacuum:.1f} s); packed in {1000 * took / games:.1f} ms each; "
            f"opened in {before:.1f} ms from the log, {after:.1f} ms from the archive"
        )
    await old.close()


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print how long a step takes."""
    began, used = time.perf_counter(), time.process_time()
    yield
    took, of_processor = time.perf_counter() - began, time.process_time() - used
    print(f"{what}: {took:.1f} s, {of_processor:.1f} s of the processor", flush=True)


class Copies:
    """Writes copies of finished games into the archive of a store."""

    def __init__(self, source: Path, rooms: list[LoadedRoom]) -> None:
        self._rooms = [(room, pack(room.row, room.events)) for room in rooms]
        self._beside: dict[str, list[list[tuple[Any, ...]]]] = {}  # rows of tables beside the log, by room
        self._places: dict[str, int] = {}  # of the room's id in such a row
        self.body_bytes = sum(len(packed) for _, packed in self._rooms) / len(self._rooms)
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as disk:
            for table in _KEPT:
                names = [row[1] for row in disk.execute(f"PRAGMA table_info({table})")]
                self._places[table] = names.index("table_id")
                chosen = f"SELECT * FROM {table} WHERE table_id = ?"
                self._beside[table] = [disk.execute(chosen, [room.row.id]).fetchall() for room in rooms]

    def write(self, disk: sqlite3.Connection, first: int, count: int) -> None:
        """Write some games in one transaction; each hundredth of all has a true hash."""
        rows: dict[str, list[tuple[Any, ...]]] = {}
        for number in range(first, first + count):
            which = number % len(self._rooms)
            room, packed = self._rooms[which]
            copied = renamed(room, is_true=number % 100 == 0)
            row, head = copied.row, copied.head
            body = pack(row, copied.events) if copied.events is not room.events else packed
            rows.setdefault("tables", []).append(tuple(row))
            rows.setdefault("heads", []).append((row.id, *head))
            rows.setdefault("archive", []).append((row.id, *head, body))
            for table, place in self._places.items():
                for each in self._beside[table][which]:
                    rows.setdefault(table, []).append((*each[:place], row.id, *each[place + 1 :]))
        disk.execute("BEGIN")
        for table, values in rows.items():
            holes = ", ".join("?" * len(values[0]))
            values.sort(key=lambda value: str(value[0]))
            disk.executemany(f"INSERT INTO {table} VALUES ({holes})", values)
        disk.execute("COMMIT")


def written(disk: sqlite3.Connection) -> int:
    """Return the number of games in an archive."""
    return int(disk.execute("SELECT count(*) FROM heads").fetchone()[0])


async def measure_many(path: Path, source: Path, count: int) -> None:
    """Print what a large archive costs."""
    old = await open_store(source)
    rooms = [room for each, _ in finished(source) if (room := await old.load(each)) is not None]
    await old.close()
    copies = Copies(source, rooms)
    await (await open_store(path)).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as disk, timed("written"):
        for setting in ("foreign_keys=OFF", "synchronous=OFF", "cache_size=-1500000"):
            disk.execute(f"PRAGMA {setting}")
        while (done := written(disk)) < count:
            copies.write(disk, done, min(_PER_COMMIT, count - done))
    size = Sizes(path).now()
    print(f"{count:,} games: {size / count / 1000:.2f} KB each, {copies.body_bytes / 1000:.2f} KB of it the log")
    await measure_opening(path)
    measure_backups(path, copies)
    with timed("vacuum"), closing(sqlite3.connect(path)) as disk:
        disk.execute("VACUUM")
    print(f"after it: {Sizes(path).now() / 1e9:.2f} GB")


async def measure_opening(path: Path) -> None:
    """Print how long it takes to open a game of a large archive, and what a step of the archiver takes."""
    with closing(sqlite3.connect(path)) as disk:
        known = [row[0] for row in disk.execute("SELECT table_id FROM heads ORDER BY random() LIMIT 8000")]
    store, names = await open_store(path), []
    for each in known:
        with suppress(QuadrigaError):  # one without a true hash
            await store.load(each)
            names.append(each)
        if len(names) == _OPENED:
            break
    print(f"opened in {await opening(store, names):.1f} ms", flush=True)
    with timed("a step of the archiver"):
        await archiver.next_step(store, "", 0)
    await store.close()


def measure_backups(path: Path, copies: Copies) -> None:
    """Print what a whole backup costs, a difference to it a day of games later, and a restore that is tried."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        whole, difference = Path(folder) / "whole.sqlite", Path(folder) / "difference"
        with timed("a whole backup"):
            backup.backup(path, whole)
        print(f"... of {whole.stat().st_size / 1e9:.2f} GB")
        with closing(sqlite3.connect(path, isolation_level=None)) as disk:
            disk.execute("PRAGMA foreign_keys=OFF")
            copies.write(disk, written(disk), _A_DAY)
        with timed(f"a difference after {_A_DAY} more games"):
            make(path, whole, difference)
        print(f"... of {difference.stat().st_size / 1e6:.1f} MB")
        with timed("a restore that is tried"):
            verify.try_backup(whole)


def main() -> None:
    """Read the arguments, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path, help="a store with finished games")
    parser.add_argument("--games", type=int, default=300, help="of each kind, that are packed")
    parser.add_argument("--old", type=int, default=100_000, help="that are put into the archive")
    parser.add_argument("--at", type=Path, help="where they are kept")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if asked.games:
            asyncio.run(measure_packing(Path(folder) / "packed.sqlite", asked.store, asked.games))
        asyncio.run(measure_many(asked.at or Path(folder) / "many.sqlite", asked.store, asked.old))


if __name__ == "__main__":
    main()
