"""Several processes share a database: viewers anywhere see the same, and a number is written once.

The processes are two servers in one event loop with connections of their own, so that a test can look into both.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from quadriga.server import metrics
from quadriga.server.rooms import audience
from quadriga.server.rooms.room import Room
from quadriga.server.rooms.submission import Submission
from quadriga.server.seats.viewers import Viewer
from quadriga.server.state import replaying
from quadriga.server.state.events import BotControl, Status
from server.cluster.test_pubsub import play_until
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process
from server.support.services import new_shared_store, shared_redis
from server.support.tables import connect_all, start_table

HIDDEN = {"options": {"series": [1]}, "dice": {"kind": "seeded", "seed": 5}}


@asynccontextmanager
async def two(pubsub: bool = True, **settings: object) -> AsyncIterator[list[InProcessServer]]:
    """Run two servers on a new database."""
    more = {"pubsub": shared_redis().url if pubsub else "", **settings}
    database = new_shared_store()
    async with in_process(database, **more) as first, in_process(database, **more) as second:
        yield [first, second]


async def settle(client: Client) -> None:
    """Receive everything that was sent so far."""
    await client.say(type="ping", ref="settled")
    await client.until("pong", ref="settled")


async def equal(rooms: list[Room]) -> None:
    """Wait until all rooms have read the same log."""
    while len({room.state.next for room in rooms}) > 1 or any(room.lock.locked() for room in rooms):
        await asyncio.sleep(0.005)


def asked(clients: list[Client], room: Room) -> Client:
    return clients[room.session.match.actor]


async def move(rooms: list[Room], clients: list[Client], rng: random.Random) -> None:
    """Play a random action for the asked seat, and wait until both processes have it."""
    client = asked(clients, rooms[0])
    await settle(client)
    texts = [each["text"] for each in client.legal or [] if not each.get("family")]
    await client.act(rng.choice(texts))
    await client.until("done")
    await equal(rooms)


@pytest.mark.parametrize("pubsub", [True, False])
async def test_viewers_of_all_processes_are_sent_the_same(pubsub: bool):
    async with two(pubsub) as servers:
        table, tokens = await start_table(servers[0], "ben-hvrt", "me open open", **HIDDEN)
        clients = await connect_all(servers[0], table, tokens)
        others = await connect_all(servers[1], table, tokens)
        watchers = [await server.connect(table) for server in servers]
        for watcher in watchers:
            await watcher.until("view")
        rooms = [server.registry.rooms[table] for server in servers]
        rng = random.Random(3)
        for _ in range(40 if pubsub else 4):  # without pub/sub the other process looks twice a second
            await move(rooms, rng.choice([clients, others]), rng)
        for one, other in zip([*clients, watchers[0]], [*others, watchers[1]], strict=True):
            await settle(one)
            await settle(other)
            news = [[text for text in client.heard if '"news"' in text] for client in (one, other)]
            assert news[0] == news[1]
            assert one.view == other.view
            assert news[0]
        stored = await replaying.load(servers[0].registry.store, table)
        assert stored is not None
        assert [room.session.match.here for room in rooms] == [stored.session.match.here] * 2  # type: ignore[union-attr]


async def test_a_hidden_pass_is_as_hidden_at_other_processes():
    """A process sends equal frames in worlds that differ in hidden cards; the other process sends the same."""
    async with two() as servers:
        table, tokens = await start_table(servers[0], "ben-hvrt", "me open open", **HIDDEN)
        people = [await connect_all(server, table, tokens) for server in servers]
        watchers = [await server.connect(table) for server in servers]
        for watcher in watchers:
            await watcher.until("view")
        pairs = list(zip([*people[0], watchers[0]], [*people[1], watchers[1]], strict=True))
        rooms = [server.registry.rooms[table] for server in servers]
        while any(len(room.presence.elsewhere) < 3 or not room.presence.watching_elsewhere for room in rooms):
            await asyncio.sleep(0.01)  # people at other processes are announced with a pulse
        rng, silent = random.Random(1), 0
        while silent < 10:
            session = rooms[0].session
            if session.window is None or "pass" not in session.match.legal():
                await move(rooms, people[0], rng)
                continue
            actor = session.actor
            while any("table" in room.tasks.timers or room.tasks.running for room in rooms):
                await asyncio.sleep(0.01)
            for client in itertools.chain(*pairs):
                await settle(client)
                client.heard.clear()
            mover = people[rng.randrange(2)][actor]
            await mover.act("pass")
            await mover.until("done")
            await equal(rooms)
            for seat, pair in enumerate(pairs):
                for client in pair:
                    await settle(client)
                one, other = ([text for text in each.heard if '"pong"' not in text] for each in pair)
                if seat != actor:
                    assert one == other
                    silent += not one


async def test_a_room_that_two_processes_write_to_at_once_keeps_one_event_for_a_number():
    async with two(pubsub=False) as servers:
        table, tokens = await start_table(servers[0], "ur", "me open")
        clients = [await server.connect(table, token) for server, token in zip(servers, tokens, strict=True)]
        for client in clients:
            await client.until("view")
        rooms = [server.registry.rooms[table] for server in servers]
        refs = []
        for turn in range(6):
            if rooms[0].state.over:
                break
            await equal(rooms)
            actor = rooms[0].session.match.actor
            text = rooms[0].session.match.legal()[0]
            ref = f"turn {turn}"  # the same move is sent to both, as by a client that has reconnected

            async def play(room: Room, actor: int = actor, text: str = text, ref: str = ref) -> int | None:
                async with room.exclusive():
                    return await room.submit(Submission("act", actor, text, ref=ref, number=0))

            done = await asyncio.gather(*(play(room) for room in rooms), return_exceptions=True)
            assert sum(isinstance(each, int) for each in done) >= 1
            assert all(isinstance(each, int) or getattr(each, "code", "") == "table.again" for each in done)
            refs.append(ref)
        stored = await replaying.load(servers[0].registry.store, table)
        assert stored is not None
        assert [ref for _, ref in stored.refs] == refs
        assert len({room.session.match.here for room in rooms}) == 1


async def test_moves_and_chat_at_all_processes_at_once_are_each_stored_once():
    """A message that another process has forestalled is tried again on the new state."""
    async with two() as servers:
        table, tokens = await start_table(servers[0], "ur", "me open")
        clients = [await server.connect(table, token) for server, token in zip(servers, tokens, strict=True)]
        for client in clients:
            await client.until("view")
        for number in range(10):
            await asyncio.gather(*(client.say(type="chat", text=f"{number}") for client in clients))
        for client in clients:
            while sum('"type":"chat"' in text for text in client.heard) < 20:
                await client.hear()
            assert client.refused == []
        chat = await servers[0].registry.store.chat(table, 100)
        assert [message.number for message in chat] == list(range(1, 21))
        await asyncio.gather(*(play_until(client, 20) for client in clients))
        assert [client.refused for client in clients] == [[], []]


async def test_requests_may_go_to_any_process():
    async with two(pubsub=False) as servers:
        first, second = servers
        body = {"game": "ur", "name": "Ann", "seats": [{"kind": "me"}, {"kind": "open"}], "public": True}
        _, made = await first.fetch("POST", "/api/tables", body)
        table, token = made["table"]["id"], made["token"]
        for server in servers:
            _, listed = await server.fetch("GET", "/api/tables")
            assert [each["id"] for each in listed["tables"]] == [table]
        status, refused = await second.fetch("POST", f"/api/tables/{table}/start", {}, token)
        assert (status, refused["code"]) == (409, "table.chairs")
        status, joined = await second.fetch("POST", f"/api/tables/{table}/join", {"name": "Bob"})
        assert (status, joined["seats"]) == (200, [1])
        status, started = await first.fetch("POST", f"/api/tables/{table}/start", {}, token)
        assert (status, started["status"]) == (200, "playing")
        for server in servers:
            _, found = await server.fetch("GET", f"/api/tables/{table}")
            assert [seat["name"] for seat in found["seats"]] == ["Ann", "Bob"]


async def test_a_token_of_a_key_that_another_process_has_added_is_valid():
    async with two(pubsub=False) as servers:
        await servers[0].registry.store.add_key(b"k" * 32)
        newest = (await servers[0].registry.store.keys())[-1]
        tokens = servers[0].registry.tokens
        tokens._keys[newest.id] = tokens._newest = newest
        table, issued = await start_table(servers[0], "ur", "me bot")
        client = await servers[1].connect(table, issued[0])
        assert (await client.until("welcome"))["seats"] == [0]


async def test_people_at_another_process_are_here_and_no_bot_takes_their_seat():
    async with two(grace=0.3) as servers:
        table, tokens = await start_table(servers[0], "ur", "me open")
        clients = [await server.connect(table, token) for server, token in zip(servers, tokens, strict=True)]
        for client in clients:
            await client.until("view")
        for client in clients:
            while not all(seat["here"] for seat in client.table["seats"]):
                await client.hear()
        for server in servers:
            assert (
                server.registry.rooms[table].presence.away(server.registry.rooms[table].state.seats[1].holder)
                is None
            )
        await clients[1].close()
        while not clients[0].table["seats"][1]["covered"]:  # now they are away
            await clients[0].hear()
        back = await servers[1].connect(table, tokens[1])
        await back.until("view")
        while clients[0].table["seats"][1]["covered"] or not clients[0].table["seats"][1]["here"]:
            await clients[0].hear()


async def test_who_comes_back_while_another_process_writes_stays_and_gets_the_seat_back(
    monkeypatch: pytest.MonkeyPatch,
):
    """The event by which the bot gives the seat back is refused by the log, where its number is taken."""
    async with two(grace=0.3) as servers:
        table, tokens = await start_table(servers[0], "ur", "me open")
        host, guest = [await server.connect(table, token) for server, token in zip(servers, tokens, strict=True)]
        for client in (host, guest):
            await client.until("view")
        rooms = [server.registry.rooms[table] for server in servers]
        await guest.close()
        while not host.table["seats"][1]["covered"] or not host.legal:
            await host.hear()
        await equal(rooms)

        enter = audience.enter

        async def after_a_move(room: Room, viewer: Viewer, after: int | None) -> None:
            monkeypatch.undo()
            await host.act((host.legal or [])[0]["text"])
            await host.until("done")
            await enter(room, viewer, after)

        monkeypatch.setattr(audience, "enter", after_a_move)
        refused = metrics.stale._value.get()
        back = await servers[1].connect(table, tokens[1])
        await back.until("view")
        for client in (host, back):
            while client.table["seats"][1]["covered"] or not client.table["seats"][1]["here"]:
                await client.hear()
        assert metrics.stale._value.get() > refused
        await settle(back)


async def test_people_who_come_to_two_processes_at_the_same_time_all_get_a_seat_and_the_same_rematch():
    """Only one of two processes can write the next event of a table; the other one tries again."""
    async with two() as servers:
        refused = metrics.stale._value.get()
        while metrics.stale._value.get() == refused:  # until both have written at once
            await take_seats_and_play_again(servers)


async def take_seats_and_play_again(servers: list[InProcessServer]) -> None:
    """Five people take seats, and later all want a rematch, at both processes at the same time."""
    chairs = [{"kind": "me"}, *[{"kind": "open"}] * 5]
    body = {"game": "ave-caesar", "name": "Ann", "seats": chairs, "pace": 0}
    _, made = await servers[0].fetch("POST", "/api/tables", body)
    table, tokens = made["table"]["id"], [made["token"]]

    async def asked(number: int, what: str, token: str | None = None) -> Any:
        body = {"name": f"Guest {number}"} if what == "join" else {}
        status, found = await servers[number % 2].fetch("POST", f"/api/tables/{table}/{what}", body, token)
        assert status in (200, 201), found
        return found

    tokens += [found["token"] for found in await asyncio.gather(*(asked(each, "join") for each in range(5)))]
    _, shown = await servers[0].fetch("GET", f"/api/tables/{table}")
    assert sorted(seat["name"] for seat in shown["seats"][1:]) == [f"Guest {each}" for each in range(5)]
    await asked(0, "start", tokens[0])
    room = await servers[0].registry.room(table)
    async with room.exclusive():
        await room.change(Status("ended"))
    found = await asyncio.gather(*(asked(each, "rematch", token) for each, token in enumerate(tokens)))
    (again,) = {each["table"]["id"] for each in found}
    while (await servers[1].registry.room(again)).state.status != "playing":
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("is_reloaded", [False, True])
async def test_a_bot_that_began_as_its_person_came_back_elsewhere_gives_the_seat_back(is_reloaded: bool):
    """The process that hands the seat to a bot does not know yet that the person is at the other one."""
    async with two() as servers:
        table, tokens = await start_table(servers[0], "ur", "me open")
        clients = [await server.connect(table, token) for server, token in zip(servers, tokens, strict=True)]
        for client in clients:
            await client.until("view")
        rooms = [server.registry.rooms[table] for server in servers]
        async with rooms[0].exclusive():
            await rooms[0].change(BotControl(1, True, absent=True))
            if is_reloaded:  # as after a write that was forestalled
                await rooms[1].lock.acquire()
                await rooms[1].reload(is_quiet=True)
                rooms[1].lock.release()
        while not clients[0].table["seats"][1]["covered"]:
            await clients[0].hear()
        while clients[0].table["seats"][1]["covered"]:
            await clients[0].hear()


async def test_a_seat_that_its_person_has_given_to_a_bot_stays_with_it_at_all_processes():
    async with two() as servers:
        table, tokens = await start_table(servers[0], "ur", "me open")
        clients = [await server.connect(table, tokens[1]) for server in servers]  # one person with two windows
        for client in clients:
            await client.until("view")
        await clients[0].say(type="leave")
        for client in clients:
            while not client.table["seats"][1]["covered"]:
                await client.hear()
        await equal([server.registry.rooms[table] for server in servers])
        stored = await replaying.load(servers[0].registry.store, table)
        assert stored is not None
        assert stored.seats[1].bot_controlled
