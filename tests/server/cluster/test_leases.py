"""The lease of a room: one process makes the moves of bots and clocks, and another takes over when it is gone."""

from __future__ import annotations

import asyncio

from quadriga.server.rooms.processes import cluster
from quadriga.server.storage.base import Visitors
from quadriga.server.storage.postgres.store import PostgresStore
from server.cluster.test_following import two
from server.support.harness import Server
from server.support.services import new_shared_store, shared_redis
from server.support.tables import start_table

HERE = Visitors(frozenset({"me"}), 0)


async def test_a_lease_has_one_holder_until_it_is_given_back_or_runs_out():
    store = await PostgresStore.opened(new_shared_store())
    for process in ("one", "two"):
        assert (await store.pulse(process, 60.0, {}, [], [])).is_new
    assert (await store.pulse("one", 60.0, {"room": HERE}, ["room"], ["room"])).driven == {"room"}
    other = await store.pulse("two", 60.0, {}, ["room"], ["room"])
    assert (other.driven, other.elsewhere) == (frozenset(), {"room": HERE})
    await store.pulse("one", 60.0, {"room": Visitors()}, [], [])  # its last viewer has gone
    other = await store.pulse("two", 60.0, {"room": HERE}, ["room"], ["room"])
    assert (set(other.driven), other.elsewhere) == ({"room"}, {})
    await store.pulse("two", 0.0, {}, [], [])  # its time is over at once
    assert (await store.pulse("one", 60.0, {"room": HERE}, ["room"], ["room"])).driven == {"room"}
    assert (await store.pulse("two", 60.0, {}, ["room"], [])).is_new  # it learns that it has lost everything
    assert (await store.pulse("two", 60.0, {}, ["room"], [])).driven == frozenset()
    await store.leave("one")
    assert (await store.pulse("two", 60.0, {}, ["room"], [])).driven == {"room"}
    await store.close()


async def test_one_process_leads_a_room_and_the_other_takes_over_when_its_viewers_leave():
    async with two() as servers:
        table, tokens = await start_table(servers[0], "ur", "me bot", rolls="hand")
        first = await servers[0].connect(table, tokens[0])
        await first.until("view")
        rooms = [server.registry.rooms[table] for server in servers if table in server.registry.rooms]
        while not rooms[0].is_leader:
            await asyncio.sleep(0.01)
        second = await servers[1].connect(table, tokens[0])
        await second.until("view")
        rooms = [server.registry.rooms[table] for server in servers]
        while rooms[1].presence.elsewhere == frozenset():  # it has sent a pulse and heard of the other
            await asyncio.sleep(0.01)
        assert [room.is_leader for room in rooms] == [True, False]
        await first.close()
        while not rooms[1].is_leader:
            await asyncio.sleep(0.01)
        assert not rooms[0].is_leader


async def test_bots_of_a_dead_process_go_on_within_five_seconds():
    database, redis = new_shared_store(), shared_redis().url
    servers = [Server(database, pubsub=redis).start() for _ in range(2)]
    try:
        table, token = servers[0].create("ave-caesar", "me bot bot", pace=1500, options={"courses": ["white cw"]})
        player = await servers[0].connect(table, token)
        await player.until("view")
        watcher = await servers[1].connect(table)
        await watcher.until("view")
        while not player.legal:
            await player.hear()
        await player.act(player.legal[0]["text"])
        await player.until("done")
        while watcher.number < player.number:
            await watcher.hear()
        servers[0].kill()  # while a bot of its process waits to move
        number = watcher.number
        while watcher.number == number:
            await watcher.hear()
        assert cluster.LEASE_S + cluster._PULSE_S < 5  # what it has waited for, and then for the pace of the bot
        back = await servers[1].connect(table, token)
        await back.until("view")
        while not back.legal:
            await back.hear()
    finally:
        for server in servers:
            server.kill()
