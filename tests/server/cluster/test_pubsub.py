"""Redis carries messages between processes; without it play goes on, and each process limits alone."""

from __future__ import annotations

import asyncio
import random

import redis

from quadriga.server.rooms.processes.redis_channel import RedisChannel
from server.support.harness import MUCH, Client
from server.support.in_process import in_process
from server.support.services import Redis, new_shared_store, shared_redis
from server.support.tables import start_table


async def play_until(client: Client, number: int) -> None:
    """Play until the event of this number has arrived."""
    while client.number < number and not client.over:
        if client.legal:
            text, client.legal = client.legal[0]["text"], None
            await client.act(text)
        await client.hear()


async def test_messages_reach_the_listeners_of_a_room_at_all_processes_and_again_after_a_restart():
    own = Redis().start()
    channels = [RedisChannel(own.url) for _ in range(2)]
    try:
        heard: list[tuple[int, int]] = []
        arrived = asyncio.Event()

        def listener(number: int, chat: int) -> None:
            heard.append((number, chat))
            arrived.set()

        for channel in channels:
            channel.open()
        for start in (1, 100):
            while not all(channel.is_live for channel in channels):
                await asyncio.sleep(0.01)
            channels[0].subscribe("room", listener)
            channels[0].subscribe("other", lambda number, chat: heard.append((0, 0)))
            number = start
            while not arrived.is_set():  # a subscription takes effect a moment later
                channels[1].publish("room", number, 7)
                number += 1
                await asyncio.sleep(0.02)
            assert heard[0][1] == 7
            assert (0, 0) not in heard
            channels[0].unsubscribe("room", listener)
            channels[0].unsubscribe("other", channels[0]._local._listeners["other"][0])
            heard.clear()
            arrived.clear()
            if start == 1:
                await asyncio.to_thread(own.kill)
                while any(channel.is_live for channel in channels):
                    channels[1].publish("room", 99, 0)  # nobody waits for it, and nothing fails
                    await asyncio.sleep(0.02)
                await asyncio.to_thread(own.start)
    finally:
        for channel in channels:
            await channel.close()
        own.kill()


async def test_play_across_processes_goes_on_without_redis_and_comes_back():
    redis, database = Redis().start(), new_shared_store()
    try:
        async with in_process(database, pubsub=redis.url) as one, in_process(database, pubsub=redis.url) as other:
            table, tokens = await start_table(one, "ur", "me open", options={"rules": "ben"})
            clients = [
                await server.connect(table, token) for server, token in zip((one, other), tokens, strict=True)
            ]
            for client in clients:
                await client.until("view")
            for is_running in (True, False, True):
                if is_running and redis.process is None:
                    await asyncio.to_thread(redis.start)
                elif not is_running:
                    await asyncio.to_thread(redis.kill)
                before = [client.number for client in clients]
                await asyncio.gather(*(play_until(client, max(before) + 6) for client in clients))
                assert [client.refused for client in clients] == [[], []]
    finally:
        redis.kill()


async def test_a_limit_holds_over_all_processes_and_for_each_alone_without_redis():
    redis, database = Redis().start(), new_shared_store()
    settings = {"pubsub": redis.url, "creates": 0.0001, "create_burst": 4, "requests": MUCH}
    body = {"game": "ur", "name": "Ann", "seats": [{"kind": "me"}, {"kind": "bot"}]}
    try:
        async with in_process(database, **settings) as one, in_process(database, **settings) as other:
            while not (one.registry.channel.is_live and other.registry.channel.is_live):
                await asyncio.sleep(0.01)
            assert [(await one.fetch("POST", "/api/tables", body))[0] for _ in range(4)] == [201] * 4
            bucket = other.registry.limits.creates
            while bucket._bucket("127.0.0.1")._left > 0.5:  # until the other process has heard of them
                await asyncio.sleep(0.01)
            status, refused = await other.fetch("POST", "/api/tables", body)
            assert (status, refused["code"]) == (429, "wire.rate")
        redis.kill()
        async with in_process(database, **settings) as one, in_process(database, **settings) as other:
            for server in (one, other):
                made = [(await server.fetch("POST", "/api/tables", body))[0] for _ in range(5)]
                assert made == [201] * 4 + [429]
    finally:
        redis.kill()


async def test_messages_that_no_server_has_sent_are_ignored():
    async with in_process(new_shared_store(), pubsub=shared_redis().url) as server:
        table, tokens = await start_table(server, "ur", "me bot")
        client = await server.connect(table, tokens[0])
        await client.until("view")
        while not server.registry.channel.is_live:
            await asyncio.sleep(0.01)
        with redis.Redis.from_url(shared_redis().url) as other:
            while not other.publish(f"quadriga:room:{table}", b"x y"):
                await asyncio.sleep(0.01)
            other.publish("quadriga:rates", b"\xc1")
            other.publish(f"quadriga:room:{table}", b"99999 0")  # no such event: nothing is found
        assert await client.play(random.Random(1), moves=3) == 3
        assert server.registry.channel.is_live


async def test_redis_that_refuses_is_no_reason_to_stop():
    async with in_process(new_shared_store(), pubsub=f"{shared_redis().url}/99999") as server:
        table, tokens = await start_table(server, "ur", "me bot")
        client = await server.connect(table, tokens[0])
        assert await client.play(random.Random(1), moves=3) == 3
