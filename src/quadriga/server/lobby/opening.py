"""Open tables: list a room, and let bots take its open seats in time.

When bots are due is stored with the list. A process claims the room for a few seconds before it seats them, so one
process does it; if that process dies, another claims the room again and goes on where the log ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import sqlalchemy as sa

from quadriga.engine.errors import QuadrigaError
from quadriga.server.background import BackgroundTask
from quadriga.server.bots import choice
from quadriga.server.logs import LOGGER
from quadriga.server.protocol.errors import RoomError, StaleError
from quadriga.server.protocol.lobby import Opened, Opening
from quadriga.server.rooms import admission
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.retrying import retried
from quadriga.server.rooms.room import Room
from quadriga.server.state.events import Sit
from quadriga.server.storage.base import now
from quadriga.server.storage.lobby_schema import OPEN_TABLES

CLAIM_MS = 5_000  # for which a process may seat bots at a table, before another tries
_LOOK_S = 5.0  # between two looks at what other processes have listed
_AT_ONCE = 20  # tables that are filled in one go


class Openings:
    """Lists rooms, and fills those that are due."""

    def __init__(self, registry: Registry) -> None:
        self._registry, self._store = registry, registry.store
        self._changed = asyncio.Event()
        self._task = BackgroundTask("open tables")

    def open(self) -> None:
        """Start to fill tables, also those that have become due while no server ran."""
        self._task.start(self._run())

    def changed(self) -> None:
        """Look again which table is due next."""
        self._changed.set()

    async def close(self) -> None:
        """Fill no more tables."""
        await self._task.end()

    # The list.

    async def find(self, table_id: str) -> Opened:
        """Return whether a room is listed."""
        rows = await self._store.read(sa.select(OPEN_TABLES.c.fill_at).where(OPEN_TABLES.c.table_id == table_id))
        return Opened(bool(rows), rows[0][0] if rows else None)

    async def change(self, room: Room, asked: Opening, holder: str) -> None:
        """List a room before its start, or no longer; only the host may."""
        async with room.exclusive() as state:
            admission.check_host(room, holder)
            if state.status != "waiting" and asked.open:
                raise RoomError("table.started")
            table_id, at = state.id, now()
        row = {
            "opened": at,
            "fill_at": None if asked.fill is None else at + asked.fill * 1000,
            "claimed": 0,
        }

        def work(connection: sa.Connection) -> None:
            own = OPEN_TABLES.c.table_id == table_id
            if not asked.open:
                connection.execute(sa.delete(OPEN_TABLES).where(own))
            elif not connection.execute(sa.update(OPEN_TABLES).where(own).values(**row)).rowcount:
                connection.execute(OPEN_TABLES.insert().values(table_id=table_id, **row))

        await self._store.transact(work)
        self._registry.observer.table_listed()

    # Bots.

    async def _run(self) -> None:
        while True:
            self._changed.clear()
            try:
                wait_s = await self._fill_due()
            except (QuadrigaError, StaleError) as fault:
                LOGGER.warning("cannot fill open tables: %s", fault)
                wait_s = _LOOK_S
            except Exception:
                LOGGER.exception("cannot fill open tables")
                wait_s = _LOOK_S
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), wait_s)

    async def _fill_due(self) -> float:
        """Fill all tables that are due; return the seconds until the next look."""
        columns = (OPEN_TABLES.c.table_id, OPEN_TABLES.c.fill_at, OPEN_TABLES.c.claimed)
        dated = sa.select(*columns).where(OPEN_TABLES.c.fill_at.is_not(None))
        rows = await self._store.read(dated.order_by(OPEN_TABLES.c.fill_at).limit(_AT_ONCE))
        at = now()
        due = [table_id for table_id, fill_at, claimed in rows if max(fill_at, claimed) <= at]
        for table_id in await self._claim(due) if due else ():
            await self._fill(table_id)
        if due:
            return 0.0 if len(rows) == _AT_ONCE else 0.05
        waits_s = [float(max(fill_at, claimed) - at) / 1000 for _, fill_at, claimed in rows]
        return min([_LOOK_S, *waits_s])

    async def _claim(self, table_ids: Sequence[str]) -> list[str]:
        """Return those of the tables that no other process has claimed; they are this process's for a while."""
        at = now()

        def work(connection: sa.Connection) -> list[str]:
            return [
                each
                for each in table_ids
                if connection.execute(
                    sa.update(OPEN_TABLES)
                    .where(OPEN_TABLES.c.table_id == each, OPEN_TABLES.c.fill_at <= at, OPEN_TABLES.c.claimed <= at)
                    .values(claimed=at + CLAIM_MS)
                ).rowcount
            ]

        return await self._store.transact(work)

    async def _fill(self, table_id: str) -> None:
        """Seat bots and start; if that fails, the table is tried again when the claim is over."""
        try:
            await seat_bots(await self._registry.room(table_id))
        except RoomError as fault:
            if fault.code not in ("table.unknown", "table.damaged"):  # those never can be filled
                LOGGER.warning("cannot fill table %s: %s", table_id, fault)
                return
        filled = sa.update(OPEN_TABLES).where(OPEN_TABLES.c.table_id == table_id).values(fill_at=None, claimed=0)
        await self._store.transact(lambda connection: connection.execute(filled))


@retried
async def seat_bots(room: Room) -> None:
    """Give all open seats of a waiting room to bots and start its game, if a person sits there."""
    async with room.exclusive() as state:
        if state.status != "waiting" or all(info.kind != "person" for info in state.seats):
            return
        bot = choice.default(state.setup.game)
        sits = [Sit(seat, "bot", bot, "", bot) for seat, info in enumerate(state.seats) if info.kind == "open"]
        if sits:
            await room.change(*sits)
        await room.begin()
