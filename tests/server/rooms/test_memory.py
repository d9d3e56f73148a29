"""Memory: rooms that come, are played in and go leave nothing behind."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from pathlib import Path

import pytest

from server.support.harness import Server
from soak import SOAK, count

ROOMS = count(12, 500, "ROOMS")
SECONDS = count(0, 3600, "SECONDS")
ROUNDS = count(8, 10**9)  # or as many as there is time for
MOVES = 12  # of each person, in a room
SETTLED = 0.25  # of the rounds, after which memory is flat
LEFT_MB = 0.06 if not SOAK else 0.002  # a room; one that is not freed leaves 0.15 and more
GAMES = [("ur", 2, {}), ("ave-caesar", 4, {"courses": ["white cw"]}), ("ben-hvrt", 4, {"series": [1]})]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")


def _megabytes(server: Server) -> float:
    return int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * 4096 / 2**20


async def _room(server: Server, number: int) -> None:
    """Create a room, play in it, and leave."""
    game, seats, options = GAMES[number % len(GAMES)]
    more = {"options": options, "dice": {"kind": "seeded", "seed": number}}
    table, token = await asyncio.to_thread(server.create, game, " ".join(["me"] * seats), **more)
    clients = [await server.connect(table, token, seat=seat) for seat in range(seats)]
    rng = random.Random(number)
    for client in clients:
        await client.until("view")
    for _ in range(MOVES * seats):
        for client in clients:
            if client.legal:
                texts = [each["text"] for each in client.legal if not each.get("family")]
                await client.act(rng.choice(texts), ref="r")
                await client.until("done")
            await client.say(type="ping")
            await client.until("pong")
    for client in clients:
        await client.close()


async def _emptied(server: Server) -> None:
    """Wait until the server holds no room in memory any more."""
    while "quadriga_tables{" in server.get("/metrics"):
        await asyncio.sleep(0.05)


async def test_rooms_that_end_give_their_memory_back(tmp_path: Path):
    server = Server(tmp_path / "tables.sqlite", idle=0.2, metrics=("127.0.0.1",)).start()
    used: list[float] = []
    try:
        began = time.monotonic()
        while len(used) < ROUNDS and (not SOAK or time.monotonic() - began < SECONDS):
            turn, first = asyncio.Semaphore(count(4, ROOMS)), len(used) * ROOMS

            async def one(number: int, turn: asyncio.Semaphore = turn) -> None:
                async with turn:
                    await _room(server, number)

            await asyncio.gather(*(one(first + n) for n in range(ROOMS)))
            await _emptied(server)
            used.append(_megabytes(server))
    finally:
        server.kill()
    settled = used[int(len(used) * SETTLED) :]
    assert len(settled) > 2
    growth = (settled[-1] - settled[0]) / ((len(settled) - 1) * ROOMS)
    assert growth < LEFT_MB, used
