"""Memory of the server while rooms and websockets come and go, and one room is always busy."""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from collections.abc import Iterator
from typing import NamedTuple

import uvloop

from collector import OURS, PROBE, Probe, probed
from measure import Row
from people import requested
from served import SERVE, Served
from sockets import Peer, connected

TITLE = "Memory"
ABOUT = """
One room is always busy while others come, are played in and go. The memory is what the process holds more after
800 rooms than after 200, and the blocks that Python's objects hold, both for 1,000 rooms. Ours is what caches of
bounded size take until they are full. The peer is the server before 2026-11: every websocket left a reference
cycle, and all that survived a young collection was frozen, and collected when all rooms had been idle for ten
seconds. "With cycles" leaves our websockets this cycle, too: full collections free what they hold.
"""
WARM, COUNTED, AT_ONCE = 200, 600, 20  # rooms that come and go
MOVES = 40  # in a room
FLOOD = 10_000  # websockets that come and go
PATIENCE = 1_200.0
BEFORE = """
def start(self):
    frozen(2_000, 1_000, 1_000)
    gc.callbacks.append(lambda phase, info: gc.freeze() if phase == "stop" else None)
GcTuning.start, GcTuning.collect_lingering = start, lambda self: None
"""
CYCLES = """
from quadriga.server.gc_tuning import GC_TUNING
from quadriga.server.http.uvicorn_private import Transport, WebSocketsSansIOProtocol
def connection_lost(self, exc):
    WebSocketsSansIOProtocol.connection_lost(self, exc)
    GC_TUNING.ended(self, self.conn)
    if self.release is not None:
        self.release()
Transport.connection_lost = connection_lost
"""
IDLE_S = "settings = Settings(", "settings = Settings(idle=0.5, "


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
    title = "rooms come and go: what 1,000 leave; peer: before 2026-11"
    yield Row(title, str(uvloop.run(growth(OURS))), str(uvloop.run(growth(BEFORE + CYCLES))))
    sides = [uvloop.run(flood(policy + CYCLES)) for policy in (OURS, BEFORE)]
    title = f"{FLOOD:,} websockets come and go, with cycles: memory; peer: before 2026-11"
    yield Row(title, *(f"{megabytes:.1f} MB, {found.full} full collections" for megabytes, found in sides))
