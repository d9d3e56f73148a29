"""Processes, Redis and PostgreSQL are killed while people play: no acknowledged move is lost or made twice."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from quadriga.engine.kernels.slots import CHANCE
from quadriga.server.messages import game_messages
from quadriga.server.state.events import Moves, decode
from quadriga.server.state.replaying import replay
from quadriga.server.storage.postgres.store import PostgresStore
from server.support.cluster import Processes, processes
from server.support.harness import Client, Server
from server.support.services import Postgres, Redis, own_services
from soak import count, only_in_soak

KILLS = count(4, 100, "CLUSTER_KILLS")
GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("ur", 2, {"rules": "ben"}),
    ("ave-caesar", 3, {"courses": ["blue cw"]}),
    ("ben-hvrt", 2, {"series": [1, 1, 1]}),
]


class Player:
    """Plays at any process, and keeps the references that were acknowledged."""

    def __init__(self, where: Processes, table: str, token: str, name: str, rng: random.Random) -> None:
        self.where, self.table, self.token, self.name, self.rng = where, table, token, name, rng
        self.sent = self.known = 0
        self.acknowledged: list[str] = []
        self.unconfirmed: dict[str, dict[str, Any]] = {}
        self.is_over = False

    async def play(self) -> None:
        """Play until the game is over, over as many connections as it takes."""
        while not self.is_over:
            try:
                await self._connection()
            except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError):
                await asyncio.sleep(0.1)

    async def _connection(self) -> None:
        client = await self.where.anywhere(self.rng).connect(
            self.table, self.token, after=self.known or None, explain=False
        )
        client.number = self.known
        try:
            while not client.over:
                await self._take(client, await client.hear(loose=True))
            self.is_over = True
        finally:
            await client.close()

    async def _take(self, client: Client, said: dict[str, Any]) -> None:
        self.known = max(self.known, client.number)
        match said["type"]:
            case "done":
                self.acknowledged.append(said["ref"])
                self.unconfirmed.pop(said["ref"], None)
            case "refused":
                assert said["ref"] not in self.acknowledged
                self.unconfirmed.pop(said["ref"], None)
                if said["code"] not in ("store.failing", "store.unsure"):  # otherwise `storage` follows
                    await client.say(type="look", seat=client.news.get("seat", 0))
            case "storage" if said["ok"]:
                await client.say(type="look", seat=client.news.get("seat", 0))
            case "welcome":
                for act in self.unconfirmed.values():
                    await client.say(**act)
                await client.say(type="look", seat=said["seat"])
        if client.legal and not self.unconfirmed:
            self.sent += 1
            texts = [each["text"] for each in client.legal if not each.get("family")]
            ref, client.legal = f"{self.name}{self.sent}", None
            act = {"type": "act", "number": client.number, "action": self.rng.choice(texts), "ref": ref}
            self.unconfirmed[ref] = act
            await client.say(**act)


async def check(database: str, where: Processes, table: str, players: list[Player]) -> None:
    """Assert that the log has every acknowledged move once, and that every process shows what the log says."""
    store = await PostgresStore.opened(database)
    try:
        stored = await store.load(table)
    finally:
        await store.close()
    assert stored is not None
    log = [decode(line.kind, line.body) for line in stored.events]
    refs = [event.ref for event in log if isinstance(event, Moves) and event.ref is not None]
    assert len(refs) == len(set(refs))
    for player in players:
        own = [ref for ref in refs if ref in player.acknowledged]
        assert own == sorted(set(player.acknowledged), key=lambda ref: int(ref[1:]))
        assert len(player.acknowledged) == len(set(player.acknowledged))
    state = replay(stored)
    assert state.session is not None
    assert state.session.match.actor != CHANCE
    for server in where.servers:
        for seat, token in ((-1, None), *((seat, player.token) for seat, player in enumerate(players))):
            viewer = await server.connect(table, token, explain=False)
            shown = await viewer.until("view")
            expected = game_messages.news(state, seat, [], explain=False, whole=True)
            assert shown["number"] == expected.number
            assert game_messages.encoded(shown["view"]) == game_messages.encoded(expected.view)
            await viewer.close()


async def kill_something(where: Processes, rng: random.Random) -> None:
    """Kill a server, Redis or PostgreSQL, and start it again after a while."""
    services: list[Server | Redis | Postgres] = [*where.servers, where.redis, where.postgres]
    what = rng.choice(services)
    await asyncio.to_thread(what.kill)
    await asyncio.sleep(rng.uniform(0.0, 1.5))
    await asyncio.to_thread(what.start)


@pytest.mark.parametrize("number", [2, only_in_soak(4)])
async def test_no_acknowledged_move_is_lost_or_doubled_whatever_is_killed(number: int):
    rng = random.Random(number)
    with own_services() as (postgres, redis), processes(number, postgres, redis) as where:
        kills = acknowledged = 0
        while kills < KILLS:
            game, seats, options = GAMES[kills % len(GAMES)]
            table, host = where.front.create(game, " ".join(["me"] + ["open"] * (seats - 1)), options=options)
            tokens = [host, *(where.anywhere(rng).join(table) for _ in range(seats - 1))]
            assert where.front.call("POST", f"/api/tables/{table}/start", {}, host)[0] == 200
            players = [Player(where, table, token, "abc"[n], rng) for n, token in enumerate(tokens)]
            tasks = [asyncio.create_task(player.play()) for player in players]
            for _ in range(4):
                enough = sum(len(player.acknowledged) for player in players) + rng.randrange(5, 20)
                while sum(len(player.acknowledged) for player in players) < enough and not all(
                    task.done() for task in tasks
                ):
                    await asyncio.sleep(0.01)
                if kills >= KILLS or all(task.done() for task in tasks):
                    break
                await kill_something(where, rng)
                kills += 1
            enough = sum(len(player.acknowledged) for player in players) + 5  # play resumes by itself
            while sum(len(player.acknowledged) for player in players) < enough:
                if all(task.done() for task in tasks):
                    break
                await asyncio.sleep(0.01)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await check(where.servers[0].store, where, table, players)
            acknowledged += sum(len(player.acknowledged) for player in players)
        assert acknowledged > 5 * KILLS
