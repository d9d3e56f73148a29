"""Take a name that a moderator has taken away out of all games, those that run and those that have ended.

The log of the house says which of these names are gone: what a kill has interrupted is done again.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import sqlalchemy as sa

from quadriga.engine.errors import QuadrigaError
from quadriga.server.background import BackgroundTask
from quadriga.server.logs import LOGGER
from quadriga.server.moderation import acts, log
from quadriga.server.protocol.errors import RoomError, StaleError
from quadriga.server.rooms import erasing
from quadriga.server.rooms.erasing import Change
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.retrying import retried
from quadriga.server.rooms.room import Room
from quadriga.server.seats.names import NAMELESS, distinct
from quadriga.server.seats.votes import RUNNING
from quadriga.server.state.events import BotControl, RoomEvent, Sit
from quadriga.server.state.room_state import RoomState
from quadriga.server.storage.moderation_schema import ACTS, HOUSE_LOG, REPORTS
from quadriga.server.storage.people_schema import PEOPLE, PLAYERS

JOB = "renaming"  # the name of the lease
_LOOK_S = 30.0  # between two looks without a reason
_PAUSE = 2.0  # after a table, as a multiple of the time that it has taken
_SKIPPED = ("table.damaged", "table.unknown")


class Renaming:
    """Takes names out of games in a task of its own, on one process at a time."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._task = BackgroundTask("renaming")
        self._wakes = asyncio.Event()

    def open(self) -> None:
        """Start the task."""
        self._registry.compete(JOB)
        self._wakes.set()
        self._task.start(self._run())

    async def close(self) -> None:
        """End the task."""
        await self._task.end()

    def wake(self) -> None:
        """Look at once: a name was taken away."""
        self._wakes.set()

    async def _run(self) -> None:
        look_s = _LOOK_S if self._registry.cluster is None else 1.0
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wakes.wait(), look_s)
            self._wakes.clear()
            try:
                while self._registry.is_on_duty(JOB) and await self.step():
                    pass
            except (QuadrigaError, StaleError) as fault:
                LOGGER.warning("names are not taken out of games now: %s", fault)
                await asyncio.sleep(1.0)
            except Exception:
                LOGGER.exception("cannot take names out of games")
                await asyncio.sleep(_LOOK_S)

    async def step(self) -> bool:
        """Take the names of somebody that were taken away out of all games; return whether there were any."""
        store = self._registry.store
        rows = await store.read(_pending().limit(1))
        if not rows:
            return False
        subject = rows[0].subject
        pending = await store.read(_pending().where(ACTS.c.subject == subject))
        known = await store.read(sa.select(PEOPLE.c.name).where(PEOPLE.c.id == subject))
        change = Change([row.name for row in pending], (known[0][0] if known else None) or NAMELESS)
        for table_id, holder in await self._parts(subject):
            began = asyncio.get_running_loop().time()
            await self._rename(table_id, holder, change)
            await asyncio.sleep(_PAUSE * (asyncio.get_running_loop().time() - began))

        def finish(connection: sa.Connection) -> None:
            erasing.rename_author(connection, subject, change)
            now_pending = connection.execute(_pending().where(ACTS.c.subject == subject)).all()
            if len(now_pending) == len(pending):  # else another name was taken away meanwhile: look again
                log.add(connection, "", acts.RENAMED, subject)

        await store.transact(finish)
        return True

    async def _parts(self, subject: str) -> list[tuple[str, str]]:
        """Return the tables at which somebody has a part, and who they are there; those that run come first."""
        store = self._registry.store
        own = sa.select(PLAYERS.c.table_id, PLAYERS.c.holder).where(PLAYERS.c.person_id == subject)
        parts = [(row[0], row[1]) for row in await store.read(own.order_by(PLAYERS.c.ended))]
        # Somebody without an account is known by their part at a table.
        reported = sa.select(REPORTS.c.table_id).where(
            REPORTS.c.subject == subject, REPORTS.c.table_id.is_not(None)
        )
        tables = {row[0] for row in await store.read(reported)}
        tables |= {room.state.id for room in self._registry.rooms.values() if room.state.seats_of(subject)}
        return parts + [(each, subject) for each in sorted(tables)]

    async def _rename(self, table_id: str, holder: str, change: Change) -> None:
        """Take a name out of a room and its rematches, which keep it for seats that are not taken yet."""
        next_id: str | None = table_id
        while next_id is not None:
            try:
                room = await self._registry.room(next_id)
                await _show(room, holder, change)
                await erasing.erase_name(room, holder, change)
            except RoomError as fault:
                if fault.code not in _SKIPPED:
                    raise
                return
            next_id = room.state.rematch
            self._registry.unload(room)


@retried
async def _show(room: Room, holder: str, change: Change) -> None:
    """Show another name at a table that waits or plays."""
    async with room.exclusive() as state:
        if changes := _changes(state, holder, change):
            await room.change(*changes)


def _changes(state: RoomState, holder: str, change: Change) -> list[RoomEvent]:
    """Return the events that give another name to the seats that show one which was taken away."""
    if state.status != "waiting" and state.status not in RUNNING:
        return []
    found: list[RoomEvent] = []
    for seat in state.seats_of(holder):
        info = state.seats[seat]
        if change.concerns(info.name):
            shown = distinct(change.name, state.names(besides=seat))
            found.append(Sit(seat, "person", shown, holder, None, info.client_seed))
            if info.bot_controlled:
                found.append(BotControl(seat, True, absent=info.is_absent))
    return found


def _pending() -> sa.Select[Any]:
    """Return the select of names that were taken away and are still in games, and of those who had them."""
    is_done = sa.exists().where(
        HOUSE_LOG.c.kind == acts.RENAMED, HOUSE_LOG.c.target == ACTS.c.subject, HOUSE_LOG.c.at >= ACTS.c.at
    )
    own = (ACTS.c.kind == acts.RENAME, ACTS.c.subject.is_not(None), ~is_done)
    return sa.select(ACTS.c.subject, ACTS.c.name).where(*own).order_by(ACTS.c.at)
