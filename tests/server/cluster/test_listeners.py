"""After every event a listener at any process holds what a new viewer there would be sent."""

from __future__ import annotations

import asyncio
import random

import pytest

from quadriga.server.rooms.processes import cluster
from server.cluster.test_following import two
from server.support.listeners import Table, play
from server.support.tables import start_table
from soak import count, rows


@pytest.fixture(autouse=True)
def _long_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the lease of a room where it is while the machine is busy."""
    monkeypatch.setattr(cluster, "LEASE_S", 600.0)


@pytest.mark.parametrize("mischief", rows([0.0, 0.1], lambda each: each > 0, ids=["calm", "restless"]))
async def test_listeners_at_two_processes_hold_what_a_new_viewer_would_be_sent(mischief: float):
    async with two(window_beat=1.5, grace=1e6) as servers:
        dice = {"kind": "seeded", "seed": 3}
        for seed in range(count(1, 10)):
            id, _ = await start_table(servers[0], "ben-hvrt", "me open open", options={"series": [1]}, dice=dice)
            await servers[1].registry.room(id)
            table = Table(*(server.registry for server in servers), id=id)
            await table.sit_down()
            while not (driving := [room for room in table.rooms if room.is_leader]):
                await asyncio.sleep(0.01)
            table.room = driving[0]
            await table.quiet()
            await play(table, random.Random(seed), mischief, steps=count(150, 10**6))
            assert table.checks > 20
            assert len({room.session.match.here for room in table.rooms}) == 1
