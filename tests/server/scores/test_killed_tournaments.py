"""Servers are killed while people play a tournament: no round, table or result is lost or doubled."""

from __future__ import annotations

import asyncio
import http.client
import random
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from quadriga.lab.tournament import published
from quadriga.lab.tournament.log import Pair, Result
from quadriga.server.scores.tournaments.store import TournamentStore
from quadriga.server.storage.address import open_store
from server.scores.test_large_tournaments import MANY
from server.scores.test_tournaments import ended, organise
from server.support.devices import Device
from server.support.harness import Server
from server.support.services import own_services
from soak import count

PEOPLE = count(4, 24)
FAULTS = (ConnectionClosed, InvalidHandshake, OSError, TimeoutError, http.client.HTTPException)


class Person:
    """Somebody who plays on at whatever server answers."""

    def __init__(self, servers: list[Server], seed: int, watcher: Person | None = None) -> None:
        self.servers, self.chance, self.watcher = servers, random.Random(seed), watcher
        self.rounds = 0  # in how many a server was killed, as a watcher knows
        self.device = Device(servers[0])

    async def look(self, tournament: str) -> dict[str, Any]:
        """Return the tournament, from the first server that answers."""
        while True:
            try:
                status, found = await self.device.call("GET", f"/api/tournaments/{tournament}")
                if status == 200:
                    return dict(found)
            except FAULTS:
                pass
            await asyncio.sleep(0.05)
            self.device.server = self.chance.choice(self.servers)

    async def play(self, tournament: str) -> None:
        """Play every game until the tournament is over; a game begins when a server was killed in its round."""
        assert self.watcher is not None
        while not ended(found := await self.look(tournament)):
            if found["table"] is None or found["tournament"]["summary"]["round"] > self.watcher.rounds:
                await asyncio.sleep(0.05)
                continue
            try:
                client = await self.device.connect(found["table"], explain=False)
                try:
                    await client.until("welcome")
                    await client.play(self.chance)
                finally:
                    await client.close()
            except FAULTS:
                self.device.server = self.chance.choice(self.servers)


async def kill_often(servers: list[Server], watcher: Person, tournament: str) -> int:
    """Kill a server as soon as a round is paired, and again while it is played; return how often."""
    kills, chance = 0, random.Random(5)
    while not ended(found := await watcher.look(tournament)):
        number = found["tournament"]["summary"]["round"]
        if number == watcher.rounds:
            await asyncio.sleep(0.005)
            continue
        for wait_s in (0.0, chance.uniform(0.1, 0.6)):
            await asyncio.sleep(wait_s)
            one = chance.choice(servers)
            await asyncio.to_thread(one.kill)
            await asyncio.to_thread(one.start)
            kills += 1
            watcher.rounds = number
    return kills


async def tournament_with_kills(servers: list[Server], kind: str) -> tuple[str, int]:
    """Play a tournament while servers are killed; return it, and the number of kills."""
    watcher = Person(servers, PEOPLE)
    people = [Person(servers, seed, watcher) for seed in range(PEOPLE)]
    for each in people:
        await each.device.post("/api/me", {"label": "test"})
    tournament = await organise(people[0].device, [each.device for each in people], kind=kind, rounds=2, appear=120)
    await people[0].device.post(f"/api/tournaments/{tournament}/begin")
    playing = asyncio.gather(*(each.play(tournament) for each in people))
    kills = await kill_often(servers, watcher, tournament)
    await playing
    return tournament, kills


async def check(address: Any, tournament: str) -> None:
    """Check the log, and that there are exactly the tables that it names."""
    store = await open_store(address)
    try:
        log: published.PublishedLog = await TournamentStore(store).published(
            await TournamentStore(store).find(tournament)
        )
        tables = sorted(each for pairing in log.events if isinstance(pairing, Pair) for each in pairing.ids)
        results = [each for each in log.events if isinstance(each, Result)]
        assert log.first_wrong() is None
        assert log.pairings >= 2
        assert sorted(each.table for each in results) == tables == sorted(await store.room_ids())
        assert {each.why for each in results} == {"played"}
    finally:
        await store.close()


async def test_a_server_killed_in_every_round_loses_and_doubles_nothing(tmp_path: Path):
    server = Server(tmp_path / "t.sqlite", **MANY).start()
    try:
        tournament, kills = await tournament_with_kills([server], "knockout")
    finally:
        server.kill()
    assert kills >= 4
    await check(server.store, tournament)


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["knockout", "swiss"])
async def test_two_processes_of_which_one_is_killed_in_every_round_lose_and_double_nothing(kind: str):
    with own_services() as (postgres, redis):
        database = postgres.new_database()
        servers = [Server(database, pubsub=redis.url, **MANY).start() for _ in range(2)]
        try:
            tournament, kills = await tournament_with_kills(servers, kind)
        finally:
            for each in servers:
                each.kill()
        assert kills >= 4
        await check(database, tournament)
