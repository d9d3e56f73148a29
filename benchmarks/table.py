"""The server: many bot games through real sockets with durable writes, beside a bare Starlette broadcast."""

from __future__ import annotations

import asyncio
import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from statistics import median
from typing import Any

import msgspec
import uvloop

from measure import Row, number
from served import BARE, SERVE, Served
from sockets import Peer, connected

TITLE = "The server"
ABOUT = """
Bots of a client process play through real sockets on loopback. A move counts when it is checked, rolled, on disk
(synchronous=FULL) and sent to all players. The peer is a bare Starlette application that sends frames of the same
size to as many sockets (uvloop, httptools, no deflate) and does nothing else. On both sides all tables are set up
and all seats are taken before the measurement. Client and server share the machine's cores; the processor time is
that of the server alone. Latency is the time from sending a move to its arrival at the last player, at half the
rate of saturation. A move waits for the disk; the time of one write is measured as well. The median round counts.
"""
SECONDS = 2.5
WARM = 1.0  # seconds that do not count
PATIENCE = 120.0  # seconds, for setting tables up
ROUNDS = 3
TABLES = 120
IDLE = 5_000
# Options, players, and how many tables are set up for each that is played at: the next where one is over.
GAMES = {"ur": ({"rules": "finkel"}, 2, 3), "ben-hvrt": ({"series": [6]}, 4, 1)}


class Told(msgspec.Struct):
    """The part of a frame that the measuring client reads."""

    type: str = ""
    number: int = 0
    legal: list[Action] | None = None
    table: State | None = None


class Action(msgspec.Struct):
    text: str
    family: bool = False


class State(msgspec.Struct):
    status: str


READ = msgspec.json.Decoder(Told).decode


class Meter:
    """Counts moves, and times each from its sending to its arrival at the last player."""

    def __init__(self) -> None:
        self.pause = 0.0  # between two moves of a room
        self.ended = asyncio.Event()  # no table is left to play at
        self.clear()

    def clear(self) -> None:
        self.moves = self.bytes = self.frames = 0
        self.times: list[float] = []


class Room:
    """The players of one table."""

    def __init__(self, meter: Meter, seats: int, rng: random.Random, spare: list[Room]) -> None:
        self.meter, self.seats, self.rng, self.spare = meter, seats, rng, spare
        self.waiting = 0
        self.sent = 0.0
        self.peers: list[Peer] = []
        self.due: tuple[Any, ...] = ()  # the first act, until play starts

    def told(self) -> None:
        """Count one more player that has received the move."""
        if self.waiting:
            self.waiting -= 1
            if not self.waiting:
                self.meter.moves += 1
                self.meter.times.append(time.perf_counter() - self.sent)

    def later(self, act: Callable[..., object], *arguments: object) -> None:
        if not self.begun:
            self.due = (act, *arguments)
        elif self.meter.pause:
            wait = self.rng.uniform(0.5, 1.5) * self.meter.pause
            asyncio.get_running_loop().call_later(wait, act, *arguments)
        else:
            act(*arguments)

    begun = False

    def begin(self) -> None:
        """Start to play."""
        self.begun = True
        self.later(*self.due)


class GameRoom(Room):
    """Random bots at a table of our server."""

    def heard(self, seat: int, peer: Peer, frame: bytes) -> None:
        said = READ(frame)
        if said.type == "news":
            self.meter.bytes += len(frame)
            self.meter.frames += 1
            self.told()
        if said.type in ("news", "view") and said.legal:
            texts = [action.text for action in said.legal if not action.family]
            self.later(self.act, peer, said.number, self.rng.choice(texts))
        elif said.table is not None and said.table.status == "over" and self.begun:
            self.begun = False
            if self.spare:
                self.spare.pop().begin()
            else:
                self.meter.ended.set()

    def act(self, peer: Peer, moment: int, text: str) -> None:
        self.sent, self.waiting = time.perf_counter(), self.seats
        peer.say(b'{"type":"act","number":%d,"action":"%s"}' % (moment, text.encode()))


class BareRoom(Room):
    """The same frames from the bare application."""

    def heard(self, seat: int, peer: Peer, frame: bytes) -> None:
        said = READ(frame)
        self.told()
        if not self.waiting:
            self.later(self.act, self.peers[(said.number + 1) % self.seats], said.number + 1)

    def act(self, peer: Peer, moment: int) -> None:
        self.sent, self.waiting = time.perf_counter(), self.seats
        peer.say(b'{"type":"act","number":%d,"action":"4-6"}' % moment)


async def our_rooms(served: Served, game: str, meter: Meter) -> list[Room]:
    """Return tables at which all seats are taken and nobody has moved."""
    options, seats, times = GAMES[game]
    rooms: list[Room] = []
    spare: list[Room] = []
    for count in range(TABLES * times):
        room = GameRoom(meter, seats, random.Random(count), spare)
        body = {"game": game, "options": options, "name": "Bot", "pace": 0}
        body["seats"] = [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]
        made = served.post("/api/tables", body)
        table, tokens = made["table"]["id"], [made["token"]]
        for _ in range(1, seats):
            tokens.append(served.post(f"/api/tables/{table}/join", {"name": "Bot"})["token"])
        for seat, token in enumerate(tokens):
            path = f"/api/tables/{table}/socket"
            peer = await connected(served.port, path, partial(room.heard, seat))
            room.peers.append(peer)
            peer.say(json.dumps({"type": "hello", "token": token, "seat": seat, "explain": False}).encode())
            if game == "ben-hvrt":
                peer.say(b'{"type":"stops","windows":[],"seat":%d}' % seat)
        served.post(f"/api/tables/{table}/start", {}, tokens[0])
        while not room.due:
            await asyncio.sleep(0.001)
        (rooms if count < TABLES else spare).append(room)
    return rooms


async def bare_rooms(served: Served, seats: int, meter: Meter) -> list[Room]:
    """Return rooms of the bare application."""
    rooms: list[Room] = []
    for count in range(TABLES):
        room = BareRoom(meter, seats, random.Random(count), [])
        for seat in range(seats):
            peer = await connected(served.port, f"/r{count}", partial(room.heard, seat))
            room.peers.append(peer)
        room.due = (room.act, room.peers[0], 0)
        rooms.append(room)
    return rooms


class Figures(msgspec.Struct):
    """The figures of one run."""

    rate: float
    p50: float
    p99: float
    processor: float  # microseconds of the server a move
    frame: float


async def measured(served: Served, meter: Meter) -> Figures:
    """Return the figures of the measured time, after a warm-up."""
    await asyncio.sleep(WARM)
    meter.clear()
    meter.ended.clear()
    begun, processor = time.perf_counter(), served.seconds()
    with suppress(TimeoutError):
        await asyncio.wait_for(meter.ended.wait(), SECONDS)
    spent, used, moves = time.perf_counter() - begun, served.seconds() - processor, meter.moves
    times = sorted(meter.times)
    frame = meter.bytes / max(meter.frames, 1)
    return Figures(moves / spent, median(times), times[int(len(times) * 0.99)], used / moves * 1e6, frame)


async def both(served: Served, meter: Meter, rooms: list[Room]) -> tuple[Figures, Figures]:
    """Measure at saturation, and at half of that rate."""
    for room in rooms:
        room.begin()
    full = await measured(served, meter)
    meter.pause = 2 * TABLES / full.rate
    return full, await measured(served, meter)


async def ours(game: str) -> tuple[Figures, Figures]:
    with tempfile.TemporaryDirectory() as folder:
        served = Served(SERVE, f"{folder}/tables.sqlite")
        try:
            meter = Meter()
            async with asyncio.timeout(PATIENCE):
                rooms = await our_rooms(served, game, meter)
            return await both(served, meter, rooms)
        finally:
            served.stop()


async def bare(seats: int, size: int) -> tuple[Figures, Figures]:
    served = Served(BARE, str(size))
    try:
        meter = Meter()
        async with asyncio.timeout(PATIENCE):
            rooms = await bare_rooms(served, seats, meter)
        return await both(served, meter, rooms)
    finally:
        served.stop()


def disk() -> tuple[float, float]:
    """Return the time to write 4 KB to disk: the median and the 99th percentile."""
    with tempfile.NamedTemporaryFile(buffering=0) as file:
        times = []
        for _ in range(300):
            file.write(bytes(4096))
            begun = time.perf_counter()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - begun)
    times.sort()
    return median(times), times[int(len(times) * 0.99)]


async def idle() -> tuple[int, float]:
    """Return the number of idle sockets that are held, and the kilobytes of each."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder:
        served = Served(SERVE, f"{folder}/tables.sqlite")
        try:
            body = {"game": "ur", "name": "Host", "start": True, "seats": [{"kind": "me"}, {"kind": "me"}]}
            tables = [served.post("/api/tables", body)["table"]["id"] for _ in range(50)]
            welcomed = 0

            def heard(peer: Peer, frame: bytes) -> None:
                nonlocal welcomed
                welcomed += frame.startswith(b'{"type":"welcome"')

            before = served.memory()
            peers = []
            for count in range(IDLE):
                peer = await connected(served.port, f"/api/tables/{tables[count % 50]}/socket", heard)
                peer.say(b'{"type":"hello"}')
                peers.append(peer)
            async with asyncio.timeout(PATIENCE):
                while welcomed < IDLE:
                    await asyncio.sleep(0.05)
            await asyncio.sleep(1.0)
            return len(peers), (served.memory() - before) / IDLE / 1024
        finally:
            served.stop()


def middle(figures: list[Figures]) -> Figures:
    """Return the median of several runs, figure by figure."""
    return Figures(*(median(getattr(each, name) for each in figures) for name in Figures.__struct_fields__))


async def report(game: str) -> list[Row]:
    _, seats, _ = GAMES[game]
    mine, theirs = [], []
    for _ in range(ROUNDS):
        mine.append(await ours(game))
        theirs.append(await bare(seats, int(mine[0][0].frame)))
    full, half = (middle(list(column)) for column in zip(*mine, strict=True))
    other, slow = (middle(list(column)) for column in zip(*theirs, strict=True))
    title = f"{game}, {seats} players, frames of {int(full.frame):,} bytes"
    return [
        Row(
            f"{title}: moves",
            f"{number(full.rate)}/s",
            f"{number(other.rate)}/s",
            f"{full.rate / other.rate:.2f}×",
        ),
        Row(
            "... the server's processor a move",
            f"{full.processor:.0f} µs",
            f"{other.processor:.0f} µs",
            f"{other.processor / full.processor:.2f}×",
        ),
        Row(
            f"... at half load ({number(half.rate)}/s; {number(slow.rate)}/s): p50, p99",
            f"{half.p50 * 1e3:.2f} ms, {half.p99 * 1e3:.2f} ms",
            f"{slow.p50 * 1e3:.2f} ms, {slow.p99 * 1e3:.2f} ms",
        ),
    ]


def rows() -> Iterator[Row]:
    for game in GAMES:
        yield from uvloop.run(report(game))
    yield Row("one write to the disk: p50, p99", "{:.2f} ms, {:.2f} ms".format(*(1e3 * each for each in disk())))
    count, size = uvloop.run(idle())
    yield Row("idle sockets held, memory each", f"{count:,}, {size:.0f} KB")


if __name__ == "__main__":
    for row in rows():
        print(*row, sep="  ", flush=True)
