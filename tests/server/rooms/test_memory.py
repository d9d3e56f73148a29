"""Memory: rooms that come, are played in and go leave nothing behind, also while another room is always busy."""

from __future__ import annotations

import asyncio
import itertools
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from server.support.harness import Client, Server
from soak import SOAK, count

ROOMS = count(12, 500, "ROOMS")
SECONDS = count(0, 3600, "SECONDS")
ROUNDS = count(5, 10**9)  # or as many as there is time for
MOVES = 12  # of each person, in a room
WATCHERS = count(8, 1)  # who look into a room
PACE = count(0, 3, "PACE")  # seconds that people think, on average
BUSY_PACE = 1  # ... in the room that is always busy
SETTLED = 0.25  # of the rounds, after which memory is flat
LEFT_MB = 0.06 if not SOAK else 0.002  # a room; one that is not freed leaves 0.15 and more
LEFT_OBJECTS = 100 if not SOAK else 5  # a room; its websockets alone left 200 as long as they were not freed
GAMES = [("ur", 2, {}), ("ave-caesar", 4, {"courses": ["white cw"]}), ("ben-hvrt", 4, {"series": [1]})]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")


def _megabytes(server: Server) -> float:
    return int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * 4096 / 2**20


async def _room(server: Server, number: int, moves: int = MOVES, pace: float = PACE) -> None:
    """Create a room, let people play in it and others watch, and leave."""
    game, seats, options = GAMES[number % len(GAMES)]
    more = {"options": options, "dice": {"kind": "seeded", "seed": number}}
    table, token = await asyncio.to_thread(server.create, game, " ".join(["me"] * seats), **more)
    clients = [await server.connect(table, token, seat=seat) for seat in range(seats)]
    rng, left = random.Random(number), moves * seats
    watchers = [await server.connect(table) for _ in range(WATCHERS)]

    async def play(client: Client) -> None:
        nonlocal left
        while left > 0 and not client.over:
            said = await client.hear()
            if said["type"] in ("view", "news") and client.legal:
                left -= 1
                await asyncio.sleep(rng.uniform(0, 2 * pace))
                if rng.randrange(MOVES) == 0:
                    await client.act("nonsense")
                await client.act(rng.choice([each["text"] for each in client.legal if not each.get("family")]))

    playing = [asyncio.create_task(play(client)) for client in clients]
    try:
        done, _ = await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.gather(*done)
    finally:
        for task in playing:
            task.cancel()
    for client in clients + watchers:
        client.socket.transport.abort()
        await client.close()


async def _be_busy(server: Server) -> None:
    """Play one game of Ur after the other."""
    for number in itertools.count():
        await _room(server, number * len(GAMES), 10**9, BUSY_PACE)


async def _emptied(server: Server) -> None:
    """Wait until the server holds no room in memory any more, except the busy one."""
    while (await asyncio.to_thread(server.get, "/api/health"))["tables"] > 1:
        await asyncio.sleep(0.05)


async def test_rooms_that_end_give_their_memory_back(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    server = Server(tmp_path / "tables.sqlite", idle=0.2).start()
    used: list[float] = []
    objects: list[int] = []
    busy = asyncio.create_task(_be_busy(server))
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
            objects.append(await asyncio.to_thread(server.process.objects))
            assert not busy.done()
            if SOAK:  # an hour: say how it goes
                passed = int(time.monotonic() - began)
                with capfd.disabled():
                    print(
                        f"{passed} s, {len(used) * ROOMS} rooms: {used[-1]:.0f} MB, {objects[-1]:,} objects",
                        flush=True,
                    )
    finally:
        busy.cancel()
        server.kill()
    assert _left_by_a_room(used) < LEFT_MB, used
    assert _left_by_a_room(objects) < LEFT_OBJECTS, objects


def _left_by_a_room(counts: Sequence[float]) -> float:
    settled = counts[int(len(counts) * SETTLED) :]
    assert len(settled) > 2
    return (settled[-1] - settled[0]) / ((len(settled) - 1) * ROOMS)
