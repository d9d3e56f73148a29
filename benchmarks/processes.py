"""Several processes: SQLite and PostgreSQL, one and two servers, viewers at another server, the cost of pub/sub."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

import uvloop

from measure import Row, number
from served import Served, processor_seconds
from sockets import Peer, connected
from table import PATIENCE, READ, GameRoom, Meter, Room

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from server.support.services import Postgres, Redis

TITLE = "Several processes"
ABOUT = """
Bots of a client process play Ur (Finkel, two players) through real sockets at 16 tables of each server, as in
"The server". PostgreSQL and Redis run on the same machine with their defaults (synchronous commits). The
processor is that of the servers, a move; that of PostgreSQL stands in a row of its own. All sides are measured
in turn in one run. The processor a move falls with the rate: more moves share a commit. So one and two servers
are compared with pauses between the moves, at the same rate for each server. Client, servers, PostgreSQL and
Redis share two cores with other programs: compare processor times; rates and latency are bounds. Two rounds
were measured; a gain above 2 from a second server is noise. Latency is from sending a move to its arrival, at a
low rate; "apart" is a viewer at another server than the player.
"""
SECONDS, WARM, ROUNDS, TABLES = 4.0, 1.0, 2, 16
PACE = 0.3  # seconds between two moves at a table, on average
SLOW = 2.0  # ... for latency
SERVE = """
import sys
from quadriga.engine.text import catalogues
from quadriga.server.run import run
from quadriga.server.settings import Settings, store_address
most = 1e9
names = ("rate", "burst", "requests", "request_burst", "creates", "create_burst", "joins", "join_burst", "tables")
names += ("tables_each", "connections", "connections_each", "sockets", "sockets_each", "looks", "look_burst")
more = dict.fromkeys(names, most)
settings = Settings(port=0, store=store_address(sys.argv[1]), pubsub=sys.argv[2], keep_seconds=3600, **more)
run(settings, catalogues.of("en", "quadriga.server"), exact=True, browser=False)
"""


class Figures(NamedTuple):
    """The figures of one run."""

    rate: float
    processor: float  # microseconds of the servers a move
    database: float  # microseconds of PostgreSQL a move


class WatchedRoom(GameRoom):
    """A table with a watcher, whose delay is measured apart."""

    watched: list[float]

    def seen(self, frame: bytes) -> None:
        """Note when the watcher has received a move."""
        if READ(frame).type == "news":
            self.watched.append(time.perf_counter() - self.sent)


Place = Callable[[int], Served]  # the server of a table, by its number


def _watched(room: WatchedRoom, peer: Peer, frame: bytes) -> None:
    room.seen(frame)


async def tables(place: Place, meter: Meter, watch: Place | None = None, count: int = TABLES) -> list[Room]:
    """Return tables at which all seats are taken and nobody has moved, two for each that is played at."""
    rooms: list[Room] = []
    spare: list[Room] = []
    for n in range(2 * count):
        served = place(n)
        room = WatchedRoom(meter, 2, random.Random(n), spare)
        room.watched = []
        body = {"game": "ur", "options": {"rules": "finkel"}, "name": "Bot", "pace": 0}
        made = served.post("/api/tables", {**body, "seats": [{"kind": "me"}, {"kind": "open"}]})
        table, tokens = made["table"]["id"], [made["token"]]
        tokens.append(served.post(f"/api/tables/{table}/join", {"name": "Bot"})["token"])
        path = f"/api/tables/{table}/socket"
        for seat, token in enumerate(tokens):
            peer = await connected(served.port, path, partial(room.heard, seat))
            room.peers.append(peer)
            peer.say(json.dumps({"type": "hello", "token": token, "seat": seat, "explain": False}).encode())
        served.post(f"/api/tables/{table}/start", {}, tokens[0])
        if watch is not None:
            watcher = await connected(watch(n).port, path, partial(_watched, room))
            watcher.say(b'{"type":"hello","explain":false}')
            room.peers.append(watcher)
        while not room.due:
            await asyncio.sleep(0.001)
        (rooms if n < count else spare).append(room)
    return rooms


async def played(servers: list[Served], database: int | None, pause: float) -> Figures:
    """Play at all servers with pauses between the moves of a table, and return the figures of the measured time."""
    meter = Meter()
    meter.pause = pause
    async with asyncio.timeout(5 * PATIENCE):
        rooms = await tables(lambda n: servers[n % len(servers)], meter, count=TABLES * len(servers))
    for room in rooms:
        room.begin()
    await asyncio.sleep(WARM)
    meter.clear()

    def used() -> tuple[float, float]:
        return sum(server.seconds() for server in servers), processor_seconds(database) if database else 0.0

    begun, before = time.perf_counter(), used()
    await asyncio.sleep(SECONDS)
    spent, after, moves = time.perf_counter() - begun, used(), meter.moves
    return Figures(moves / spent, *((b - a) / moves * 1e6 for a, b in zip(before, after, strict=True)))


async def delays(player: Served, viewer: Served) -> tuple[float, float, float]:
    """Return the delay of a move to the other player, and to a watcher: its median and 99th percentile."""
    meter = Meter()
    meter.pause = SLOW
    async with asyncio.timeout(5 * PATIENCE):
        rooms = await tables(lambda n: player, meter, lambda n: viewer, count=8)
    for room in rooms:
        room.begin()
    await asyncio.sleep(4 * SECONDS)
    seen = sorted(each for room in rooms if isinstance(room, WatchedRoom) for each in room.watched)
    return median(meter.times), median(seen), seen[int(len(seen) * 0.99)]


def middle(figures: list[Figures]) -> Figures:
    return Figures(*(median(column) for column in zip(*figures, strict=True)))


def rows() -> Iterator[Row]:
    postgres, redis = Postgres().start(), Redis().start()
    assert postgres.process is not None
    pid = postgres.process.pid

    def run(number_of_servers: int, pubsub: str = "", is_file: bool = False, pause: float = PACE) -> Figures:
        with tempfile.TemporaryDirectory() as folder:
            store = f"{folder}/tables.sqlite" if is_file else postgres.new_database()
            servers = [Served(SERVE, store, pubsub) for _ in range(number_of_servers)]
            try:
                return uvloop.run(played(servers, None if is_file else pid, pause))
            finally:
                for server in servers:
                    server.stop()

    try:
        taken = [
            (
                run(1, is_file=True, pause=0.0),
                run(1, pause=0.0),
                run(1, is_file=True),
                run(1),
                run(1, redis.url),
                run(2, redis.url),
            )
            for _ in range(ROUNDS)
        ]
        full_sqlite, full, sqlite, plain, hinted, two = (
            middle(list(column)) for column in zip(*taken, strict=True)
        )
        yield _rate("moves without pauses, PostgreSQL; peer: SQLite", full, full_sqlite)
        yield _processor("... the server's processor a move", full, full_sqlite)
        yield Row("... PostgreSQL's own processor a move", f"{full.database:.0f} µs")
        yield _processor(f"with pauses ({number(plain.rate)}/s), PostgreSQL; peer: SQLite", plain, sqlite)
        yield Row("... PostgreSQL's own processor a move", f"{plain.database:.0f} µs")
        yield _processor(f"... with Redis ({number(hinted.rate)}/s); peer: without", hinted, plain)
        yield _processor(f"... two servers ({number(two.rate)}/s); peer: one", two, hinted)
        gain = 2 * hinted.processor / two.processor
        yield Row("... two servers to one, by processor time", f"{gain:.2f}×")
        database = postgres.new_database()
        servers = [Served(SERVE, database, redis.url) for _ in range(2)]
        try:
            same, apart = (uvloop.run(delays(servers[0], each)) for each in servers)
        finally:
            for server in servers:
                server.stop()
        yield Row("a move to the other player at the same server: p50", f"{same[0] * 1e3:.1f} ms")
        yield Row(
            "a move to a viewer apart; peer: at the same server: p50, p99",
            f"{apart[1] * 1e3:.1f} ms, {apart[2] * 1e3:.1f} ms",
            f"{same[1] * 1e3:.1f} ms, {same[2] * 1e3:.1f} ms",
        )
    finally:
        redis.kill()
        postgres.close()


def _rate(what: str, ours: Figures, theirs: Figures) -> Row:
    ratio = f"{ours.rate / theirs.rate:.2f}×"
    return Row(what, f"{number(ours.rate)}/s", f"{number(theirs.rate)}/s", ratio)


def _processor(what: str, ours: Figures, theirs: Figures) -> Row:
    ratio = f"{theirs.processor / ours.processor:.2f}×"
    return Row(what, f"{ours.processor:.0f} µs", f"{theirs.processor:.0f} µs", ratio)
