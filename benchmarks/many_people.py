"""Lists of games of many people: how long home and history take with 100,000 members and 1,000,000 games.

    python benchmarks/many_people.py [--members N] [--games N] [--store postgresql://...]

Prints the time of each question as the server asks it, without HTTP: the middle one and the 99th of 100.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import msgspec
import sqlalchemy as sa

from quadriga.server.people.codes import DEVICE, hashed, new_secret
from quadriga.server.people.people import People
from quadriga.server.people.person import MEMBER, Person
from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import Storage
from quadriga.server.storage.people_schema import GAMES, PEOPLE, PLAYERS, SESSIONS

KINDS = {"ur": 2, "ave-caesar": 4, "ben-hvrt": 4}
ROWS = 20_000  # in one transaction
ASKED = 1000  # people whose lists are asked for
OPEN = 0.02  # of the games are not over


async def fill(store: Storage, members: int, games: int) -> list[str]:
    """Fill a store with members and their games; return the secrets of some of them."""
    rng = random.Random(1)
    secrets = [new_secret(DEVICE) for _ in range(ASKED)]

    def people(connection: sa.Connection) -> None:
        rows = [
            {
                "id": f"p{n}",
                "created": n,
                "seen": n,
                "role": MEMBER,
                "name": f"Name {n}",
                "look": f"n{n}",
                "public": True,
            }
            for n in range(members)
        ]
        connection.execute(PEOPLE.insert(), rows)
        sessions = [
            {"id": f"s{n}", "person_id": f"p{n}", "kind": DEVICE, "label": "", "created": n, "seen": 2**42}
            | {"hash": hashed(secret), "renewed": 2**42}
            for n, secret in enumerate(secrets)
        ]
        connection.execute(SESSIONS.insert(), sessions)

    await store.transact(people)
    for first in range(0, games, ROWS):
        rooms: list[dict[str, object]] = []
        players: list[dict[str, object]] = []
        for n in range(first, min(first + ROWS, games)):
            kind = rng.choice(list(KINDS))
            # Some people play a hundred times as much as others.
            who = {int(members * rng.random() ** 2) for _ in range(KINDS[kind])}
            ended = 0 if rng.random() < OPEN else n + 1
            places = rng.sample(range(1, 5), len(who))
            seats = [["person", f"Name {p}", f"h{p}", None, place] for p, place in zip(who, places, strict=True)]
            room = {"table_id": f"t{n}", "game": kind, "changed": n, "turn": 0, "seats": msgspec.json.encode(seats)}
            rooms.append({**room, "status": "over" if ended else "playing"})
            players += [
                {"person_id": f"p{p}", "table_id": f"t{n}", "holder": f"h{p}", "game": kind, "seats": len(seats)}
                | {"created": n, "ended": ended, "place": place if ended else None}
                for p, place in zip(who, places, strict=True)
            ]

        await store.transact(partial(insert, rooms, players))
        print(f"\r{min(first + ROWS, games):,} of {games:,} games", end="", flush=True)
    print()
    return secrets


def insert(rooms: list[dict[str, object]], players: list[dict[str, object]], connection: sa.Connection) -> None:
    """Insert games and their people."""
    connection.execute(GAMES.insert(), rooms)
    connection.execute(PLAYERS.insert(), players)


async def measure(name: str, ask: Callable[[int], Awaitable[object]]) -> None:
    """Ask for many people, one after the other; print the middle and the 99th of 100 times."""
    times = []
    for n in range(ASKED):
        started = time.perf_counter()
        await ask(n)
        times.append(1000 * (time.perf_counter() - started))
    times.sort()
    print(f"{name:32} {times[len(times) // 2]:7.2f} ms {times[len(times) * 99 // 100]:7.2f} ms")


async def main() -> None:
    """Fill a store, and ask it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--members", type=int, default=100_000)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--store", default="", help="a new database of PostgreSQL; a temporary file without it")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = await open_store(given.store or Path(folder) / "people.sqlite")
        people = await People.of(store)
        secrets = await fill(store, given.members, given.games)
        persons = [Person(f"p{n}", 0, MEMBER, f"Name {n}", True, False) for n in range(ASKED)]
        if not given.store:
            size = sum(each.stat().st_size for each in Path(folder).iterdir())
            print(f"{size / given.games:.0f} bytes a game, members included")
        print(f"{'':32} {'middle':>10} {'99 of 100':>10}")
        history = people.history
        await measure("who is asking", lambda n: people.devices.visitor(secrets[n]))
        await measure("home: games that are not over", lambda n: history.open_games(persons[n]))
        await measure("history: the last 50", lambda n: history.finished(persons[n]))
        await measure("history: the last 50 of Ur", lambda n: history.finished(persons[n], "ur"))
        await measure(
            "history: 50 in the middle", lambda n: history.finished(persons[n], None, (given.games // 2, ""))
        )
        await measure("results", lambda n: history.results(persons[n]))
        await store.close()


if __name__ == "__main__":
    asyncio.run(main())
