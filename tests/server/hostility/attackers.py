"""Attackers: each does one bad thing from an address of its own, again and again, until the day is over."""

from __future__ import annotations

import json
import random
import socket
import time
from collections.abc import Callable, Coroutine
from contextlib import ExitStack, suppress

import websockets

from server.hostility.day import Day

Attack = Callable[[Day, str, random.Random, float], Coroutine[None, None, None]]
RECORD = '{"quadriga": 1, "game": "ur", "options": {}, "seats": 2}\n'
HALF = (
    b"GET /api/health HTTP/1.1\r\nHost: loc",
    b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
    b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
    b"\r\n",
    b"",
)
LOOK_ALIKES = {"A": "АΑ", "n": "ոп", "e": "еҽ", "o": "оο", "P": "РΡ", "r": "г", "s": "ѕ"}
HELD = 20  # half-sent requests at once


async def half_requests(day: Day, source: str, rng: random.Random, pause: float) -> None:
    """Send requests that never end, and keep the connections."""
    with ExitStack() as all_held:
        held: list[socket.socket] = []
        while not day.is_over.is_set():
            with suppress(OSError):
                made = socket.create_connection(("127.0.0.1", day.server.own_port), 5.0, (source, 0))
                held.append(all_held.enter_context(made))
                made.sendall(rng.choice(HALF))
                day.counts["half requests"] += 1
            if len(held) > HELD:
                held.pop(0).close()
            await day.wait(pause)


def posting(kind: str, paths: list[str], body: Callable[[Day, random.Random], object], joined: str = "") -> Attack:
    """Return an attack that sends bodies to one of some paths, as nobody, a guest or a member."""

    async def attack(day: Day, source: str, rng: random.Random, pause: float) -> None:
        cookie = ""
        if joined:
            cookie = (await day.ask(source, "POST", "/api/me", {})).cookie
        if joined == "member":
            await day.ask(source, "POST", "/api/me/keep", {"name": f"M{source[6:]}"}, cookie=cookie)
        while not day.is_over.is_set():
            answer = await day.ask(source, "POST", rng.choice(paths), body(day, rng), cookie=cookie)
            day.counts[f"{kind}: {answer.status}"] += 1
            await day.wait(pause)

    return attack


async def look_alikes(day: Day, source: str, rng: random.Random, pause: float) -> None:
    """Become a guest, and try to be called nearly as people are."""
    while not day.is_over.is_set():
        cookie = (await day.ask(source, "POST", "/api/me", {})).cookie
        name = "".join(rng.choice(LOOK_ALIKES.get(each, each) + each) for each in f"Person {rng.randrange(9)}")
        answer = await day.ask(source, "POST", "/api/me/keep", {"name": name}, cookie=cookie)
        day.counts[f"look-alike names: {answer.status}"] += 1
        await day.wait(pause)


def watching(kind: str, messages: list[dict[str, object]], count: int) -> Attack:
    """Return an attack on the tables of people: come, send messages, and leave without a word."""

    async def attack(day: Day, source: str, rng: random.Random, pause: float) -> None:
        while not day.is_over.is_set():
            with suppress(OSError, websockets.WebSocketException):
                line = await day.connect(source, rng.choice(sorted(day.tables) or ["none"]))
                await line.send(json.dumps({"type": "hello", "name": "Person 1", "explain": False}))
                for _ in range(count):
                    await line.send(json.dumps(rng.choice(messages)))
                    day.counts[f"{kind}: sent"] += 1
                    await day.wait(pause / 10)
                line.transport.abort()
                day.counts[kind] += 1
            await day.wait(pause)

    return attack


def _report(day: Day, rng: random.Random) -> object:
    table = rng.choice(sorted(day.tables) or ["none"])
    return {"table": table, "seat": rng.randrange(2), "reason": "spam", "note": "x" * rng.randrange(100)}


def _league(day: Day, rng: random.Random) -> object:
    return {"name": f"Circus {rng.random()}", "games": [{"game": "ur", "options": {"rules": "blitz"}}]}


def _table(day: Day, rng: random.Random) -> object:
    seats = [{"kind": "me"}, {"kind": "bot"}]
    return {"game": "ur", "name": "Person 1", "seats": seats, "start": True, "pace": 0, "public": True}


def _tournament(day: Day, rng: random.Random) -> object:
    starts = round(time.time() * 1000) + 600_000
    game = {"game": "ur", "options": {"markers": 1}, "seats": 2}
    return {"title": f"Cup {rng.random()}"[:12], "name": "Eve", "kind": "knockout", "starts": starts, **game}


ATTACKS: dict[str, Attack] = {
    "half requests": half_requests,
    "uploads": posting(
        "uploads",
        ["/api/records", "/api/records/replay"],
        lambda day, rng: {"record": RECORD + " " * rng.randrange(2**20)},
    ),
    "reviews": posting(
        "reviews", ["/api/reviews"], lambda day, rng: {"record": RECORD + "\n" * rng.randrange(10**4)}
    ),
    "guests": posting("guests", ["/api/me"], lambda day, rng: {}),
    "tables": posting("tables", ["/api/tables"], _table),
    "look-alike names": look_alikes,
    "chats": watching("chats", [{"type": "chat", "text": "salve " * 40}], 100),
    "votes": watching(
        "votes", [{"type": "vote", "kind": "pause"}, {"type": "vote", "kind": "remove", "seat": 0}], 20
    ),
    "reconnects": watching("reconnects", [{"type": "ping"}], 1),
    "reports": posting("reports", ["/api/reports"], _report, "guest"),
    "leagues": posting("leagues", ["/api/leagues"], _league, "member"),
    "tournaments": posting("tournaments", ["/api/tournaments"], _tournament, "member"),
}
