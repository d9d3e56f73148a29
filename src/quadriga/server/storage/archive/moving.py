"""Move the events of a room to the archive and back. Both lock the head of the room until the transaction ends."""

from __future__ import annotations

from typing import Any, NamedTuple

import sqlalchemy as sa

from quadriga.server.protocol.errors import RoomError
from quadriga.server.storage.archive.packing import unpack
from quadriga.server.storage.archive_schema import ARCHIVE
from quadriga.server.storage.base import Head, LoadedRoom, StoredEvent, StoredRoom
from quadriga.server.storage.chain import damaged
from quadriga.server.storage.schema import HEADS, LOG, SNAPSHOTS, TABLES

EVENT_COLUMNS = (LOG.c.number, LOG.c.at, LOG.c.kind, LOG.c.body, LOG.c.hash)


class Archived(NamedTuple):
    """A row of `archive`, without the room's id."""

    number: int
    hash: bytes
    body: bytes

    def events(self, room: StoredRoom) -> list[StoredEvent]:
        """Return its events. Raises RoomError `table.damaged` unless they are those that were archived."""
        found = unpack(room, self.body)
        if not found or (found[-1].number, found[-1].hash) != (self.number, self.hash):
            raise damaged(RoomError("damage.archive"))
        return found


def archived(room_id: str) -> sa.Select[Any]:
    """Return the select of a room's row in the archive."""
    columns = ARCHIVE.c.number, ARCHIVE.c.hash, ARCHIVE.c.body
    return sa.select(*columns).where(ARCHIVE.c.table_id == room_id)


def joined(room: StoredRoom, row: Archived | None, rows: list[StoredEvent]) -> list[StoredEvent]:
    """Return a whole log: the archived events, and those after them."""
    return rows if row is None else [*row.events(room), *rows]


def archive(connection: sa.Connection, room: LoadedRoom, packed: bytes) -> bool:
    """Put packed events in place of those of a room. Return False if they have changed since they were read."""
    room_id = room.row.id
    if _locked(connection, room_id) != room.head or _events(connection, room_id) != room.events:
        return False
    for table in (LOG, SNAPSHOTS, ARCHIVE):
        connection.execute(sa.delete(table).where(table.c.table_id == room_id))
    values = {"table_id": room_id, **room.head._asdict(), "body": packed}
    connection.execute(ARCHIVE.insert().values(**values))
    return True


def restore(connection: sa.Connection, room_id: str) -> None:
    """Put the events of a room back into its log, if they are archived."""
    _locked(connection, room_id)
    if connection.execute(archived(room_id)).first() is None:
        return
    events = _events(connection, room_id)
    connection.execute(sa.delete(LOG).where(LOG.c.table_id == room_id))
    connection.execute(sa.delete(ARCHIVE).where(ARCHIVE.c.table_id == room_id))
    connection.execute(sa.update(HEADS).where(HEADS.c.table_id == room_id).values(number=0))
    connection.execute(LOG.insert(), [{"table_id": room_id, **event._asdict()} for event in events])


def _locked(connection: sa.Connection, room_id: str) -> Head | None:
    """Return the head of a room, which nobody else changes until the transaction ends."""
    chosen = sa.select(HEADS.c.number, HEADS.c.hash).where(HEADS.c.table_id == room_id).with_for_update()
    row = connection.execute(chosen).first()
    return None if row is None else Head._make(row)


def _events(connection: sa.Connection, room_id: str) -> list[StoredEvent]:
    log = sa.select(*EVENT_COLUMNS).where(LOG.c.table_id == room_id).order_by(LOG.c.number)
    rows = [StoredEvent._make(row) for row in connection.execute(log)]
    packed = connection.execute(archived(room_id)).first()
    if packed is None:
        return rows
    room = connection.execute(sa.select(TABLES).where(TABLES.c.id == room_id)).one()
    return joined(StoredRoom._make(room), Archived._make(packed), rows)
