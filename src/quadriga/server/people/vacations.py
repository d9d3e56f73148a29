"""Vacations: 14 days a year in which the deadlines of a person's moves stand still, in games by days.

A vacation is stored with its latest end, when the days of the year are used up. Coming back brings the end forward.
Times are in milliseconds since 1970.
"""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from quadriga.server.people.person import Person
from quadriga.server.protocol.errors import RoomError
from quadriga.server.storage.base import Storage
from quadriga.server.storage.days_schema import DEADLINES, VACATIONS
from quadriga.server.storage.people_schema import GAMES, PEOPLE, PLAYERS

DAYS = 14  # in a year
_YEAR_DAYS = 365


class OwnVacation(NamedTuple):
    """The vacation of a person."""

    until: int | None  # the latest end of the one that runs; None: there is none
    left_ms: int  # of the year that ends now


class Vacations:
    """The vacations of all people. A day has `day_ms` milliseconds."""

    def __init__(self, store: Storage, day_ms: int) -> None:
        self._store, self._day_ms = store, day_ms

    async def of(self, person: Person, now: int) -> OwnVacation:
        """Return the vacation of a person."""
        return await self._store.transact(lambda connection: self._of(connection, person, now))

    def _of(self, connection: sa.Connection, person: Person, now: int) -> OwnVacation:
        since = now - _YEAR_DAYS * self._day_ms
        selected = sa.select(VACATIONS.c.begins, VACATIONS.c.ends).where(
            VACATIONS.c.person_id == person.id, VACATIONS.c.ends > since
        )
        rows = connection.execute(selected).all()
        used = sum(min(ends, now) - max(begins, since) for begins, ends in rows)
        until = max((ends for _, ends in rows if ends > now), default=None)
        return OwnVacation(until, max(0, DAYS * self._day_ms - used))

    async def begin(self, person: Person, now: int) -> OwnVacation:
        """Begin a vacation, unless one runs already. Raises RoomError if the days of the year are used up."""

        def work(connection: sa.Connection) -> OwnVacation:
            connection.execute(sa.select(PEOPLE.c.id).where(PEOPLE.c.id == person.id).with_for_update())
            known = self._of(connection, person, now)
            if known.until is not None:
                return known
            if known.left_ms == 0:
                raise RoomError("vacation.spent", 409, days=DAYS)
            row = {"person_id": person.id, "begins": now, "ends": now + known.left_ms}
            connection.execute(VACATIONS.insert().values(**row))
            return OwnVacation(now + known.left_ms, known.left_ms)

        return await self._store.transact(work)

    async def end(self, person: Person, now: int) -> OwnVacation:
        """End the vacation that runs."""

        def work(connection: sa.Connection) -> OwnVacation:
            own = VACATIONS.c.person_id == person.id, VACATIONS.c.ends > now
            connection.execute(sa.update(VACATIONS).where(*own).values(ends=now))
            return self._of(connection, person, now)

        return await self._store.transact(work)

    async def until(self, table_id: str, holder: str, now: int) -> int:
        """Return the latest end of the vacation of a person at a table; 0 if they are on none."""
        part = sa.select(PLAYERS.c.person_id).where(PLAYERS.c.table_id == table_id, PLAYERS.c.holder == holder)
        selected = sa.select(sa.func.max(VACATIONS.c.ends)).where(
            VACATIONS.c.person_id.in_(part), VACATIONS.c.ends > now
        )
        return (await self._store.read(selected))[0][0] or 0

    async def tables(self, person: Person) -> list[tuple[str, str]]:
        """Return the games that a person plays by days, and who they are there. Paused games may be live."""
        joined = (
            sa.select(PLAYERS.c.table_id, PLAYERS.c.holder)
            .outerjoin(DEADLINES, DEADLINES.c.table_id == PLAYERS.c.table_id)
            .outerjoin(GAMES, GAMES.c.table_id == PLAYERS.c.table_id)
        )
        waits = sa.or_(DEADLINES.c.table_id.is_not(None), GAMES.c.status == "paused")
        selected = joined.where(PLAYERS.c.person_id == person.id, PLAYERS.c.ended == 0, waits)
        return [tuple(row) for row in await self._store.read(selected)]
