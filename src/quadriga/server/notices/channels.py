"""Where people are told, and what they have chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
import sqlalchemy as sa

from quadriga.server.notices.hours import time_zone
from quadriga.server.notices.outbox import TRIAL, Row
from quadriga.server.people.history import SeatSummary
from quadriga.server.people.person import Person
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.notices import NoticeChoices
from quadriga.server.seats.tokens import new_id
from quadriga.server.storage.base import Storage, now
from quadriga.server.storage.notices_schema import CHANNELS, NOTICE_CHOICES
from quadriga.server.storage.people_schema import GAMES, PLAYERS

MOST = 10  # channels of a person
PUSH, WEBHOOK, MAIL = "push", "webhook", "mail"
NOTHING_CHOSEN = NoticeChoices(["turn", "warning", "invitation", "night"])
_SEATS = msgspec.json.Decoder(list[SeatSummary])


class Channel(NamedTuple):
    """A place where a person is told."""

    id: str
    person_id: str
    session_id: str | None
    kind: str
    shape: str
    address: str
    keys: bytes
    origin: str
    label: str
    created: int

    @property
    def place(self) -> str:
        """The part of the address that is no secret."""
        return self.address if self.kind == MAIL else urlsplit(self.address).netloc


class Channels:
    """The channels and choices of all people."""

    def __init__(self, store: Storage) -> None:
        self._store = store

    async def of(self, person: Person) -> tuple[NoticeChoices, list[Channel]]:
        """Return what a person has chosen, and where they are told."""
        own = sa.select(CHANNELS).where(CHANNELS.c.person_id == person.id).order_by(CHANNELS.c.created)
        channels = [Channel._make(row) for row in await self._store.read(own)]
        chosen = sa.select(*_CHOICES).where(NOTICE_CHOICES.c.person_id == person.id)
        rows = await self._store.read(chosen)
        return (_choices(rows[0]) if rows else NOTHING_CHOSEN), channels

    async def choose(self, person: Person, choices: NoticeChoices) -> None:
        """Store what a person has chosen. Raises RoomError for an unknown time zone."""
        if time_zone(choices.zone) is None:
            raise RoomError("notice.zone", 422, zone=choices.zone)
        row = {**msgspec.structs.asdict(choices), "kinds": " ".join(sorted(set(choices.kinds)))}

        def work(connection: sa.Connection) -> None:
            connection.execute(sa.delete(NOTICE_CHOICES).where(NOTICE_CHOICES.c.person_id == person.id))
            connection.execute(NOTICE_CHOICES.insert().values(person_id=person.id, **row))

        await self._store.transact(work)

    async def add(self, channel: Channel) -> None:
        """Add a channel, or replace the one at the same address: a browser takes the notices of one person."""

        def work(connection: sa.Connection) -> None:
            same = sa.and_(CHANNELS.c.kind == channel.kind, CHANNELS.c.address == channel.address)
            if channel.kind != PUSH:
                same = sa.and_(same, CHANNELS.c.person_id == channel.person_id)
            connection.execute(sa.delete(CHANNELS).where(same))
            counted = sa.select(sa.func.count()).where(CHANNELS.c.person_id == channel.person_id)
            if connection.execute(counted).scalar_one() >= MOST:
                raise RoomError("notice.many", most=MOST)
            connection.execute(CHANNELS.insert().values(**channel._asdict()))

        await self._store.transact(work)

    async def find(self, person: Person, id: str) -> Channel:
        """Return a channel of a person. Raises RoomError if they have no such channel."""
        own = sa.select(CHANNELS).where(CHANNELS.c.id == id, CHANNELS.c.person_id == person.id)
        rows = await self._store.read(own)
        if not rows:
            raise RoomError("notice.unknown", 404)
        return Channel._make(rows[0])

    async def remove(self, id: str) -> str | None:
        """Delete a channel with all that was to be told there; return its kind, None if there is none."""

        def work(connection: sa.Connection) -> str | None:
            removed = sa.delete(CHANNELS).where(CHANNELS.c.id == id).returning(CHANNELS.c.kind)
            return connection.execute(removed).scalar()

        return await self._store.transact(work)

    async def waiting(self, person_id: str) -> int:
        """Return how many games with other people wait for a person."""
        own = sa.select(GAMES.c.turn, GAMES.c.seats, PLAYERS.c.holder).join(
            GAMES, GAMES.c.table_id == PLAYERS.c.table_id
        )
        found = own.where(PLAYERS.c.person_id == person_id, PLAYERS.c.ended == 0, GAMES.c.turn.is_not(None))
        rows = await self._store.read(found)
        return sum(_SEATS.decode(seats)[turn].holder == holder for turn, seats, holder in rows)


def new_channel(
    person: Person,
    kind: str,
    address: str,
    origin: str,
    label: str,
    *,
    shape: str = "",
    keys: bytes = b"",
    session_id: str | None = None,
) -> Channel:
    """Return a channel that is to be added."""
    return Channel(new_id(), person.id, session_id, kind, shape, address, keys, origin, label, now())


def trial(channel: Channel, choices: NoticeChoices) -> Sequence[Row]:
    """Return a notice that only tries a channel."""
    at = now()
    return [
        Row(
            channel_id=channel.id,
            kind=TRIAL,
            table_id="",
            key=0,
            since=at,
            due=at,
            tries=0,
            person_id=channel.person_id,
            channel=channel.kind,
            shape=channel.shape,
            address=channel.address,
            keys=channel.keys,
            origin=channel.origin,
            language=choices.language,
        )
    ]


_CHOICES = [NOTICE_CHOICES.c[name] for name in NoticeChoices.__struct_fields__]


def _choices(row: sa.Row[Any]) -> NoticeChoices:
    found = dict(zip(NoticeChoices.__struct_fields__, row, strict=True))
    return NoticeChoices(**{**found, "kinds": found["kinds"].split()})
