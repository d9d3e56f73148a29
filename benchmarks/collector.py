"""Garbage collection of the server: pauses with many rooms, under several policies."""

from __future__ import annotations

import asyncio
import json
import resource
import tempfile
from collections.abc import Iterator
from typing import NamedTuple

import uvloop

from measure import Row
from people import Meter, seated
from served import SERVE, Served

TITLE = "Garbage collection"
ABOUT = """
Policies of the garbage collector in the same server: the longest pause for a collection, in processor time, and
the number of full collections, while rooms of Ave Caesar (four people, one watcher, one to three seconds a move)
are opened, and while they are played. Ours: young objects only, and all when a hundred rooms or connections that
have ended are still in memory. The others: Python's own; the start frozen, with thresholds of 10,000, 20 and 50; a
full collection every 20 seconds, or when the memory has doubled. A pause of the young generations alone counts,
too.
"""
ROOMS, SECONDS = 1_000, 20.0
GAME, SEATS = "ave-caesar", 4
PATIENCE = 1_200.0
PROBE = """
import gc, json, sys, threading, time
from quadriga.server.gc_tuning import GcTuning
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
EVERY = """
last = [time.monotonic()]
def collect_lingering(self):
    if time.monotonic() - last[0] > 20.0:
        gc.collect()
        last[0] = time.monotonic()
GcTuning.collect_lingering = collect_lingering
"""
POLICIES = {
    "Python's own": "GcTuning.start = GcTuning.collect_lingering = lambda self: None",
    "frozen at the start, higher thresholds": "GcTuning.start = lambda self: frozen(10_000, 20, 50)",
    "a full collection every 20 seconds": EVERY,
    "a full collection when the memory has doubled": DOUBLED,
}


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


def rows() -> Iterator[Row]:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    own = uvloop.run(pauses(OURS))
    for name, policy in POLICIES.items():
        other = uvloop.run(pauses(policy))
        yield Row(f"opening {ROOMS:,} rooms; peer: {name}", str(own[0]), str(other[0]))
        yield Row(f"... playing for {SECONDS:.0f} s", str(own[1]), str(other[1]))
