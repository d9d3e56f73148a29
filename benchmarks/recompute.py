"""How long `quadriga ratings recompute` takes: processor and wall time of reading logs, and of rating.

    python benchmarks/recompute.py STORE [--games N] [--people N] [--logs N]

STORE has finished games of two people with results. Copies of them, by other people and at other times, are put
into a new store: `--games` results, of which `--logs` have a log. STORE is only read.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from quadriga.server.scores.recompute import recompute
from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import StoredRoom
from quadriga.server.storage.chain import first_hash, next_hash

_STEP_MS = 60_000  # between the ends of two games


def _rows(disk: sqlite3.Connection, table: str, room: str) -> list[dict[str, Any]]:
    key = "id" if table == "tables" else "table_id"
    found = disk.execute(f"SELECT * FROM {table} WHERE {key} = ?", (room,))
    names = [each[0] for each in found.description]
    return [dict(zip(names, row, strict=True)) for row in found]


def _put(disk: sqlite3.Connection, table: str, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        names = ", ".join(row)
        disk.execute(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))


def _copied_log(known: dict[str, list[dict[str, Any]]], room: str, shift: int) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of a room and its log, at another time and with a true chain."""
    row = known["tables"][0] | {"id": room}
    stored = StoredRoom(room, row["created"], bool(row["public"]), row["status"], row["setup"])
    digest, lines = first_hash(stored), []
    for line in known["log"]:
        at = line["at"] + shift
        digest = next_hash(digest, line["number"], at, line["kind"], line["body"])
        lines.append(line | {"table_id": room, "at": at, "hash": digest})
    head = {"table_id": room, "number": 0, "hash": first_hash(stored)}  # a trigger moves it on
    return {"tables": [row], "heads": [head], "log": lines}


def fill(source: Path, target: Path, games: int, people: int, logs: int) -> None:
    """Copy finished games into a new store, each with an id, people and a time of its own."""
    rng = random.Random(1)
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        rooms = [row[0] for row in old.execute("SELECT table_id FROM results WHERE seats = 2 AND game = 'ur'")]
        kept = {room: {name: _rows(old, name, room) for name in ("tables", "log", "results")} for room in rooms}
        for number in range(games):
            known, room, shift = kept[rooms[number % len(rooms)]], f"copy{number:08}", number * _STEP_MS
            if number < logs:
                for table, rows in _copied_log(known, room, shift).items():
                    _put(new, table, rows)
            ended = known["results"][0]["ended"] + shift
            _put(new, "results", [known["results"][0] | {"table_id": room, "ended": ended}])
            for seat, who in enumerate(rng.sample(range(people), 2)):
                row = {"table_id": room, "seat": seat, "player": f"p{who}", "key_id": None}
                _put(new, "result_players", [row])
            if number % 1000 == 0:
                new.commit()
        new.execute("INSERT INTO rating_positions VALUES ('ur/2', 0, '')")
        new.commit()


def _processor() -> float:
    """Return the seconds of processor time of this process, and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


async def _make(path: Path) -> None:
    await (await open_store(path)).close()


def main() -> None:
    """Print the times, the first time and again."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=20_000)
    parser.add_argument("--logs", type=int, default=5_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "copies.sqlite"
        asyncio.run(_make(path))
        fill(asked.store, path, asked.games, asked.people, asked.logs)
        for attempt in ("first", "again"):
            marks = [(_processor(), time.perf_counter())]

            def progress(done: int, total: int, marks: list[tuple[float, float]] = marks) -> None:
                if done >= asked.logs and len(marks) == 1:
                    marks.append((_processor(), time.perf_counter()))

            found = recompute(path, progress)
            marks.append((_processor(), time.perf_counter()))
            for what, count, part in (("logs", asked.logs, 0), ("games rated", found.rated, 1)):
                (cpu, wall), (cpu_after, wall_after) = marks[part : part + 2]
                cpu, wall = cpu_after - cpu, wall_after - wall
                each = 1000 * cpu / count
                print(
                    f"{attempt}: {count} {what}: {each:.2f} ms each; {cpu:.1f} s of processor, {wall:.1f} s in all"
                )
            changed = f"{found.results_changed} results, {found.ratings_changed} ratings"
            print(f"{attempt}: changed {changed}; checksum {found.checksum}", flush=True)


if __name__ == "__main__":
    main()
