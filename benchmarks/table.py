"""The table: many bot games through real sockets with durable writes, beside a bare Starlette broadcast."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import msgspec
import uvloop

from measure import Row, number
from sockets import Peer, connected

TITLE = "The table"
ABOUT = """
Bots of a client process play through real sockets on loopback: a move is legal, rolled, on disk (synchronous=FULL)
and told to everybody before it counts. The peer is a bare Starlette application that sends frames of the same size
to as many sockets (uvloop, httptools, no deflate) and does nothing else. Latency is from sending a move to the last
player having heard of it, at half the rate of saturation. Client and server share the machine; the median of rounds
counts.
"""
SECONDS = 4.0
ROUNDS = 1
TABLES = 60
IDLE = 5_000
GAMES = {"ur": ({"rules": "finkel"}, 2), "ben-hvrt": ({"series": [1]}, 4)}

SERVE = """
import sys
from pathlib import Path
from quadriga.engine import words
from quadriga.table.serve import run
from quadriga.table.settings import Settings
most = 1e9
settings = Settings(port=0, store=Path(sys.argv[1]), rate=most, burst=most, requests=most, request_burst=most)
run(settings, words.of("en", "quadriga.table"), exact=True, browser=False)
"""
BARE = """
import sys, socket, asyncio
import msgspec, uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
rooms = {}
class Said(msgspec.Struct):
    number: int
    action: str
class Told(msgspec.Struct):
    number: int
    filling: str
decode = msgspec.json.Decoder(Said).decode
encode = msgspec.json.Encoder().encode
filling = "x" * int(sys.argv[1])
async def play(ws):
    await ws.accept()
    room = rooms.setdefault(ws.path_params["room"], [])
    room.append(ws)
    try:
        while True:
            said = decode(await ws.receive_text())
            frame = {"type": "websocket.send", "text": encode(Told(said.number, filling)).decode()}
            for each in room:
                await each.send(frame)
    except Exception:
        room.remove(ws)
app = Starlette(routes=[WebSocketRoute("/{room}", play)])
bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
bound.bind(("127.0.0.1", 0))
bound.listen(2048)
print("bare", "http://127.0.0.1:%d" % bound.getsockname()[1], flush=True)
config = uvicorn.Config(app, log_level="error", ws="websockets-sansio", ws_per_message_deflate=False)
uvicorn.Server(config).run([bound])
"""


class Told(msgspec.Struct):
    """What the measuring client reads of a frame."""

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


class Served:
    """A server process."""

    def __init__(self, code: str, *arguments: str) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    def seconds(self) -> float:
        """Processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Resident bytes."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def post(self, path: str, body: object, token: str = "") -> dict:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


class Meter:
    """Counts moves, and times each from its sending to the last who is told."""

    def __init__(self, pause: float) -> None:
        self.pause = pause  # between two moves of a room
        self.moves = 0
        self.times: list[float] = []
        self.bytes = 0
        self.frames = 0
        self.stopped = False
        self.begun = 0  # rooms in which somebody has moved


class Room:
    """The players of one table."""

    def __init__(self, meter: Meter, seats: int, rng: random.Random) -> None:
        self.meter, self.seats, self.rng = meter, seats, rng
        self.waiting = 0
        self.moved = False
        self.sent = 0.0
        self.peers: list[Peer] = []
        self.over = asyncio.Event()

    def told(self) -> None:
        """One more has heard of the move."""
        if self.waiting:
            self.waiting -= 1
            if not self.waiting:
                self.meter.begun += not self.moved
                self.moved = True
                self.meter.moves += 1
                self.meter.times.append(time.perf_counter() - self.sent)

    def later(self, act: object, *arguments: object) -> None:
        if self.meter.stopped:
            return
        if self.meter.pause:
            wait = self.rng.uniform(0.5, 1.5) * self.meter.pause
            asyncio.get_running_loop().call_later(wait, act, *arguments)
        else:
            act(*arguments)


class GameRoom(Room):
    """Random bots at a table of ours."""

    def heard(self, seat: int, peer: Peer, frame: bytes) -> None:
        said = READ(frame)
        if said.type == "news":
            self.meter.bytes += len(frame)
            self.meter.frames += 1
            self.told()
        if said.type in ("news", "view") and said.legal:
            texts = [action.text for action in said.legal if not action.family]
            self.later(self.act, peer, said.number, self.rng.choice(texts))
        elif said.table is not None and said.table.status == "over":
            self.over.set()

    def act(self, peer: Peer, moment: int, text: str) -> None:
        self.sent, self.waiting = time.perf_counter(), self.seats
        peer.say(b'{"type":"act","number":%d,"action":"%s"}' % (moment, text.encode()))


class BareRoom(Room):
    """The same frames, and nothing else."""

    def heard(self, seat: int, peer: Peer, frame: bytes) -> None:
        said = READ(frame)
        self.told()
        if not self.waiting:
            self.later(self.act, self.peers[(said.number + 1) % self.seats], said.number + 1)

    def act(self, peer: Peer, moment: int) -> None:
        self.sent, self.waiting = time.perf_counter(), self.seats
        peer.say(b'{"type":"act","number":%d,"action":"4-6"}' % moment)


async def play_ours(served: Served, game: str, meter: Meter, seed: int) -> None:
    """Tables one after another until the meter stops."""
    options, seats = GAMES[game]
    rng = random.Random(seed)
    while not meter.stopped:
        room = GameRoom(meter, seats, rng)
        body = {
            "game": game,
            "options": options,
            "name": "Bot",
            "pace": 0,
        }
        body["seats"] = [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]
        made = await asyncio.to_thread(served.post, "/api/tables", body)
        table, token = made["table"]["id"], made["token"]
        for seat in range(seats):
            own = token
            if seat:
                joined = await asyncio.to_thread(served.post, f"/api/tables/{table}/join", {"name": "Bot"})
                own = joined["token"]
            path = f"/api/tables/{table}/socket"
            peer = await connected(served.port, path, lambda p, f, s=seat, r=room: r.heard(s, p, f))
            room.peers.append(peer)
            peer.say(json.dumps({"type": "hello", "token": own, "seat": seat, "explain": False}).encode())
            if game == "ben-hvrt":
                peer.say(b'{"type":"stops","windows":[],"seat":%d}' % seat)
        await asyncio.to_thread(served.post, f"/api/tables/{table}/start", {}, token)
        await room.over.wait()
        for peer in room.peers:
            peer.close()


async def play_bare(served: Served, seats: int, meter: Meter, name: str) -> None:
    room = BareRoom(meter, seats, random.Random(name))
    for seat in range(seats):
        room.peers.append(await connected(served.port, f"/{name}", lambda p, f, s=seat: room.heard(s, p, f)))
    room.act(room.peers[0], 0)
    await room.over.wait()


class Figures(msgspec.Struct):
    """What one run gave."""

    rate: float
    p50: float
    p99: float
    processor: float  # microseconds of the server a move
    frame: float


async def measured(served: Served, players: list, meter: Meter, seconds: float) -> Figures:
    """Play for a while, a second after all tables have begun."""
    tasks = [asyncio.ensure_future(player) for player in players]
    latest = time.perf_counter() + 30
    while meter.begun < len(players) and time.perf_counter() < latest:
        await asyncio.sleep(0.05)
    await asyncio.sleep(1.0)
    meter.moves, meter.times, meter.bytes, meter.frames = 0, [], 0, 0
    begun, processor = time.perf_counter(), served.seconds()
    await asyncio.sleep(seconds)
    spent, used, moves = time.perf_counter() - begun, served.seconds() - processor, meter.moves
    meter.stopped = True
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    times = sorted(meter.times)
    frame = meter.bytes / max(meter.frames, 1)
    return Figures(moves / spent, median(times), times[int(len(times) * 0.99)], used / moves * 1e6, frame)


async def ours(game: str, tables: int, pause: float = 0.0) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        served = Served(SERVE, f"{folder}/tables.sqlite")
        try:
            meter = Meter(pause)
            players = [play_ours(served, game, meter, seed) for seed in range(tables)]
            return await measured(served, players, meter, SECONDS)
        finally:
            served.stop()


async def bare(seats: int, size: int, tables: int, pause: float = 0.0) -> Figures:
    served = Served(BARE, str(size))
    try:
        meter = Meter(pause)
        return await measured(
            served, [play_bare(served, seats, meter, f"r{n}") for n in range(tables)], meter, SECONDS
        )
    finally:
        served.stop()


async def idle() -> tuple[int, float]:
    """Sockets that only listen: how many are held, and kilobytes each."""
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
            while welcomed < IDLE:
                await asyncio.sleep(0.05)
            await asyncio.sleep(1.0)
            return len(peers), (served.memory() - before) / IDLE / 1024
        finally:
            served.stop()


def middle(figures: list[Figures]) -> Figures:
    """The median of several runs, figure by figure."""
    return Figures(*(median(getattr(each, name) for each in figures) for name in Figures.__struct_fields__))


async def report(game: str) -> list[Row]:
    _, seats = GAMES[game]
    first = await ours(game, TABLES)
    size = int(first.frame)
    pairs = [(await ours(game, TABLES), await bare(seats, size, TABLES)) for _ in range(ROUNDS)]
    mine, theirs = (middle(list(column)) for column in zip(*pairs, strict=True))
    half = [TABLES / (rate / 2) for rate in (mine.rate, theirs.rate)]
    pairs = [(await ours(game, TABLES, half[0]), await bare(seats, size, TABLES, half[1])) for _ in range(ROUNDS)]
    slow, other = (middle(list(column)) for column in zip(*pairs, strict=True))
    title = f"{game}, {seats} players, frames of {size:,} bytes"
    return [
        Row(
            f"{title}: moves",
            f"{number(mine.rate)}/s",
            f"{number(theirs.rate)}/s",
            f"{mine.rate / theirs.rate:.2f}×",
        ),
        Row("... the server's processor a move", f"{mine.processor:.0f} µs", f"{theirs.processor:.0f} µs"),
        Row(
            f"... at half load ({number(slow.rate)}/s; {number(other.rate)}/s): p50, p99",
            f"{slow.p50 * 1e3:.2f} ms, {slow.p99 * 1e3:.2f} ms",
            f"{other.p50 * 1e3:.2f} ms, {other.p99 * 1e3:.2f} ms",
        ),
    ]


def rows() -> Iterator[Row]:
    for game in GAMES:
        yield from uvloop.run(report(game))
    count, size = uvloop.run(idle())
    yield Row("idle sockets held, memory each", f"{count:,}, {size:.0f} KB")


if __name__ == "__main__":
    for row in rows():
        print(*row, sep="  ", flush=True)
