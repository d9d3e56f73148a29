"""Lists of games of many people: how long home and history take with 100,000 members and 1,000,000 games.

    python benchmarks/many_people.py [--members N] [--games N] [--store FILE | postgresql://...]

Prints the time of each question as the server asks it, without HTTP: the middle one and the 99th of 100. Those who
ask are the hundredth of the members who play most. A store that is named is kept, and not filled again.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import msgspec
import sqlalchemy as sa

from quadriga.server.people.accounts import DAY_MS
from quadriga.server.people.codes import DEVICE, hashed
from quadriga.server.people.history import Filter
from quadriga.server.people.people import People
from quadriga.server.people.person import MEMBER, Person
from quadriga.server.settings import store_address
from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import Storage
from quadriga.server.storage.people_schema import GAMES, PEOPLE, PLAYERS, SESSIONS

KINDS = {"ur": 2, "ave-caesar": 4, "ben-hvrt": 4}
ROWS = 20_000  # in one transaction
ASKED = 1000  # people whose lists are asked for
OPEN = 0.02  # of the games are not over
BEGIN, APART = 1_700_000_000_000, 90_000  # milliseconds: when the first game ended, and the next one after it


def secret(number: int) -> str:
    """Return the secret of a member's device."""
    return f"qd_{number:043}"


async def fill(store: Storage, members: int, games: int) -> None:
    """Fill a store with members and their games."""
    rng = random.Random(1)

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
            | {"hash": hashed(secret(n)), "renewed": 2**42}
            for n in range(ASKED)
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
            changed = BEGIN + APART * n
            ended = 0 if rng.random() < OPEN else changed
            places = rng.sample(range(1, 5), len(who))
            seats = [["person", f"Name {p}", f"h{p}", None, place] for p, place in zip(who, places, strict=True)]
            room = {
                "table_id": f"t{n}",
                "game": kind,
                "changed": changed,
                "turn": 0,
                "seats": msgspec.json.encode(seats),
            }
            rooms.append({**room, "status": "over" if ended else "playing"})
            players += [
                {"person_id": f"p{p}", "table_id": f"t{n}", "holder": f"h{p}", "game": kind, "seats": len(seats)}
                | {"created": changed, "ended": ended, "place": place if ended else None}
                for p, place in zip(who, places, strict=True)
            ]

        await store.transact(partial(insert, rooms, players))
        print(f"\r{min(first + ROWS, games):,} of {games:,} games", end="", flush=True)
    print()


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


async def size_of(store: Storage, address: Path | str) -> int:
    """Return the bytes of a store on the disk."""
    if isinstance(address, Path):
        return sum(each.stat().st_size for each in address.parent.glob(f"{address.name}*"))
    ((size,),) = await store.read(sa.select(sa.func.pg_database_size(sa.func.current_database())))
    return int(size)


async def main() -> None:
    """Fill a store, and ask it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--members", type=int, default=100_000)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--store", default="", help="a file or a database; a temporary file without it")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        address = store_address(given.store or f"{folder}/people.sqlite")
        store = await open_store(address)
        people = await People.of(store)
        if not await store.read(sa.select(PEOPLE.c.id).limit(1)):
            await fill(store, given.members, given.games)
        print(f"{await size_of(store, address) / given.games:.0f} bytes a game, members included")
        print(f"{'':32} {'middle':>10} {'99 of 100':>10}")
        await ask(people, given.games)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{memory:.0f} MB of memory at most")
        await store.close()


async def ask(people: People, games: int) -> None:
    """Ask as the page does, for many members."""
    persons = [Person(f"p{n}", 0, MEMBER, f"Name {n}", True, False) for n in range(ASKED)]
    history = people.history
    middle = BEGIN + APART * games // 2

    async def listed(wanted: Filter, n: int) -> object:
        return await history.finished(persons[n], wanted)

    await measure("who is asking", lambda n: people.devices.visitor(secret(n)))
    await measure("home: games that are not over", lambda n: history.open_games(persons[n]))
    await measure("history: the last 50", partial(listed, Filter()))
    await measure("history: of one game", partial(listed, Filter("ur")))
    await measure("history: won", partial(listed, Filter(place=1)))
    await measure("history: without a result", partial(listed, Filter(place=0)))
    await measure("history: with somebody", partial(listed, Filter(others=["Name 1"])))
    await measure("history: with nobody", partial(listed, Filter(others=["Nobody"])))
    await measure("history: a year", partial(listed, Filter(since=middle, until=middle + 365 * DAY_MS)))
    await measure("history: 50 in the middle", lambda n: history.finished(persons[n], before=(middle, "")))
    await measure("results", lambda n: history.results(persons[n]))
    await measure("results by months", lambda n: history.months(persons[n], middle))


if __name__ == "__main__":
    asyncio.run(main())
