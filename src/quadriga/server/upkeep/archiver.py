"""The archiver: packs the logs of games that ended long ago, one after the other and slowly.

It walks through the rooms that have events in `log`. A room is packed in one transaction, or not at all: whatever
is killed, the next walk comes by again. A room that is written to later is packed again.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any, NamedTuple

import sqlalchemy as sa

from quadriga.engine.errors import QuadrigaError
from quadriga.server import metrics
from quadriga.server.background import BackgroundTask
from quadriga.server.logs import LOGGER
from quadriga.server.protocol.errors import StaleError
from quadriga.server.rooms.registry import Registry
from quadriga.server.storage.archive import moving
from quadriga.server.storage.archive.packing import pack
from quadriga.server.storage.base import Storage, now
from quadriga.server.storage.schema import HEADS, LOG, TABLES

JOB = "archive"  # the name of the lease
BATCH = 500  # rooms that one step of the walk looks at
_DAY_MS = 86_400_000
_STEP_S = 60.0  # between two steps that found nothing to pack
_ENDED = ("over", "ended")
_SHARE = 0.1  # of the time that packing may take


class Step(NamedTuple):
    """The rooms that a step of the walk has found old enough, and the last one that it has seen."""

    rooms: list[str]
    last: str  # "" at the end of the walk


class Archiver:
    """Packs logs in a task of its own."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._task = BackgroundTask("archive")
        self._after = ""  # the room where the walk is
        self._refused: set[str] = set()  # rooms that cannot be packed

    def open(self) -> None:
        """Start the task; it competes with those of other processes."""
        if not self._registry.settings.archive_after:
            return
        self._registry.compete(JOB)
        self._task.start(self._run())

    async def close(self) -> None:
        """End the task."""
        await self._task.end()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(_STEP_S)
            try:
                while self._registry.is_on_duty(JOB) and await self.step():
                    pass
            except (QuadrigaError, StaleError) as fault:
                LOGGER.warning("old games are not archived now: %s", fault)
            except Exception:
                LOGGER.exception("cannot archive old games")

    async def step(self) -> int:
        """Pack the games that one step of the walk finds; return how many there were."""
        before = now() - round(self._registry.settings.archive_after * _DAY_MS)
        found = await next_step(self._registry.store, self._after, before)
        packed = 0
        for room_id in found.rooms:
            if room_id not in self._refused:
                began = time.monotonic()
                packed += await self._pack(room_id)
                await asyncio.sleep((time.monotonic() - began) * (1 / _SHARE - 1))
        self._after = found.last
        return packed

    async def _pack(self, room_id: str) -> bool:
        try:
            is_packed = await archive(self._registry.store, room_id)
        except DamagedError as fault:
            self._refused.add(room_id)
            LOGGER.warning("a game is not archived: %s", fault)
            return False
        metrics.archived.inc(is_packed)
        return is_packed


class DamagedError(Exception):
    """A room is damaged and stays as it is."""


async def archive(store: Storage, room_id: str) -> bool:
    """Pack the log of a room; return False if there is no such room, or if it was written to meanwhile."""
    try:
        room = await store.load(room_id)
        if room is None or not room.events:
            return False
        packed = await asyncio.to_thread(pack, room.row, room.events)
    except QuadrigaError as fault:
        if fault.code == "table.damaged":
            raise DamagedError(str(fault)) from None
        raise
    return await store.transact(lambda connection: moving.archive(connection, room, packed))


async def next_step(store: Storage, after: str, before: int) -> Step:
    """Return which of the next rooms have ended, and were last written to before a time."""
    rows = await store.read(_walk(after))
    old = [room_id for room_id, status, at in rows if status in _ENDED and at is not None and at < before]
    return Step(old, rows[-1][0] if len(rows) == BATCH else "")


def _walk(after: str) -> sa.Select[Any]:
    """Return the select of the next rooms that have events, with their status and the time of the last event.

    It jumps from room to room in the index of the log, so that it costs the same for long logs and for short ones.
    """
    first = sa.select(sa.func.min(LOG.c.table_id)).where(LOG.c.table_id > after).scalar_subquery()
    walk = sa.select(first.label("id"), sa.literal(1).label("place")).cte("walk", recursive=True)
    following = sa.select(sa.func.min(LOG.c.table_id)).where(LOG.c.table_id > walk.c.id).scalar_subquery()
    walk = walk.union_all(
        sa.select(following, walk.c.place + 1).where(walk.c.id.is_not(None), walk.c.place < BATCH)
    )
    last = sa.and_(LOG.c.table_id == HEADS.c.table_id, LOG.c.number == HEADS.c.number)
    return (
        sa.select(walk.c.id, TABLES.c.status, LOG.c.at)
        .join(TABLES, TABLES.c.id == walk.c.id, isouter=True)
        .join(HEADS, HEADS.c.table_id == walk.c.id, isouter=True)
        .join(LOG, last, isouter=True)
        .where(walk.c.id.is_not(None))
        .order_by(walk.c.place)
    )
