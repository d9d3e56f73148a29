"""Every request and message gives equal bytes in two worlds that a viewpoint cannot tell apart, across processes.

The viewpoint asks and talks at one process, and somebody else at the table at another one. All that cannot be known
is dealt anew at both.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from quadriga.engine.kernels.rng import Rng, start
from quadriga.server.bots import choice
from quadriga.server.rooms import creation
from server.cluster.test_following import equal, two
from server.messages.test_hidden_endpoints import PATHS, SEED, SETUPS, World, settled, walk
from server.support.harness import Client
from server.support.in_process import InProcessServer
from server.support.tables import connect_all, copy_room, start_table
from soak import count, rows

COMPARED = count(2, 8)  # positions


class Apart(World):
    """A world whose two people are at different processes. Hints about the log are no part of what is told."""

    async def say(self, client: Client, said: list[dict[str, Any]]) -> None:
        """Send messages when both processes know who is here; wait until both have read what they have led to."""
        await self.agreed()
        await super().say(client, said)
        await self.agreed()
        await settled(client)

    async def agreed(self) -> None:
        """Wait until both processes know the same people and the same log."""
        rooms = [each.registry.rooms[self.room.state.id] for each in (self.server, self.elsewhere)]
        for one, other in (rooms, rooms[::-1]):
            here = {viewer.holder for viewer in one.presence.viewers if viewer.holder}
            while here != other.presence.elsewhere:  # announced with a pulse
                await asyncio.sleep(0.005)
        await equal(rooms)

    async def counted(self) -> dict[str, float]:
        """Return the metrics that do not depend on how two processes take turns."""
        own = ("followed", "stale", "leases", "pubsub", "quadriga_tables", "quadriga_seats")
        found = await super().counted()
        return {name: value for name, value in found.items() if not any(part in name for part in own)}


async def worlds(
    servers: list[InProcessServer], table: str, seat: int, other: int, dealer: Rng
) -> tuple[list[Any], int]:
    """Return all that a viewpoint hears in the true world and in another one, and whether they differ at all."""
    heard, differing = [], 0
    for redealt in (False, True):
        copied = await copy_room(servers[0].registry, table)
        rooms = [copied, await servers[1].registry.room(copied.state.id)]
        state = copied.session.match.s.copy()
        if redealt:
            copied.state.game.rules.deal(copied.session.match.t, state, seat, dealer)
        for room in rooms:
            differing += room.session.match.s.tobytes() != state.tobytes()
            room.session.match.s.assign(state.tobytes())
        told, tables, counted = await Apart(servers[1], rooms[1], seat, other, elsewhere=servers[0]).all()
        heard.append((told, tables[-1:], counted))  # two changes at another process may be announced as one
        servers[0].registry.rooms.pop(copied.state.id).close()
    return heard, differing


@pytest.mark.parametrize(
    ("game", "options", "seats"),
    rows([setup[:3] for setup in SETUPS], lambda setup: setup[0] == "ben-hvrt"),
)
async def test_every_request_and_message_keeps_hidden_information_across_processes(
    monkeypatch: pytest.MonkeyPatch, game: str, options: dict[str, object], seats: int
):
    monkeypatch.setattr(creation, "dice_seed", lambda seed: SEED)
    rng, dealer, differing = random.Random(2), Rng(), 0
    async with two(grace=1e6, idle=1e6, long_gone=0.0) as servers:
        table, tokens = await start_table(
            servers[0], game, " ".join(["me"] + ["open"] * (seats - 1)), options=options, public=True
        )
        clients = await connect_all(servers[0], table, tokens)
        room = servers[0].registry.rooms[table]
        await choice.prepared(game)
        for _ in range(COMPARED):
            for _ in range(8):
                await walk(servers[0], table, clients, rng)
            seat = rng.choice([-1, room.session.match.actor, rng.randrange(seats)])
            other = rng.choice([each for each in range(seats) if each != seat])
            start(dealer, rng.getrandbits(40), 0)
            heard, differs = await worlds(servers, table, seat, other, dealer)
            differing += differs
            for one, another in zip(heard[0], heard[1], strict=True):
                assert one == another
            secrets = (room.state.setup.seed, *tokens[:seat], *tokens[seat + 1 :])
            assert not any(secret in text for text in heard[0][0] for secret in secrets)
    assert differing >= 2


async def test_records_replays_and_charts_of_a_finished_game_are_equal_at_all_processes():
    async with two() as servers:
        table, tokens = await start_table(servers[0], "ave-caesar", "me bot bot", options={"courses": ["white cw"]})
        client = await servers[0].connect(table, tokens[0])
        await client.play(random.Random(5))
        rooms = [server.registry.rooms.get(table) or await server.registry.room(table) for server in servers]
        await equal(rooms)
        for path in PATHS:
            answers = [
                await server.fetch("GET", f"/api/tables/{table}{path}", token=tokens[0]) for server in servers
            ]
            assert answers[0][0] == 200, path
            for status, found in answers:
                if path == "":  # who is here is told with the next pulse
                    for chair in found["seats"]:
                        chair["here"] = chair["away"] = None
                    found["watching"] = None
                assert (status, found) == answers[0], path
