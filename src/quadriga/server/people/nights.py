"""Game nights: invitations for a date, who comes, and the table that is made when it is time."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from quadriga.server.people.accounts import DAY_MS
from quadriga.server.people.person import Person
from quadriga.server.protocol.errors import RoomError
from quadriga.server.seats.names import checked_name, tidy
from quadriga.server.seats.tokens import new_id
from quadriga.server.storage import telling
from quadriga.server.storage.base import Storage, now
from quadriga.server.storage.lobby_schema import NIGHT_GUESTS, NIGHTS

MOST = 50  # nights that a person has planned and that are listed
MOST_GUESTS = 200  # who have answered one
LATEST_MS = 400 * DAY_MS
PAST_MS = DAY_MS  # for which a night is still listed
_KEPT_MS = 30 * DAY_MS
_SOON_MS = 3_600_000  # before the date: when those who come are told, and from when on the table can be made


class Night(NamedTuple):
    """A row of `nights`."""

    id: str
    person_id: str
    name: str
    title: str
    game: str
    seats: int
    at: int
    created: int
    table_id: str | None


class NightGuest(NamedTuple):
    """Somebody who has answered."""

    night_id: str
    person_id: str
    name: str
    answer: str


class Nights:
    """The game nights of all people."""

    def __init__(self, store: Storage) -> None:
        self._store = store

    async def plan(self, person: Person, name: str, title: str, game: str, seats: int, at: int) -> Night:
        """Invite to a date. Raises RoomError if it is over, too far away, or one of too many."""
        created = now()
        if not created - _SOON_MS < at < created + LATEST_MS:
            raise RoomError("night.when", 422)
        shown = person.name or checked_name(name)
        night = Night(new_id(), person.id, shown, tidy(title)[:80], game, seats, at, created, None)

        host = NightGuest(night.id, person.id, shown, "yes")

        def work(connection: sa.Connection) -> None:
            connection.execute(sa.delete(NIGHTS).where(NIGHTS.c.at < created - _KEPT_MS))
            known = sa.select(NIGHTS.c.id)
            connection.execute(sa.delete(NIGHT_GUESTS).where(NIGHT_GUESTS.c.night_id.not_in(known)))
            own = (NIGHTS.c.person_id == person.id, NIGHTS.c.at > created - PAST_MS)
            if connection.execute(sa.select(sa.func.count()).where(*own)).scalar_one() >= MOST:
                raise RoomError("person.many", most=MOST)
            connection.execute(NIGHTS.insert().values(**night._asdict()))
            connection.execute(NIGHT_GUESTS.insert().values(**host._asdict()))
            _tell(connection, night, person)

        await self._store.transact(work)
        return night

    async def find(self, night_id: str) -> tuple[Night, list[NightGuest]]:
        """Return a night, and who has answered. Raises RoomError if there is none."""
        rows = await self._store.read(sa.select(NIGHTS).where(NIGHTS.c.id == night_id))
        if not rows:
            raise RoomError("night.unknown", 404)
        guests = sa.select(NIGHT_GUESTS).where(NIGHT_GUESTS.c.night_id == night_id).order_by(NIGHT_GUESTS.c.name)
        return Night._make(rows[0]), [NightGuest._make(row) for row in await self._store.read(guests)]

    async def of(self, person: Person, hidden: frozenset[str] = frozenset()) -> list[Night]:
        """Return the nights to come that a person has planned or not declined, the next first.

        Those that hidden people have planned are left out.
        """
        own = sa.select(NIGHT_GUESTS.c.night_id).where(
            NIGHT_GUESTS.c.person_id == person.id, NIGHT_GUESTS.c.answer != "no"
        )
        coming = sa.select(NIGHTS).where(NIGHTS.c.id.in_(own), NIGHTS.c.at > now() - PAST_MS)
        shown = coming.where(NIGHTS.c.person_id.not_in(hidden))
        return [Night._make(row) for row in await self._store.read(shown.order_by(NIGHTS.c.at).limit(MOST))]

    async def answer(self, night: Night, person: Person, name: str, answer: str) -> None:
        """Say whether one comes."""
        guest = NightGuest(night.id, person.id, person.name or checked_name(name), answer)

        def work(connection: sa.Connection) -> None:
            of_night = NIGHT_GUESTS.c.night_id == night.id
            connection.execute(sa.delete(NIGHT_GUESTS).where(of_night, NIGHT_GUESTS.c.person_id == person.id))
            if connection.execute(sa.select(sa.func.count()).where(of_night)).scalar_one() >= MOST_GUESTS:
                raise RoomError("person.many", most=MOST_GUESTS)
            connection.execute(NIGHT_GUESTS.insert().values(**guest._asdict()))
            if answer != "no":
                _tell(connection, night, person)

        await self._store.transact(work)

    def check_time(self, night: Night) -> None:
        """Raise RoomError if it is too early for the table."""
        if now() < night.at - _SOON_MS:
            raise RoomError("night.early")

    async def set_table(self, night: Night, table_id: str) -> str:
        """Store the table of a night, unless it has one; return the one that it has."""

        def work(connection: sa.Connection) -> str:
            free = (NIGHTS.c.id == night.id, NIGHTS.c.table_id.is_(None))
            connection.execute(sa.update(NIGHTS).where(*free).values(table_id=table_id))
            found = connection.execute(sa.select(NIGHTS.c.table_id).where(NIGHTS.c.id == night.id)).scalar()
            return str(found)

        return await self._store.transact(work)

    async def cancel(self, night: Night) -> None:
        """Delete a night and its answers."""

        def work(connection: sa.Connection) -> None:
            connection.execute(sa.delete(NIGHTS).where(NIGHTS.c.id == night.id))
            connection.execute(sa.delete(NIGHT_GUESTS).where(NIGHT_GUESTS.c.night_id == night.id))

        await self._store.transact(work)


def _tell(connection: sa.Connection, night: Night, person: Person) -> None:
    """Tell a person an hour before a night, unless that is over: then they know."""
    if (at := night.at - _SOON_MS) > now():
        telling.put(connection, person.id, telling.NIGHT, night.id, 0, at)
