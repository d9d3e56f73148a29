"""A tournament of many people, who all play: on one server process, to the last result."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any

import psutil
import pytest

from quadriga.lab.tournament.log import Enter, Pair, Result, points
from server.scores.test_tournaments import MUCH, ended, log_of, organise, until
from server.support.devices import Device
from server.support.harness import Server
from server.support.in_process import in_process

MANY = {**MUCH, "guests": 1e6, "guest_burst": 1e6}
AT_ONCE = 25  # tables at which people sit


class Crowd:
    """People who play every game of a tournament. They enter in the order of their numbers."""

    def __init__(self, server: Server, count: int) -> None:
        self.devices = [Device(server) for _ in range(count)]
        self.tournament = ""
        self.played: set[str] = set()
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def arrive(self, **more: Any) -> None:
        """Enter a new tournament, which begins with the last of them."""
        for each in self.devices:
            await each.post("/api/me", {"label": "test"})
        self.tournament = await organise(self.devices[0], self.devices, most=512, appear=120, **more)
        await self.devices[0].post(f"/api/tournaments/{self.tournament}/begin")

    async def play(self) -> dict[str, Any]:
        """Play round after round; return the tournament after the last one."""
        number = 0
        while True:
            found = await self._news(number)
            summary = found["tournament"]["summary"]
            if ended(found):
                return found
            number = summary["round"]
            tables = next(each for each in found["tournament"]["now"] if each["round"] == number)["tables"]
            await asyncio.gather(*(self._play(each) for each in tables))

    async def play_arena(self) -> dict[str, Any]:
        """Play the tables of an arena as they are made, until it is over; return it."""
        begun: dict[str, asyncio.Task[None]] = {}
        while True:
            found: dict[str, Any] = await self.devices[0].get(f"/api/tournaments/{self.tournament}")
            for table in found["tournament"]["now"][0]["tables"]:
                if table["gained"] is None and table["id"] not in begun:
                    begun[table["id"]] = asyncio.create_task(self._play(table))
            if ended(found):
                await asyncio.gather(*begun.values())
                return found
            await asyncio.sleep(1)

    async def _news(self, number: int) -> dict[str, Any]:
        """Wait for the round after this one, or the end."""
        return await until(self.devices[0], self.tournament, lambda found: has_news(found, number))

    async def _play(self, table: dict[str, Any]) -> None:
        async with self._slots:
            people = [self.devices[each] for each in table["players"]]
            for each in people:
                await until(each, self.tournament, lambda found: found["table"] == table["id"])
            clients = [await each.connect(table["id"], explain=False) for each in people]
            for seat, client in enumerate(clients):
                assert (await client.until("welcome"))["seat"] == seat
            await asyncio.gather(*(each.play(random.Random(table["id"])) for each in clients))
            for client in clients:
                await client.close()
            self.played.add(table["id"])


def has_news(found: dict[str, Any], number: int) -> bool:
    summary = found["tournament"]["summary"]
    return bool(ended(found) or summary["round"] > number)


async def check(crowd: Crowd, found: dict[str, Any]) -> None:
    """Check that every game has counted once, and that the standings are what the games say."""
    log = await log_of(crowd.devices[0], crowd.tournament)
    assert log.first_wrong() is None
    assert [each.player for each in log.events if isinstance(each, Enter)] == list(range(len(crowd.devices)))
    pairings = [each for each in log.events if isinstance(each, Pair)]
    results = [each for each in log.events if isinstance(each, Result)]
    tables = {name: players for each in pairings for name, players in zip(each.ids, each.tables, strict=True)}
    assert sorted(each.table for each in results) == sorted(tables) == sorted(crowd.played)
    assert {each.why for each in results} == {"played"}
    gained = Counter[int](dict.fromkeys(range(len(crowd.devices)), 0))
    for each in results:
        for player, share in zip(tables[each.table], points(each.places), strict=True):
            gained[player] += share
    gained.update({player: points([1])[0] * times for player, times in byes(pairings).items()})
    standings = found["tournament"]["standings"]
    shown = {each["player"]: each["points"] for each in standings}
    assert shown == {player: pytest.approx(points / 55_440, abs=0.001) for player, points in gained.items()}
    assert {each["name"] for each in standings} == {f"Guest {number}" for number in range(len(crowd.devices))}


def byes(pairings: list[Pair]) -> Counter[int]:
    return Counter(player for each in pairings for player in each.byes)


async def test_of_twenty_people_who_all_play_one_wins_the_knockout(tmp_path: Path):
    async with in_process(tmp_path / "t", **MANY) as server:
        crowd = Crowd(server, 20)
        await crowd.arrive()
        found = await crowd.play()
        await check(crowd, found)
        assert [each["place"] for each in found["tournament"]["standings"]].count(1) == 1
        assert len(crowd.played) == 19


VISITOR = """
import sys, time, urllib.request
while True:
    begun = time.perf_counter()
    urllib.request.urlopen(sys.argv[1]).read()
    print(1000 * (time.perf_counter() - begun), flush=True)
    time.sleep(0.1)
"""


@asynccontextmanager
async def measured(server: Server, name: str) -> AsyncIterator[None]:
    """Print what the server needs meanwhile, and how long the first page takes for another process."""
    process, arguments = psutil.Process(server.process.pid), (sys.executable, "-c", VISITOR, server.address)
    visitor = await asyncio.create_subprocess_exec(*arguments, stdout=asyncio.subprocess.PIPE)
    before, begun = sum(process.cpu_times()[:2]), time.perf_counter()
    try:
        yield
    finally:
        visitor.kill()
    shown, _ = await visitor.communicate()
    used, took = sum(process.cpu_times()[:2]) - before, time.perf_counter() - begun
    memory, percent = process.memory_info().rss / 2**20, quantiles(map(float, shown.split()), n=100)
    print(f"{name}: {used:.1f} s of processor in {took:.0f} s, {memory:.0f} MiB", end="; ")
    print(f"the first page {percent[49]:.1f} ms, p99 {percent[98]:.1f} ms", flush=True)


CAESAR = {"game": "ave-caesar", "options": {"courses": ["white cw"]}, "seats": 4}
FIVE_HUNDRED: list[tuple[dict[str, Any], int | None]] = [
    ({"kind": "knockout"}, 499),
    ({"kind": "swiss", "rounds": 2}, 500),
    ({"kind": "swiss", "rounds": 2, **CAESAR}, 250),
    ({"kind": "arena", "minutes": 3}, None),
]


@pytest.mark.soak
@pytest.mark.parametrize(("plan", "games"), FIVE_HUNDRED, ids=["knockout", "swiss", "swiss of four", "arena"])
async def test_five_hundred_people_play_a_tournament_on_one_process(
    tmp_path: Path, plan: dict[str, Any], games: int | None
):
    server = Server(tmp_path / "t", **MANY).start()
    try:
        crowd = Crowd(server, 500)
        async with measured(server, f"{plan}: to enter"):
            await crowd.arrive(**plan)
        async with measured(server, f"{plan}: to play"):
            found = await (crowd.play_arena() if plan["kind"] == "arena" else crowd.play())
        print(f"{plan}: {len(crowd.played)} games, {found['tournament']['summary']['round']} rounds")
        await check(crowd, found)
        assert len(crowd.played) == games if games else len(crowd.played) >= 250
    finally:
        server.kill()
