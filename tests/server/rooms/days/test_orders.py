"""Standing orders in games by days: they are carried out whether or not anybody ever looks at the table."""

from __future__ import annotations

import asyncio
from pathlib import Path

from quadriga.engine.parts.orders import Order
from quadriga.server.protocol.parts import Days
from quadriga.server.protocol.requests import Create, Join, SeatRequest
from quadriga.server.rooms.registry import Registry
from quadriga.server.state.day_events import Deadline
from quadriga.server.state.events import OrderGiven
from server.rooms.days.support import log_of
from server.support.listeners import opened_registry

PACE = {"day": 0.4, "sweep": 0.02}  # seconds


async def order_without_moving(registry: Registry) -> str:
    """Let the person who has to move give an order, as a process that is killed before it carries the order out."""
    seats = [SeatRequest("me"), SeatRequest("open")]
    room, token = await registry.create(Create(game="ur", name="Ann", seats=seats, days=Days(7)))
    await registry.join(room, Join(name="Bob"), None)
    await registry.start(room, token)
    async with room.exclusive() as state:
        given = OrderGiven(room.session.actor, 1, Order("move", of="front"), 0)
        state.apply(given)
        await room.log.append(state, [given])
    return room.state.id


async def test_an_order_is_carried_out_after_a_restart_although_nobody_looks_in(tmp_path: Path):
    path = tmp_path / "tables.sqlite"
    async with opened_registry(path, **{**PACE, "sweep": 1e6}) as registry:
        table = await order_without_moving(registry)
    async with opened_registry(path, **PACE) as registry:
        found = [Deadline(0, 0)]
        while len(found) < 2 and not found[-1].warned:
            await asyncio.sleep(0.01)
            found = [each for each in await log_of(registry.store, table) if isinstance(each, Deadline)]
        assert [each.warned for each in found] == [False, False]  # the order was carried out before a warning
