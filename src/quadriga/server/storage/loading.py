"""Reading rooms from the store's file, each in one read transaction, and verifying what was read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from quadriga.server.protocol.errors import RoomError
from quadriga.server.storage.base import Head, Snapshot, Stored, StoredEvent, StoredRoom
from quadriga.server.storage.chain import damaged, verify

_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@contextmanager
def connected(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file for reading; texts come as bytes, because damaged ones may be no UTF-8."""
    try:
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=5
        )
    except sqlite3.Error as fault:
        raise RoomError("store.failing", 503, reason=str(fault)) from None
    with closing(connection):
        connection.text_factory = bytes
        yield connection


def load(connection: sqlite3.Connection, room: str, written: int | None = None) -> Stored | None:
    """Return a room, or None where there is none; `written` is how far the journal says that it was written.

    Raises TableError `table.damaged` where it is not exactly what was written.
    """
    try:
        connection.execute("BEGIN")
        try:
            kept, head, lines, snapshots = _rows(connection, room)
        finally:
            connection.execute("ROLLBACK")
    except (UnicodeError, TypeError, AttributeError) as fault:
        raise damaged(RoomError("damage.field", reason=fault)) from None
    except sqlite3.Error as fault:
        raise refusal(fault) from None
    if kept is None:
        if head is None and not lines and written is None:
            return None
        raise damaged(RoomError("damage.room"))
    verify(kept, lines, head)
    assert head is not None
    if written is not None and head.number < written:
        raise damaged(RoomError("damage.short", written=written, found=head.number))
    return Stored(kept, head, lines, snapshots)


def refusal(fault: sqlite3.Error) -> RoomError:
    """Return what is said where the database cannot be read."""
    if getattr(fault, "sqlite_errorcode", 0) & 0xFF in _DAMAGE:
        return damaged(RoomError("damage.pages", reason=fault))
    return RoomError("store.failing", 503, reason=str(fault))


def _rows(
    connection: sqlite3.Connection, room: str
) -> tuple[StoredRoom | None, Head | None, list[StoredEvent], list[Snapshot]]:
    def rows(columns: str, table: str, key: str = "table_id") -> list[Any]:
        chosen = f"SELECT {columns} FROM {table} WHERE {key} = ?"
        return connection.execute(chosen, (room,)).fetchall()

    found = rows("created, public, status, setup", "tables", "id")
    kept = [StoredRoom(room, at, bool(public), status.decode(), setup) for at, public, status, setup in found]
    heads = [Head._make(row) for row in rows("number, hash", "heads")]
    log = sorted(rows("number, at, kind, body, hash", "log"))
    lines = [StoredEvent(number, at, kind.decode(), body, digest) for number, at, kind, body, digest in log]
    snapshots = [Snapshot._make(row) for row in rows("number, body", "snapshots")]
    return kept[0] if kept else None, heads[0] if heads else None, lines, snapshots
