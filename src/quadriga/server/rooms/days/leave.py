"""Vacations at tables: all games by days of a person are told when one begins and when it ends."""

from __future__ import annotations

from quadriga.engine.errors import QuadrigaError
from quadriga.server.logs import LOGGER
from quadriga.server.people.person import Person
from quadriga.server.people.vacations import OwnVacation
from quadriga.server.rooms.days import deadlines
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.retrying import retried
from quadriga.server.rooms.room import Room
from quadriga.server.storage.base import now


async def begin(registry: Registry, person: Person) -> OwnVacation:
    """Begin a vacation. A table that a crash keeps from being told learns of it when its deadline is due."""
    own = await registry.vacations.begin(person, now())
    await _tell(registry, person, own.until or 0)
    return own


async def end(registry: Registry, person: Person) -> OwnVacation:
    """End a vacation. The tables are told first: after a crash it still runs, and can be ended again."""
    await _tell(registry, person, 0)
    return await registry.vacations.end(person, now())


async def _tell(registry: Registry, person: Person, until: int) -> None:
    for table_id, holder in await registry.vacations.tables(person):
        try:
            await _note(await registry.room(table_id), holder, until)
        except QuadrigaError as fault:
            LOGGER.warning("a table is not told of a vacation: %s", fault)


@retried
async def _note(room: Room, holder: str, until: int) -> None:
    async with room.exclusive() as state:
        if events := deadlines.vacation(state, holder, until, now()):
            await room.change(*events)
