"""Orders at several processes that are killed: none that was accepted is lost, and none is carried out twice.

People look in to leave orders, and move themselves only where no order says what to do. Such a move has a reference
in the log; every other belongs to one order.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import Any

from websockets.exceptions import WebSocketException

from quadriga.server.seats.tokens import new_id
from quadriga.server.state.events import Moves, OrderEnded, OrderGiven, RoomEvent
from quadriga.server.storage.address import open_store
from server.rooms.days.support import log_of
from server.support.harness import Client, Server
from server.support.services import new_shared_store, shared_redis
from soak import count

KILLS = count(2, 40)
TABLES = count(2, 20)


class People:
    """The people of a table, who look in at any server to leave orders."""

    def __init__(self, servers: list[Server], rng: random.Random) -> None:
        self._servers, self._rng = servers, rng
        self.table, token = servers[0].create(
            "ur", "me open", options={"rules": "masters", "markers": 2}, days={"days": 7}
        )
        self._tokens = [token, servers[0].join(self.table)]
        assert servers[0].call("POST", f"/api/tables/{self.table}/start", {}, token)[0] == 200
        self.accepted: set[int] = set()  # the numbers of orders that a server has acknowledged

    async def play(self) -> None:
        """Look in, one after the other, until the game is over."""
        visits = 0
        while True:
            visits += 1
            server = self._rng.choice(self._servers)
            try:
                if await asyncio.wait_for(self._visit(server, self._tokens[visits % 2]), 30):
                    return
            except (OSError, WebSocketException, TimeoutError):
                await asyncio.sleep(0.05)  # the server was killed

    async def _visit(self, server: Server, token: str) -> bool:
        """Leave an order at a server, or move; return whether the game is over."""
        client = await server.connect(self.table, token)
        try:
            await client.until("welcome")
            if client.over:
                return True
            await client.say(type="orders", ref="forms")
            told = await _answer(client, "forms")
            things = [
                thing["of"]
                for form in told.get("forms") or []
                if form["kind"] == "move"
                for thing in form["things"]
            ]
            if things:
                order = {"kind": "move", "of": self._rng.choice(things)}
                await client.say(type="order", order=order, ref="order")
                told = await _answer(client, "order")
                self.accepted.update(each["number"] for each in told.get("orders", ()))
            elif client.legal:  # no order says what to do
                await client.act(self._rng.choice(client.legal)["text"], ref=(ref := new_id()))
                await _answer(client, ref)
            return client.over
        finally:
            await client.close()

    def check(self, log: list[RoomEvent]) -> None:
        """Check that each accepted order is in the log, ends once, and made one move if it was carried out."""
        given = Counter((each.seat, each.number) for each in log if isinstance(each, OrderGiven))
        ended = Counter((each.seat, each.number) for each in log if isinstance(each, OrderEnded))
        assert set(given.values()) == {1}
        assert set(ended.values()) == {1}
        assert ended.keys() <= given.keys()
        assert self.accepted <= {number for _, number in given}
        done: Counter[int | None] = Counter(
            each.seat for each in log if isinstance(each, OrderEnded) and each.how == "done"
        )
        made = Counter(
            move.seat
            for each in log
            if isinstance(each, Moves) and each.ref is None
            for move in each.done
            if move.by != "dice" and not move.is_forced and move.text != "pass"
        )
        # An order does not end with the last move of the game.
        last = next(move.seat for each in reversed(log) if isinstance(each, Moves) for move in reversed(each.done))
        assert made - done in (
            Counter[int | None](),
            Counter([last]),
        )
        assert done <= made


async def _answer(client: Client, ref: str) -> dict[str, Any]:
    """Return the answer to what was said with a reference."""
    while True:
        said = await client.hear()
        if said.get("ref") == ref:
            return said


async def test_games_that_orders_play_go_to_their_end_while_processes_are_killed():
    database, rng = new_shared_store(), random.Random(39)
    servers = [Server(database, pubsub=shared_redis().url).start() for _ in range(2)]
    try:
        tables = [People(servers, random.Random(number)) for number in range(TABLES)]
        games = asyncio.gather(*(each.play() for each in tables))
        for _ in range(KILLS):
            await asyncio.sleep(rng.uniform(0.2, 1.5))
            server = rng.choice(servers)
            server.kill()
            await asyncio.to_thread(server.start)
        await games
    finally:
        for server in servers:
            server.kill()
    store = await open_store(database)
    try:
        for each in tables:
            each.check(await log_of(store, each.table))
    finally:
        await store.close()
