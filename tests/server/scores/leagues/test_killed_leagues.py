"""Servers are killed as games of a league end: its table is the one that the logs give, nothing lost or doubled."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from quadriga.server.scores.results import result_of
from quadriga.server.state.replaying import replay
from quadriga.server.storage.address import open_store
from quadriga.server.storage.leagues_schema import LEAGUE_GAMES
from quadriga.server.storage.scores_schema import RESULT_PLAYERS, RESULTS
from server.lobby.test_live import MANY
from server.scores.test_killed_tournaments import FAULTS
from server.support.devices import Device
from server.support.harness import Server
from server.support.services import own_services
from soak import count

PAIRS = count(2, 10)
GAMES = count(2, 6)  # of each pair: a table, and its rematches
MOST_KILLS = count(3, 60)
UR = {"game": "ur", "options": {"markers": 1, "rules": "blitz"}}


class Member:
    """A member of the league, who asks and plays on at whatever server answers."""

    def __init__(self, servers: list[Server], name: str, seed: int) -> None:
        self.servers, self.name, self.chance = servers, name, random.Random(seed)
        self.device = Device(servers[0])

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask until a server answers; a repeated question must be harmless."""
        while True:
            try:
                status, found = await self.device.call(method, path, body)
                if status in (200, 201):
                    return found
                assert status in (409, 503), found  # done already, or the store fails for a moment
                if status == 409 and found["code"] != "table.again":
                    return None
            except FAULTS:
                pass
            await asyncio.sleep(0.05)
            self.device.server = self.chance.choice(self.servers)

    async def play(self, table: str) -> None:
        """Play a game to its end."""
        while True:
            try:
                client = await self.device.connect(table, explain=False)
                try:
                    await client.until("welcome")
                    await client.play(self.chance)
                    return
                finally:
                    await client.close()
            except FAULTS:
                await asyncio.sleep(0.05)
                self.device.server = self.chance.choice(self.servers)


async def play_games(one: Member, other: Member, league: str, played: list[str]) -> None:
    """Play a game of the league, and its rematches."""
    asked = {"name": one.name, "seats": [{"kind": "me"}, {"kind": "open"}], "league": league, "game": "ur"}
    table = (await one.ask("POST", "/api/tables", asked))["table"]["id"]
    await other.ask("POST", f"/api/tables/{table}/join", {"name": other.name})
    await one.ask("POST", f"/api/tables/{table}/start", {})
    for number in range(GAMES):
        if number:
            made = [await each.ask("POST", f"/api/tables/{table}/rematch", {}) for each in (one, other)]
            table = made[1]["table"]["id"]
        played.append(table)
        await asyncio.gather(one.play(table), other.play(table))


async def kill_at_ends(servers: list[Server], watcher: Member, played: list[str]) -> int:
    """Kill a server as soon as a game has ended, sometimes a moment later; return how often."""
    seen: set[str] = set()
    while len(seen) < PAIRS * GAMES and len(seen) < MOST_KILLS:
        for table in [each for each in played if each not in seen]:
            if (await watcher.ask("GET", f"/api/tables/{table}"))["status"] == "over":
                seen.add(table)
                await asyncio.sleep(watcher.chance.choice((0.0, 0.0, 0.02, 0.1)))
                one = watcher.chance.choice(servers)
                await asyncio.to_thread(one.kill)
                await asyncio.to_thread(one.start)
        await asyncio.sleep(0.01)
    return len(seen)


async def season_with_kills(servers: list[Server]) -> tuple[list[str], list[dict[str, Any]], int]:
    """Play a season; return its tables, the league's table, and the number of kills."""
    members = [Member(servers, f"Member {number}", number) for number in range(2 * PAIRS)]
    for each in members:
        await each.device.member(each.name)
    owner = members[0]
    league = await owner.ask("POST", "/api/leagues", {"name": "Circus", "games": [UR]})
    path = f"/api/leagues/{league['id']}"
    for each in members[1:]:
        await each.ask("POST", f"{path}/join", {"code": league["code"]})
    played: list[str] = []
    playing = asyncio.gather(
        *(play_games(*pair, league["id"], played) for pair in zip(members[:PAIRS], members[PAIRS:], strict=True))
    )
    kills = await kill_at_ends(servers, Member(servers, "", 99), played)
    await playing
    while (shown := await owner.ask("GET", path))["counted"] < len(played):
        await asyncio.sleep(0.05)
    await owner.ask("POST", f"{path}/corrections", {"kind": "exclude", "table": played[0], "reason": "a test"})
    shown = await owner.ask("GET", path)
    assert shown["counted"] == len(played) - 1
    return played, shown["table"], kills


async def check(address: Any, played: list[str], table: list[dict[str, Any]]) -> None:
    """Check the league's table, and what is stored, by the logs of its games."""
    store = await open_store(address)
    try:
        own = sa.select(LEAGUE_GAMES.c.table_id).where(LEAGUE_GAMES.c.table_id.in_(played))
        assert sorted(row[0] for row in await store.read(own)) == sorted(played)
        stored = await store.read(sa.select(RESULTS.c.table_id, RESULTS.c.ended))
        players = await store.read(sa.select(RESULT_PLAYERS.c.table_id, RESULT_PLAYERS.c.seat))
        assert sorted(players) == sorted((each, seat) for each in played for seat in range(2))
        ends, points, games = {}, Counter[str](), Counter[str]()
        for each in played:
            loaded = await store.load(each)
            assert loaded is not None
            result = result_of(loaded)
            assert result is not None
            ends[each] = result.ended
            names = [seat.name for seat in replay(loaded).seats]
            for name, seat in zip(names, result.seats, strict=True):
                if each != played[0]:  # which the owner has excluded
                    points[name] += 100 if seat.place == 1 else 0
                    games[name] += 1
        assert dict(stored) == ends
        assert {row["name"]: (row["total"], row["games"]) for row in table} == {
            name: (points[name], games[name]) for name in games
        }
    finally:
        await store.close()


async def test_a_server_killed_as_games_end_loses_and_doubles_no_result_of_a_league(tmp_path: Path):
    server = Server(tmp_path / "league.sqlite", **MANY).start()
    try:
        played, table, kills = await season_with_kills([server])
    finally:
        server.kill()
    assert kills >= 3
    await check(server.store, played, table)


@pytest.mark.soak
async def test_two_processes_of_which_one_is_killed_as_games_end_lose_and_double_no_result_of_a_league():
    with own_services() as (postgres, redis):
        database = postgres.new_database()
        servers = [Server(database, pubsub=redis.url, **MANY).start() for _ in range(2)]
        try:
            played, table, kills = await season_with_kills(servers)
        finally:
            for each in servers:
                each.kill()
        assert kills >= 3
        await check(database, played, table)
