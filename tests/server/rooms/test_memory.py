"""Memory: rooms that come, are played in and go leave nothing behind."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from pathlib import Path

import pytest

from server.support.harness import Client, Server
from soak import SOAK, count

ROOMS = count(12, 500, "ROOMS")
SECONDS = count(0, 3600, "SECONDS")
ROUNDS = count(5, 10**9)  # or as many as there is time for
MOVES = 12  # of each person, in a room
PACE = count(0, 3, "PACE")  # seconds that people think, on average
SETTLED = 0.25  # of the rounds, after which memory is flat
LEFT_MB = 0.06 if not SOAK else 0.002  # a room; one that is not freed leaves 0.15 and more
GAMES = [("ur", 2, {}), ("ave-caesar", 4, {"courses": ["white cw"]}), ("ben-hvrt", 4, {"series": [1]})]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")


def _megabytes(server: Server) -> float:
    return int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * 4096 / 2**20


async def _room(server: Server, number: int) -> None:
    """Create a room, let people play in it, and leave."""
    game, seats, options = GAMES[number % len(GAMES)]
    more = {"options": options, "dice": {"kind": "seeded", "seed": number}}
    table, token = await asyncio.to_thread(server.create, game, " ".join(["me"] * seats), **more)
    clients = [await server.connect(table, token, seat=seat) for seat in range(seats)]
    rng, left = random.Random(number), MOVES * seats

    async def play(client: Client) -> None:
        nonlocal left
        while left > 0 and not client.over:
            said = await client.hear()
            if said["type"] in ("view", "news") and client.legal:
                left -= 1
                await asyncio.sleep(rng.uniform(0, 2 * PACE))
                await client.act(rng.choice([each["text"] for each in client.legal if not each.get("family")]))

    playing = [asyncio.create_task(play(client)) for client in clients]
    done, others = await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
    for task in others:
        task.cancel()
    await asyncio.gather(*done)
    for client in clients:
        await client.close()


async def _emptied(server: Server) -> None:
    """Wait until the server holds no room in memory any more."""
    while "quadriga_tables{" in server.get("/metrics"):
        await asyncio.sleep(0.05)


async def test_rooms_that_end_give_their_memory_back(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
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
            if SOAK:  # an hour: say how it goes
                passed = int(time.monotonic() - began)
                with capfd.disabled():
                    print(f"{passed} s, {len(used) * ROOMS} rooms: {used[-1]:.0f} MB", flush=True)
    finally:
        server.kill()
    settled = used[int(len(used) * SETTLED) :]
    assert len(settled) > 2
    growth = (settled[-1] - settled[0]) / ((len(settled) - 1) * ROOMS)
    assert growth < LEFT_MB, used
