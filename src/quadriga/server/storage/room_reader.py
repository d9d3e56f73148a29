"""Read rooms from the store's file, each in one read transaction, and verify them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from quadriga.server.protocol.errors import RoomError
from quadriga.server.storage.archive.moving import Archived, joined
from quadriga.server.storage.base import Head, LoadedRoom, Snapshot, StoredEvent, StoredRoom
from quadriga.server.storage.chain import damaged, verify

_DAMAGE_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@contextmanager
def connected(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file for reading. Texts come as bytes, because damaged ones may not be UTF-8."""
    try:
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=5
        )
    except sqlite3.Error as fault:
        raise RoomError("store.failing", 503, reason=str(fault)) from None
    with closing(connection):
        connection.text_factory = bytes
        yield connection


def load(connection: sqlite3.Connection, room_id: str, written: int | None = None) -> LoadedRoom | None:
    """Return a room, or None if it does not exist. `written` is the number of its last event in the journal.

    Raises RoomError `table.damaged` unless the room is exactly what was written.
    """
    try:
        connection.execute("BEGIN")
        try:
            room, head, events, snapshots, packed = _select_room(connection, room_id)
        finally:
            connection.execute("ROLLBACK")
    except (UnicodeError, TypeError, AttributeError) as fault:
        raise damaged(RoomError("damage.field", reason=fault)) from None
    except sqlite3.Error as fault:
        raise _read_error(fault) from None
    if room is None:
        if head is None and not events and packed is None and written is None:
            return None
        raise damaged(RoomError("damage.room"))
    events = joined(room, packed, events)
    verify(room, events, head)
    assert head is not None
    if written is not None and head.number < written:
        raise damaged(RoomError("damage.short", written=written, found=head.number))
    return LoadedRoom(room, head, events, snapshots, packed.number if packed else 0)


def _read_error(fault: sqlite3.Error) -> RoomError:
    """Return the error for a database that cannot be read."""
    if getattr(fault, "sqlite_errorcode", 0) & 0xFF in _DAMAGE_CODES:
        return damaged(RoomError("damage.pages", reason=fault))
    return RoomError("store.failing", 503, reason=str(fault))


def _select_room(
    connection: sqlite3.Connection, room_id: str
) -> tuple[StoredRoom | None, Head | None, list[StoredEvent], list[Snapshot], Archived | None]:
    def select(columns: str, table: str, key: str = "table_id") -> list[Any]:
        return connection.execute(f"SELECT {columns} FROM {table} WHERE {key} = ?", (room_id,)).fetchall()

    rooms = [
        StoredRoom(room_id, created, bool(public), status.decode(), setup)
        for created, public, status, setup in select("created, public, status, setup", "tables", "id")
    ]
    heads = [Head._make(row) for row in select("number, hash", "heads")]
    log = sorted(select("number, at, kind, body, hash", "log"))
    events = [StoredEvent(number, at, kind.decode(), body, digest) for number, at, kind, body, digest in log]
    snapshots = [Snapshot._make(row) for row in select("number, body", "snapshots")]
    packed = [Archived._make(row) for row in select("number, hash, body", "archive")]
    return (
        rooms[0] if rooms else None,
        heads[0] if heads else None,
        events,
        snapshots,
        packed[0] if packed else None,
    )
