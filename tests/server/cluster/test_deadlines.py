"""Deadlines of games by days at several processes: one of them sweeps, and each deadline is met once."""

from __future__ import annotations

import asyncio
import random

from quadriga.server.storage.address import open_store
from server.cluster.test_following import two
from server.rooms.days.test_kills import KILLS, SETTINGS, finished, start_tables
from server.support.harness import Server
from server.support.services import new_shared_store, shared_redis


async def test_two_processes_meet_each_deadline_once_while_one_of_them_is_killed():
    database, rng = new_shared_store(), random.Random(5)
    servers = [Server(database, pubsub=shared_redis().url, **SETTINGS).start() for _ in range(2)]
    store = await open_store(database)
    try:
        tables = start_tables(servers[0])
        for _ in range(KILLS):
            await asyncio.sleep(rng.uniform(0.05, 0.8))
            each = rng.choice(servers)
            each.kill()
            each.start()
        await finished(store, tables)
    finally:
        await store.close()
        for each in servers:
            each.kill()


async def test_one_process_sweeps_and_the_other_takes_over_when_it_ends():
    async with two() as servers:
        sweepers = [server.registry.deadlines for server in servers]
        while not any(each.is_on_duty for each in sweepers):
            await asyncio.sleep(0.01)
        assert sum(each.is_on_duty for each in sweepers) == 1
        first = next(server for server in servers if server.registry.deadlines.is_on_duty)
        (other,) = (server for server in servers if server is not first)
        assert first.registry.cluster is not None
        await first.registry.cluster.close()
        while not other.registry.deadlines.is_on_duty:
            await asyncio.sleep(0.01)
        assert not first.registry.deadlines.is_on_duty
