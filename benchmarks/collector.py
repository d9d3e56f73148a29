"""Garbage collection of the server: pauses with many rooms, and memory while rooms come and go."""

from __future__ import annotations

import asyncio
import json
import random
import resource
import sys
import tempfile
from collections.abc import Iterator
from typing import NamedTuple

import uvloop

from measure import Row
from people import Meter, requested, seated
from served import SERVE, Served
from sockets import Peer, connected

TITLE = "Memory and garbage collection"
ABOUT = """
Policies of the garbage collector in the same server. The longest pause is the processor time of one collection:
while rooms of Ave Caesar (four people, one watcher, one to three seconds a move) are opened, and while they are
played. Ours: young objects only, and all when a hundred rooms or connections that have ended are still in memory.
The others: Python's own; Python's after freezing what is there at the start; the same with thresholds of 10,000,
20 and 50; a full collection every minute, or when the memory has doubled; and before 2026-11: all that survives a
young collection is frozen, and collected when all rooms have been idle for ten seconds. Memory: one room is always
busy while others come, are played in and go. It is what the process holds more after 800 rooms than after 200, and
the blocks of memory that Python's objects hold. "With cycles" leaves every websocket the reference cycle that it
had before 2026-11. Other programs ran on the machine: compare processor times.
"""
ROOMS, SECONDS = 1_000, 60.0
GAME, SEATS = "ave-caesar", 4
WARM, COUNTED, AT_ONCE = 200, 600, 20  # rooms that come and go
MOVES = 40  # in a room
FLOOD = 20_000  # websockets that come and go
PATIENCE = 1_200.0
PROBE = """
import gc, json, sys, threading, time
from quadriga.server import gc_tuning
from quadriga.server.gc_tuning import GcTuning
from quadriga.server.ws.transport import EXTENSION, Transport, WebSocketsSansIOProtocol
seen, began = [], [0.0]
def time_collection(phase, info):
    if phase == "start":
        began[0] = time.thread_time()
    else:
        seen.append((info["generation"], time.thread_time() - began[0]))
def answer():
    for _ in sys.stdin:
        print(json.dumps([seen, sys.getallocatedblocks()]), flush=True)
        seen.clear()
gc.callbacks.append(time_collection)
threading.Thread(target=answer, daemon=True).start()
def frozen(*threshold):
    gc.collect()
    gc.freeze()
    gc.set_threshold(*threshold)
"""
OURS = ""
DOUBLED = """
blocks = [sys.maxsize]
def start(self):
    frozen(2_000, 1 << 30, 1 << 30)
    blocks[0] = sys.getallocatedblocks()
def collect_lingering(self):
    if sys.getallocatedblocks() > 2 * blocks[0]:
        gc.collect()
        blocks[0] = sys.getallocatedblocks()
GcTuning.start, GcTuning.collect_lingering = start, collect_lingering
"""
MINUTE = """
last = [time.monotonic()]
def collect_lingering(self):
    if time.monotonic() - last[0] > 60.0:
        gc.collect()
        last[0] = time.monotonic()
GcTuning.collect_lingering = collect_lingering
"""
BEFORE = """
def start(self):
    frozen(2_000, 1_000, 1_000)
    gc.callbacks.append(lambda phase, info: gc.freeze() if phase == "stop" else None)
GcTuning.start, GcTuning.collect_lingering = start, lambda self: None
"""
POLICIES = {
    "Python's own": "GcTuning.start = GcTuning.collect_lingering = lambda self: None",
    "frozen at the start": "GcTuning.start = lambda self: frozen(700, 10, 10)",
    "frozen at the start, higher thresholds": "GcTuning.start = lambda self: frozen(10_000, 20, 50)",
    "a full collection every minute": MINUTE,
    "a full collection when the memory has doubled": DOUBLED,
}
CYCLES = """
def connection_lost(self, exc):
    WebSocketsSansIOProtocol.connection_lost(self, exc)
    self.scope["extensions"].pop(EXTENSION, None)
    self.release()
    gc_tuning.GC_TUNING.ended(self, self.conn)
Transport.connection_lost = connection_lost
"""
IDLE_S = "settings = Settings(", "settings = Settings(idle=0.5, "


class Probe(NamedTuple):
    """The collections of a server since it was last asked, and the blocks of memory of Python's objects."""

    collections: list[tuple[int, float]]  # generation, seconds of processor
    blocks: int

    @property
    def longest_ms(self) -> float:
        return max((seconds for _, seconds in self.collections), default=0.0) * 1e3

    @property
    def full(self) -> int:
        return sum(generation == 2 for generation, _ in self.collections)

    def __str__(self) -> str:
        return f"{self.longest_ms:,.0f} ms, {self.full} full"


def probed(served: Served) -> Probe:
    """Ask a server for its collections and its memory."""
    assert served.process.stdin is not None
    assert served.process.stdout is not None
    print(file=served.process.stdin, flush=True)
    line = next(line for line in served.process.stdout if line.startswith("["))
    return Probe(*json.loads(line))


async def pauses(policy: str) -> tuple[Probe, Probe]:
    """Open rooms and play in them; return the collections of both times."""
    with tempfile.TemporaryDirectory() as folder:
        served = Served(PROBE + policy + SERVE, f"{folder}/tables.sqlite", core=0)
        try:
            probed(served)
            async with asyncio.timeout(PATIENCE):
                await seated(served, GAME, SEATS, ROOMS, Meter(), hints=False)
            opening = probed(served)
            await asyncio.sleep(SECONDS)
            return opening, probed(served)
        finally:
            served.stop()


class Visit:
    """A room of Ur that two people play in, and leave after some moves."""

    def __init__(self, port: int, rng: random.Random, moves: float, pace: float = 0.0) -> None:
        self._port, self._rng, self._left, self._pace = port, rng, moves, pace
        self._ended = asyncio.Event()
        self._number = -1

    async def play(self) -> None:
        """Create the room, play and leave."""
        body = {"game": "ur", "name": "Ann", "pace": 0, "start": True, "seats": [{"kind": "me"}] * 2}
        made = await requested(self._port, "/api/tables", body)
        peers = []
        for seat in range(2):
            peer = await connected(self._port, f"/api/tables/{made['table']['id']}/socket", self._heard)
            peer.say(json.dumps({"type": "hello", "token": made["token"], "seat": seat}).encode())
            peers.append(peer)
        await self._ended.wait()
        for peer in peers:
            peer.close()

    def _heard(self, peer: Peer, frame: bytes) -> None:
        told = json.loads(frame)
        if told.get("table", {}).get("status") == "over":
            self._ended.set()
        elif told["type"] in ("view", "news") and told["legal"] and told["number"] != self._number:
            self._left -= 1
            self._number = told["number"]
            if self._left < 0:
                self._ended.set()
                return
            action = self._rng.choice(told["legal"])["text"]
            said = {"type": "act", "number": told["number"], "seat": told["seat"], "action": action}
            asyncio.get_running_loop().call_later(self._pace, peer.say, json.dumps(said).encode())


async def visits(port: int, first: int, count: int) -> None:
    """Let rooms come and go."""
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> None:
        async with slots:
            await Visit(port, random.Random(number), MOVES).play()

    await asyncio.gather(*(one(first + n) for n in range(count)))
    while (await requested(port, "/api/health"))["tables"] > 1:  # all but the busy one
        await asyncio.sleep(0.1)


async def busy(port: int) -> None:
    """Play one game after the other."""
    number = 0
    while True:
        await Visit(port, random.Random(number), float("inf"), pace=0.5).play()
        number += 1


class Growth(NamedTuple):
    """What a server holds more, for 1,000 rooms."""

    megabytes: float
    blocks: float

    def __str__(self) -> str:
        return f"{self.megabytes:.1f} MB, {self.blocks:,.0f} blocks"


async def growth(policy: str) -> Growth:
    """Let rooms come and go while one is busy; return what 1,000 rooms leave behind."""
    with tempfile.TemporaryDirectory() as folder:
        served = Served(PROBE + policy + SERVE.replace(*IDLE_S), f"{folder}/tables.sqlite", core=0)
        playing = asyncio.create_task(busy(served.port))
        try:
            async with asyncio.timeout(PATIENCE):
                await visits(served.port, 0, WARM)
                before = served.memory(), probed(served).blocks
                await visits(served.port, WARM, COUNTED)
            megabytes = (served.memory() - before[0]) / 2**20
            blocks = probed(served).blocks - before[1]
            return Growth(megabytes * 1_000 / COUNTED, blocks * 1_000 / COUNTED)
        finally:
            playing.cancel()
            served.stop()


async def flood(policy: str) -> tuple[float, Probe]:
    """Let websockets come and go; return the megabytes that the server holds more, and its collections."""
    with tempfile.TemporaryDirectory() as folder:
        served = Served(PROBE + policy + SERVE.replace(*IDLE_S), f"{folder}/tables.sqlite", core=0)
        playing = asyncio.create_task(busy(served.port))
        try:
            body = {"game": "ur", "name": "Ann", "pace": 0, "start": True, "seats": [{"kind": "me"}] * 2}
            table = (await requested(served.port, "/api/tables", body))["table"]["id"]
            slots = asyncio.Semaphore(AT_ONCE)

            async def look() -> None:
                async with slots:
                    seen = asyncio.Event()
                    peer = await connected(served.port, f"/api/tables/{table}/socket", lambda *_: seen.set())
                    peer.say(b'{"type":"hello"}')
                    await seen.wait()
                    peer.close()

            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*(look() for _ in range(1_000)))
                before, _ = served.memory(), probed(served)
                await asyncio.gather(*(look() for _ in range(FLOOD)))
            return (served.memory() - before) / 2**20, probed(served)
        finally:
            playing.cancel()
            served.stop()


def rows() -> Iterator[Row]:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    own = uvloop.run(pauses(OURS))
    for name, policy in POLICIES.items():
        other = uvloop.run(pauses(policy))
        title = f"opening {ROOMS:,} rooms: longest pause, full collections; peer: {name}"
        yield Row(title, str(own[0]), str(other[0]))
        title = f"... playing for {SECONDS:.0f} s"
        yield Row(title, str(own[1]), str(other[1]))
    title = "rooms come and go, one is busy: what 1,000 leave; peer: before 2026-11, with cycles"
    yield Row(title, str(uvloop.run(growth(OURS))), str(uvloop.run(growth(BEFORE + CYCLES))))
    sides = [uvloop.run(flood(policy + CYCLES)) for policy in (OURS, BEFORE)]
    title = f"{FLOOD:,} websockets come and go, with cycles: memory; peer: before 2026-11"
    yield Row(title, *(f"{megabytes:.0f} MB, {found.full} full" for megabytes, found in sides))


if __name__ == "__main__":
    for row in rows():
        print(*row, sep="  ", flush=True, file=sys.stderr)
