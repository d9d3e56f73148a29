"""Fuzzed messages: no traceback, and a game in another room goes on as if nothing happened."""

from __future__ import annotations

import asyncio
import json
import random
import string
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from server.support.command_line import CommandLineServer
from server.support.harness import QUICK, Client
from soak import count

MESSAGES = count(3_000, 100_000, "MESSAGES")
AT_ONCE = 200  # messages between two round trips
FREE = [part for name in QUICK for part in ("--limit", f"{name}={QUICK[name]:.0f}") if name != "window_beat"]

VALID: list[dict[str, Any]] = [
    {"type": "hello", "token": None, "seat": 0, "after": 3, "explain": True, "name": "Ann"},
    {"type": "act", "number": 1, "action": "0-2", "seat": 0, "ref": "a"},
    {"type": "roll", "number": 1, "seat": 0},
    {"type": "undo", "number": 1, "seat": 1},
    {"type": "look", "seat": 1, "after": None},
    {"type": "stops", "windows": ["RO", "PA"], "seat": 0},
    {"type": "word", "word": "carpe", "seat": 0},
    {"type": "chat", "text": "salve"},
    {"type": "mute", "name": "Bob", "on": True},
    {"type": "vote", "kind": "pause", "seat": 1, "on": True},
    {"type": "why", "seat": 0},
    {"type": "back"},
    {"type": "ping", "ref": "p"},
]
VALUES: list[Any] = [None, True, -1, 0, 99, 2**31, 2**63, -(2**70), 1e308, "", "x" * 3000, "\x00", "é\ud83d\ude00"]
VALUES += [[], {}, [[]], {"a": {"b": []}}, ["RO"] * 40, "pass", "0-2", "remove"]


def mutated(rng: random.Random) -> str | bytes:
    """A message that was valid before something was done to it."""
    message = dict(rng.choice(VALID))
    for _ in range(rng.randrange(4)):
        key = rng.choice([*message, "type", "seat", "number", "".join(rng.choices(string.ascii_letters, k=3))])
        if rng.random() < 0.2:
            message.pop(key, None)
        else:
            message[key] = rng.choice(VALUES)
    text = json.dumps(message)
    match rng.randrange(12):
        case 0:
            return text[: rng.randrange(len(text))]
        case 1:
            at = rng.randrange(len(text))
            return text[:at] + rng.choice(string.printable) + text[at + 1 :]
        case 2:
            return text.encode()  # a binary frame
        case 3:
            return rng.randbytes(rng.randrange(60))
        case 4:
            return rng.choice(["[" * 5_000, '{"a":' * 5_000, "9" * 9_000, text * 300, "", "null"])
        case _:
            return text


async def _flood(server: CommandLineServer, table: str, token: str, rng: random.Random) -> int:
    """Send fuzzed messages on one socket until the server closes it or enough are sent; return how many."""
    client = await server.connect(table, token if rng.random() < 0.8 else None)
    sent = 0
    try:
        await client.until("welcome")
        while sent < AT_ONCE:
            await client.socket.send(mutated(rng))
            sent += 1
        await client.say(type="ping", ref="alive?")
        while True:
            said = json.loads(await client.socket.recv())
            assert said["type"] != "refused" or said["code"] != "wire.fault", said
            if said["type"] == "pong" and said["ref"] == "alive?":
                break
    except ConnectionClosed:
        pass
    await client.close()
    return sent


async def _play_beside(clients: list[Client], stop: asyncio.Event) -> int:
    """Let two people play in turn; return the number of moves, each of which was acknowledged."""
    moves = 0
    while not stop.is_set() and not clients[0].over:
        for client in clients:
            if client.legal:
                ref = f"m{moves}"
                await client.act(client.legal[0]["text"], ref=ref)
                await client.until("done", ref=ref)
                moves += 1
        for client in clients:
            await client.say(type="ping", ref="turn")
            await client.until("pong", ref="turn")
    return moves


async def test_fuzzed_messages_leave_no_trace_and_no_mark_on_other_rooms(tmp_path: Path):
    server, rng = CommandLineServer(tmp_path, *FREE).start(), random.Random(5)
    try:
        attacked = [server.create("ur", "me me"), server.create("ben-hvrt", "me bot", options={"series": [1]})]
        table, token = server.create("ave-caesar", "me me me")
        beside = [await server.connect(table, token, seat=seat) for seat in range(3)]
        for client in beside:
            await client.until("view")
        stop = asyncio.Event()
        playing = asyncio.create_task(_play_beside(beside, stop))
        sent = 0
        while sent < MESSAGES:
            sent += sum(await asyncio.gather(*(_flood(server, *rng.choice(attacked), rng) for _ in range(3))))
        stop.set()
        assert await playing > 0
        assert not any(client.refused for client in beside)
        assert server.call("GET", "/api/health")[0] == 200
        log = server.log.read_text("utf-8", "replace")
        assert "Traceback" not in log, log[-3000:]
        assert server.running.poll() is None
    finally:
        for client in beside:
            await client.close()
        server.kill()
