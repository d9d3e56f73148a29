"""People at the page: rooms of people whose clients send what the page sends, at human pace."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
import uvloop

from measure import Row
from served import BARE, SERVE, Served
from sockets import Peer, connected
from tab import PING, READ, Tab, Told, replay, visit

TITLE = "People at the page"
ABOUT = """
Clients that send what the page sends (a browser test compares the two) play at human pace: the person who is
asked takes one to three seconds. Everybody gets explanations; one watcher looks on in every room. The rows at
100, 300 and 1,000 rooms also ask for a hint now and then, and somebody opens the replay of a finished game.
Processor time is that of the server with its child processes, a move. The peer is a bare Starlette application
that sends frames of the same size to as many sockets at the same pace. Latency is from an act to its `done`, on
disk. The longest stall is the longest answer to a `ping` that a socket of its own sends every 10 ms. The server
has one core. Memory is what the process holds more than without rooms, per room, sockets included. Other programs
ran on the machine: compare processor times; latency is an upper bound.
"""
PACE = 2.0  # seconds that a person takes, on average
WARM, SECONDS = 4.0, 8.0  # before the measurement, and of it
HINT_EVERY = 400  # decisions
REPLAY_EVERY_S = 2.0
PATIENCE = 600.0  # seconds, for setting rooms up
PROBE_S = 0.01
AT_ONCE = 8  # rooms that are set up
SEATED = [("ur", 2), ("ave-caesar", 4), ("ben-hvrt", 4), ("ben-hvrt", 8)]
SHORT = {"ur": {"markers": 1}, "ave-caesar": {"courses": ["white cw"]}, "ben-hvrt": {"series": [1]}}


class Meter:
    """The counts of a measurement, from its start to its end."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.moves = self.bytes = self.frames = 0
        self.times: list[float] = []
        self.stalls: list[float] = []
        self.refused: dict[str, int] = {}


class Room:
    """The people at one table."""

    def __init__(self, meter: Meter, rng: random.Random, hints: bool) -> None:
        self.meter, self.rng, self.hints = meter, rng, hints
        self.sent: dict[str, float] = {}
        self.peers: list[Peer] = []

    pace = PACE

    def asked(self, tab: Tab, told: Told) -> None:
        texts = [each.text for each in told.legal or [] if not each.family]
        text = self.rng.choice(texts)
        if self.hints and self.rng.randrange(HINT_EVERY) == 0:
            tab.hint()
        wait = self.rng.uniform(0.5, 1.5) * self.pace
        is_kept = text == "pass" and told.answer_ms is not None  # until the beat of the window is over
        asyncio.get_running_loop().call_later(wait, self.act, tab, tab.number, text, is_kept)

    def act(self, tab: Tab, number: int, text: str, is_kept: bool) -> None:
        if tab.number != number or tab.legal is None:
            return
        ref = tab.act(text)
        if not is_kept:
            self.sent[f"{tab.seat} {ref}"] = time.perf_counter()

    def heard(self, tab: Tab, frame: bytes) -> None:
        told = READ(frame)
        if told.type == "news":
            self.meter.bytes += len(frame)
            self.meter.frames += 1
        elif told.type == "done":
            self.meter.moves += 1
            began = self.sent.pop(f"{tab.seat} {told.ref}", None)
            if began is not None:
                self.meter.times.append(time.perf_counter() - began)
        elif told.type == "refused":
            self.meter.refused[told.code] = self.meter.refused.get(told.code, 0) + 1
        tab.heard(told)


async def seated(
    served: Served, game: str, seats: int, count: int, meter: Meter, explain: bool = True, hints: bool = True
) -> list[Room]:
    """Rooms in which everybody sits, one person watches, and the game begins."""
    slots = asyncio.Semaphore(AT_ONCE)

    async def make(n: int) -> Room:
        async with slots:
            return await _room(served, game, seats, Room(meter, random.Random(n), hints), explain)

    return list(await asyncio.gather(*(make(n) for n in range(count))))


async def _room(
    served: Served, game: str, seats: int, room: Room, explain: bool, options: dict[str, Any] | None = None
) -> Room:
    body = {"game": game, "options": options or {}, "name": "Ann", "pace": 0, "public": False}
    chairs = [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]
    made = await requested(served.port, "/api/tables", {**body, "seats": chairs})
    table, tokens = made["table"]["id"], [made["token"]]
    for k in range(1, seats):
        joined = await requested(served.port, f"/api/tables/{table}/join", {"name": f"Bob {k}"})
        tokens.append(joined["token"])
    for token in [*tokens, None]:
        tab = Tab(token, "Ann", room.asked, explain)
        peer = await connected(served.port, f"/api/tables/{table}/socket", partial(_heard, room, tab))
        tab.open(peer)
        room.peers.append(peer)
    await requested(served.port, f"/api/tables/{table}/start", {}, tokens[0])
    return room


def _heard(room: Room, tab: Tab, peer: Peer, frame: bytes) -> None:
    room.heard(tab, frame)


async def requested(port: int, path: str, body: object = None, token: str = "") -> dict[str, Any]:
    """Return the answer to a request, on a connection of its own."""
    taking, giving = await asyncio.open_connection("127.0.0.1", port)
    raw = b"" if body is None else json.dumps(body).encode()
    lines = [f"{'GET' if body is None else 'POST'} {path} HTTP/1.1", "Host: localhost", "Connection: close"]
    lines += [f"Content-Length: {len(raw)}", *([f"Authorization: Bearer {token}"] if token else []), "", ""]
    giving.write("\r\n".join(lines).encode() + raw)
    content = (await taking.read()).partition(b"\r\n\r\n")[2]
    giving.close()
    return json.loads(content)


async def finished(served: Served, game: str) -> str:
    """Return the id of a game that bots have finished."""
    seats = 3 if game == "ave-caesar" else 2
    body = {"game": game, "options": SHORT[game], "name": "Ann", "pace": 0, "start": True}
    table = served.post("/api/tables", {**body, "seats": [{"kind": "bot", "bot": "random"}] * seats})["table"]["id"]
    over = asyncio.Event()

    def heard(peer: Peer, frame: bytes) -> None:
        told = READ(frame)
        if told.table is not None and told.table.status == "over":
            over.set()

    peer = await connected(served.port, f"/api/tables/{table}/socket", heard)
    peer.say(b'{"type":"hello"}')
    await asyncio.wait_for(over.wait(), PATIENCE)
    peer.close()
    return table


async def warmed(served: Served, game: str) -> None:
    """Ask for hints until the strongest bot answers: it is compiled, and loaded, once for a server."""
    seats = 3 if game == "ave-caesar" else 2
    body = {"game": game, "options": SHORT[game], "name": "Ann", "pace": 0, "start": True}
    made = await requested(served.port, "/api/tables", {**body, "seats": [{"kind": "me"}] * seats})
    ready = asyncio.Event()

    def heard(peer: Peer, frame: bytes) -> None:
        told = READ(frame)
        tab.heard(told)
        if told.type == "hint" and not told.meanwhile:
            ready.set()

    tab = Tab(made["token"], "Ann", lambda tab, told: None)
    peer = await connected(served.port, f"/api/tables/{made['table']['id']}/socket", lambda p, f: heard(p, f))
    tab.open(peer)
    async with asyncio.timeout(PATIENCE):
        while not ready.is_set():
            for seat in range(seats):
                peer.say(msgspec.json.encode({"type": "hint", "number": 0, "seat": seat}))
            await asyncio.sleep(1.0)
    peer.close()


async def probe(served: Served, table: str, meter: Meter) -> None:
    """Ping from a socket of its own; the time to the answer is how long the server's loop was busy."""
    answered: asyncio.Queue[None] = asyncio.Queue()

    def heard(peer: Peer, frame: bytes) -> None:
        if frame.startswith(b'{"type":"pong"'):
            answered.put_nowait(None)

    peer = await connected(served.port, f"/api/tables/{table}/socket", heard)
    peer.say(b'{"type":"hello","explain":false}')
    while True:
        began = time.perf_counter()
        peer.say(msgspec.json.encode(PING))
        await answered.get()
        meter.stalls.append(time.perf_counter() - began)
        await asyncio.sleep(PROBE_S)


async def reader(served: Served, table: str) -> None:
    """Open the replay of a finished game, and a table, again and again."""
    while True:
        for path in [*visit(table), *replay(table, -1, 200)]:
            await requested(served.port, path)
        await asyncio.sleep(REPLAY_EVERY_S)


class Figures(msgspec.Struct):
    """The result of one run."""

    rate: float
    processor: float  # microseconds of the server a move
    p50: float
    p99: float
    stall: float
    memory: float  # bytes a room
    frame: float
    load: float  # of the server's core


async def people(
    game: str,
    seats: int,
    rooms: int,
    *,
    explain: bool = True,
    source: Path | None = None,
    code: str = SERVE,
    seconds: float = SECONDS,
    visitors: bool = False,
) -> Figures:
    """Play in so many rooms; with visitors, ask for hints and replays now and then, and look for stalls."""
    with tempfile.TemporaryDirectory() as folder:
        served = Served(code, f"{folder}/tables.sqlite", source=source, core=0)
        try:
            meter = Meter()
            table = await finished(served, game)
            if visitors:
                await warmed(served, game)
            before = served.memory()
            async with asyncio.timeout(PATIENCE):
                made = await seated(served, game, seats, rooms, meter, explain, visitors)
            return await measured(served, meter, len(made), seconds, table if visitors else None, before)
        finally:
            served.stop()


async def measured(
    served: Served, meter: Meter, rooms: int, seconds: float, table: str | None, before: int
) -> Figures:
    beside = []
    if table is not None:
        beside = [asyncio.create_task(probe(served, table, meter)), asyncio.create_task(reader(served, table))]
    await asyncio.sleep(WARM)
    meter.clear()
    began, used = time.perf_counter(), served.seconds()
    await asyncio.sleep(seconds)
    spent, used, moves = time.perf_counter() - began, served.seconds() - used, max(meter.moves, 1)
    for task in beside:
        task.cancel()
    if meter.refused:
        print("refused:", meter.refused, file=sys.stderr)
    times = sorted(meter.times) or [0.0]
    return Figures(
        rate=moves / spent,
        processor=used / moves * 1e6,
        p50=median(times),
        p99=times[int(len(times) * 0.99)],
        stall=max(meter.stalls, default=0.0),
        memory=(served.memory() - before) / rooms,
        frame=meter.bytes / max(meter.frames, 1),
        load=used / spent,
    )


async def bare(seats: int, rooms: int, size: int, seconds: float = SECONDS) -> Figures:
    """The same number of sockets, frames of the same size, the same pace, and nothing else."""
    served = Served(BARE, str(size), core=0)
    try:
        meter, rng, loop = Meter(), random.Random(1), asyncio.get_running_loop()

        def begin(peers: list[Peer], number: int) -> None:
            def act() -> None:
                peers[number % seats].say(b'{"type":"act","number":%d,"action":"4-6"}' % number)

            loop.call_later(rng.uniform(0.5, 1.5) * PACE, act)

        before = served.memory()
        for n in range(rooms):
            peers: list[Peer] = []

            def heard(peer: Peer, frame: bytes, peers: list[Peer] = peers) -> None:
                meter.bytes += len(frame)
                meter.frames += 1
                if peer is peers[0]:
                    meter.moves += 1
                    begin(peers, READ(frame).number + 1)

            for _ in range(seats + 1):
                peers.append(await connected(served.port, f"/r{n}", heard))
            begin(peers, 0)
        return await measured(served, meter, rooms, seconds, None, before)
    finally:
        served.stop()


def told(figures: Figures) -> str:
    """Latency, stall and memory as people read them."""
    return (
        f"{figures.p50 * 1e3:.1f}, {figures.p99 * 1e3:.1f}, {figures.stall * 1e3:.0f} ms; "
        f"{figures.memory / 1024:.0f} KB; {figures.load:.0%} of a core"
    )


def rows() -> Iterator[Row]:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    for game, seats in SEATED:
        own = uvloop.run(people(game, seats, 100))
        mute = uvloop.run(people(game, seats, 100, explain=False))
        other = uvloop.run(bare(seats, 100, int(own.frame)))
        title = (
            f"{game}, {seats} people and a watcher, 100 rooms, frames of {own.frame:,.0f} bytes: processor a move"
        )
        yield Row(
            title, f"{own.processor:.0f} µs", f"{other.processor:.0f} µs", f"{other.processor / own.processor:.2f}×"
        )
        yield Row("... without explanations", f"{mute.processor:.0f} µs")
    for game in ("ave-caesar", "ben-hvrt"):
        for count in (100, 300, 1000):
            own = uvloop.run(people(game, 4, count, visitors=True))
            yield Row(f"{game}, 4 people, {count:,} rooms: processor a move", f"{own.processor:.0f} µs")
            yield Row("... p50, p99, longest stall; a room; load", told(own))


def main() -> None:
    """Compare versions or variants in one run: `python benchmarks/people.py GAME SEATS ROOMS [--beside SRC]`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("seats", type=int)
    parser.add_argument("rooms", type=int)
    parser.add_argument("--beside", type=Path, help="the src folder of another version")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--visitors", action="store_true")
    parser.add_argument("--variant", action="append", default=[], help="NAME=CODE to run before the server starts")
    asked = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    sides: dict[str, dict[str, Any]] = {"this": {}}
    if asked.beside:
        sides["beside"] = {"source": asked.beside}
    for each in asked.variant:
        name, _, code = each.partition("=")
        sides[name] = {"code": f"{code}\n{SERVE}"}
    for _ in range(asked.rounds):
        for name, more in sides.items():
            found = uvloop.run(
                people(asked.game, asked.seats, asked.rooms, visitors=asked.visitors, seconds=asked.seconds, **more)
            )
            print(f"{name:10} {found.processor:6.0f} µs a move at {found.rate:.0f}/s;", told(found), flush=True)


if __name__ == "__main__":
    main()
