"""Standing orders in games by days: they are carried out whether or not anybody ever looks at the table."""

from __future__ import annotations

import asyncio
from pathlib import Path

import sqlalchemy as sa

from quadriga.engine.parts.orders import Order
from quadriga.server.rooms.registry import Registry
from quadriga.server.state.day_events import Deadline
from quadriga.server.state.events import OrderGiven
from quadriga.server.storage.base import now
from quadriga.server.storage.days_schema import DEADLINES
from server.rooms.days.support import log_of, started_table, stored
from server.support.listeners import opened_registry

DAY_MS = 86_400_000


async def order_without_moving(registry: Registry) -> str:
    """Let the person who has to move give an order, as a process that is killed before it carries the order out."""
    room = await started_table(registry)
    async with room.exclusive() as state:
        marker = next(iter(room.session.match.actions())).partition("-")[0]
        given = OrderGiven(room.session.actor, 1, Order("move", of=marker), 0)
        state.apply(given)
        await room.log.append(state, [given])
    return room.state.id


async def test_an_order_is_carried_out_after_a_restart_although_nobody_looks_in(tmp_path: Path):
    path = tmp_path / "tables.sqlite"
    async with opened_registry(path, sweep=1e6) as registry:
        table = await order_without_moving(registry)
        (row,) = await stored(registry.store)
        assert row.due < now() + DAY_MS < row.ends
        is_due = sa.update(DEADLINES).values(due=0)
        await registry.store.transact(lambda connection: connection.execute(is_due) and None)
    async with opened_registry(path, sweep=0.02) as registry:
        found: list[Deadline] = []
        while len(found) < 2:
            await asyncio.sleep(0.01)
            found = [each for each in await log_of(registry.store, table) if isinstance(each, Deadline)]
        assert [each.warned for each in found] == [False, False]  # nobody was warned, and the other is to move
