"""Standing orders with several processes: known to all, and carried out by the one that leads at the time."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from quadriga.server.rooms.room import Room
from server.cluster.test_following import equal, settle, two
from server.support.harness import Client
from server.support.tables import connect_all, start_table


def orders_of(client: Client) -> list[Any]:
    """Return the orders that a client was told last."""
    heard = [json.loads(text) for text in client.heard if '"type":"orders"' in text]
    return [each["order"] for each in heard[-1]["orders"]] if heard else []


async def until_moved(rooms: list[Room], seat: int) -> None:
    """Wait until a seat has decided, in both processes."""
    while not any(entry.seat == seat and not entry.chance for entry in rooms[0].session.match.entries):
        await asyncio.sleep(0.01)
    await equal(rooms)


async def test_an_order_given_at_one_process_is_carried_out_by_the_one_that_leads_then():
    async with two(grace=1e6) as servers:
        options = {"courses": ["white cw"]}
        table, tokens = await start_table(servers[0], "ave-caesar", "me open open", options=options)
        clients = await connect_all(servers[0], table, tokens)
        elsewhere = await connect_all(servers[1], table, tokens)
        rooms = [server.registry.rooms[table] for server in servers]
        while not any(room.is_leader for room in rooms):
            await asyncio.sleep(0.01)
        leads = 0 if rooms[0].is_leader else 1
        near, far = (clients, elsewhere) if leads == 0 else (elsewhere, clients)
        session = rooms[leads].session
        seat = session.actor
        # Given at the process that does not lead, told to the other device, carried out at once.
        first = next(iter(session.match.actions()))
        await far[seat].say(type="order", order={"kind": "move", "of": first})
        await until_moved(rooms, seat)
        assert rooms[leads].session.match.entries[-1].seat is not None
        # An order for later: its owner hears of it at both processes, nobody else does.
        following = rooms[leads].session.actor
        waiting = next(each for each in range(3) if each not in (seat, following))
        await far[waiting].say(type="orders")
        await far[waiting].until("orders")
        forms = json.loads(next(text for text in far[waiting].heard if '"type":"orders"' in text))["forms"]
        wanted = forms[0]["things"][0]["of"]
        await far[waiting].say(type="order", order={"kind": "move", "of": wanted})
        await settle(far[waiting])
        await equal(rooms)
        for client in [*near, *far]:
            await settle(client)
        assert orders_of(near[waiting]) == orders_of(far[waiting]) == [{"kind": "move", "of": wanted}]
        assert orders_of(near[following]) == []
        # The process that leads loses its people; the other one takes over, and carries the order out.
        for client in near:
            await client.close()
        while not rooms[1 - leads].is_leader:
            await asyncio.sleep(0.01)
        while rooms[1 - leads].session.actor != waiting and rooms[1 - leads].state.seats[waiting].orders:
            actor = rooms[1 - leads].session.actor
            await settle(far[actor])
            legal = far[actor].legal
            assert legal
            await far[actor].act(legal[0]["text"])
            await far[actor].until("done")
        while orders_of(far[waiting]):
            await settle(far[waiting])
        made = [entry.text for entry in rooms[1 - leads].session.match.entries if entry.seat == waiting]
        lists = [json.loads(text) for text in far[waiting].heard if '"type":"orders"' in text]
        hows = [each["how"] for listed in lists for each in listed["ended"]]
        assert hows == (["done"] if wanted in made else ["illegal"])
