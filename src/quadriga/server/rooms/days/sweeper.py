"""The sweeper: finds deadlines of games by days that are due, and meets them. Games wait for it in the store only.

A deadline is met by events of the log, and its row moves in the same transaction: whatever is killed, it is met
once. On a store that several processes share, one of them sweeps: it has a lease, and loses it when it dies.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa

from quadriga.engine.errors import QuadrigaError
from quadriga.server.background import BackgroundTask
from quadriga.server.logs import LOGGER
from quadriga.server.protocol.errors import StaleError
from quadriga.server.rooms.days import deadlines
from quadriga.server.rooms.room import Room
from quadriga.server.storage.base import Storage, now
from quadriga.server.storage.days_schema import DEADLINES

if TYPE_CHECKING:
    from quadriga.server.rooms.registry import Registry

JOB = "deadlines"  # the name of the lease
BATCH = 100  # deadlines that are read at once
_AT_ONCE = 4  # rooms that are loaded at once
_POSTPONED_MS = 60_000  # before a room is tried again that could not be loaded or changed


class DueRow(NamedTuple):
    """A row of `deadlines` that is due."""

    table_id: str
    due: int
    kind: str
    holder: str


class Sweeper:
    """Meets deadlines in a task of its own."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._task = BackgroundTask("deadlines")
        self._slots = asyncio.Semaphore(_AT_ONCE)

    def open(self) -> None:
        """Start the task; it competes with those of other processes."""
        self._registry.compete(JOB)
        self._task.start(self._run())

    async def close(self) -> None:
        """End the task."""
        await self._task.end()

    @property
    def is_on_duty(self) -> bool:
        """True if this process sweeps."""
        return self._registry.is_on_duty(JOB)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._registry.settings.sweep)
            try:
                while self.is_on_duty and await self.sweep() == BATCH:
                    pass
            except (QuadrigaError, StaleError) as fault:
                LOGGER.warning("deadlines are not swept: %s", fault)
            except Exception:
                LOGGER.exception("cannot sweep deadlines")

    async def sweep(self) -> int:
        """Meet the deadlines that have been due for longest, one batch of them; return how many there were."""
        rows = [DueRow._make(row) for row in await self._registry.store.read(due_rows(now()))]
        await asyncio.gather(*(self._meet(row) for row in rows))
        return len(rows)

    async def _meet(self, row: DueRow) -> None:
        async with self._slots:
            try:
                await self._load_and_meet(row)
            except StaleError:  # the store is being closed
                return
            except QuadrigaError as fault:
                if fault.code == "table.again":  # another process has just written to the log
                    return  # the next sweep looks again
                LOGGER.warning("a deadline is postponed: %s", fault)
                await self._move(row, now() + _POSTPONED_MS)
            except Exception:
                LOGGER.exception("a deadline is postponed")
                await self._move(row, now() + _POSTPONED_MS)

    async def _load_and_meet(self, row: DueRow) -> None:
        registry = self._registry
        was_loaded = row.table_id in registry.rooms
        room = await registry.room(row.table_id)
        since = room.presence.empty_since
        if row.kind == deadlines.BOTS:
            await self._move(row, now() + deadlines.bots_ms(room.log.day_ms))
        else:
            async with room.exclusive():
                await self._change(room, row)
        if not room.tasks.running:
            room.schedule()  # a bot or a standing order that nobody has carried out
        if row.kind != deadlines.BOTS and not was_loaded and room.presence.empty_since == since:
            registry.unload(room)

    async def _change(self, room: Room, row: DueRow) -> None:
        """Meet the deadline of a room, or correct a row that is not what the log says. Hold the room."""
        state, day_ms = room.state, room.log.day_ms
        until = await self._registry.vacations.until(row.table_id, row.holder, now())
        if until and (events := deadlines.vacation(state, row.holder, until, now())):
            await room.change(*events)  # the vacation began before the table, or a crash kept it from being told
        elif events := deadlines.due(state, now(), day_ms):
            await room.change(*events)
        elif not (stored := deadlines.stored(state, None, now(), day_ms)).kind:
            await self._registry.store.transact(lambda connection: connection.execute(_drop(row)) and None)
        elif stored.due != row.due:
            await self._move(row, stored.due, stored.kind)

    async def _move(self, row: DueRow, due: int, kind: str | None = None) -> None:
        """Change when a row is due, unless somebody has changed it already."""
        changed = _own(sa.update(DEADLINES), row).values(due=due, kind=kind or row.kind)
        with suppress(QuadrigaError, StaleError):  # the next sweep tries again
            await self._registry.store.transact(lambda connection: connection.execute(changed) and None)


def due_rows(at: int) -> sa.Select[Any]:
    """Return the select of the rows that are due at a time, one batch of them, the longest due first."""
    columns = DEADLINES.c.table_id, DEADLINES.c.due, DEADLINES.c.kind, DEADLINES.c.holder
    return sa.select(*columns).where(DEADLINES.c.due <= at).order_by(DEADLINES.c.due).limit(BATCH)


def _drop(row: DueRow) -> sa.Delete:
    return sa.delete(DEADLINES).where(DEADLINES.c.table_id == row.table_id, DEADLINES.c.due == row.due)


def _own(statement: sa.Update, row: DueRow) -> sa.Update:
    return statement.where(DEADLINES.c.table_id == row.table_id, DEADLINES.c.due == row.due)


async def ends_of(store: Storage, table_ids: Sequence[str]) -> dict[str, int]:
    """Return when the time of a person is over, by table; only where a person has to move in a game by days."""
    own = DEADLINES.c.table_id.in_(table_ids), DEADLINES.c.ends > 0
    return dict(await store.read(sa.select(DEADLINES.c.table_id, DEADLINES.c.ends).where(*own)))
