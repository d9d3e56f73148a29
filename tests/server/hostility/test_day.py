"""A day of hostility: all attacks at once beside people who play, and nobody's game is disturbed.

`make soak` holds it for an hour with 300 rooms. Environment variables set other numbers: QUADRIGA_HOSTILE_ROOMS,
QUADRIGA_HOSTILE_SECONDS, QUADRIGA_HOSTILE_ATTACKERS and QUADRIGA_HOSTILE_THINK.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from pathlib import Path

import pytest

from server.hostility.attackers import ATTACKS
from server.hostility.day import Day
from server.hostility.people import room
from soak import SOAK, count

ROOMS = count(3, 300, "HOSTILE_ROOMS")
SECONDS = count(6, 3600, "HOSTILE_SECONDS")
ATTACKERS = count(1, 10, "HOSTILE_ATTACKERS")  # of each kind, each with an address of its own
THINK = count(0, 3, "HOSTILE_THINK") or 0.1  # seconds, on average
PAUSE = 0.25 if not SOAK else 0.1  # of an attacker, seconds
KILL_EVERY = max(SECONDS / 2.5, 3.0) if SECONDS < 900 else 600.0
GOES_ON = 3  # moves of a room after a kill
BASE_MB, ROOM_MB = 400.0, 0.4  # the bound of memory: the process, and each of its tables
LOG_BYTES = 1_000_000

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a network of loopback addresses")


async def test_a_day_of_hostility_disturbs_no_game(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    day = Day(tmp_path)
    day.server.start()
    try:
        rooms = [asyncio.create_task(room(day, number, THINK)) for number in range(ROOMS)]
        while len(day.tables) < ROOMS:
            await asyncio.sleep(0.05)
            for each in rooms:
                assert not each.done(), each.exception()
        attacks = [
            asyncio.create_task(attack(day, f"127.9.{kind}.{1 + number}", random.Random(number), PAUSE))
            for kind, attack in enumerate(ATTACKS.values())
            for number in range(ATTACKERS)
        ]
        await _last(day, [*rooms, *attacks])
        day.is_over.set()
        await asyncio.gather(*rooms, *attacks)
        await day.measure()
        figures = day.figures()
        with capfd.disabled():
            print(f"\n{ROOMS} rooms, {SECONDS} s: {json.dumps(figures)}" if SOAK else "", end="")
    finally:
        day.is_over.set()
        day.server.kill(9)

    assert day.broken == 0
    assert len(day.kills) >= 2
    for megabytes, tables in day.megabytes:
        assert megabytes < BASE_MB + ROOM_MB * tables, (megabytes, tables)
    assert figures["log_bytes"] < LOG_BYTES
    for kind in ATTACKS:
        assert any(key.startswith(kind) for key in day.counts), (kind, day.counts)


async def _last(day: Day, tasks: list[asyncio.Task[None]]) -> None:
    """Let the day pass: kill the server now and then, and measure it. It ends when all games go on after a kill."""
    end = time.monotonic() + SECONDS
    kill_at = time.monotonic() + KILL_EVERY
    assert kill_at < end
    while time.monotonic() < end or any(day.moves[each] < GOES_ON for each in range(ROOMS)):
        done, _ = await asyncio.wait(tasks, timeout=1.0, return_when=asyncio.FIRST_COMPLETED)
        for each in done:
            each.result()
        await day.measure()
        if kill_at < time.monotonic() < end:
            await day.kill()
            kill_at = time.monotonic() + KILL_EVERY
