"""Back up and restore a store, or one room of it, also while the server runs."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from quadriga.engine import files
from quadriga.engine.errors import QuadrigaError
from quadriga.server.protocol.errors import RoomError
from quadriga.server.storage import journal, lock, private, room_reader
from quadriga.server.storage.chain import first_hash
from quadriga.server.storage.opening import refused, version
from quadriga.server.storage.schema import HEAD

# The head starts before the first event in the log, because a trigger moves it with every event that is inserted.
_REPLACE_ROOM = (
    "DELETE FROM main.chat WHERE table_id = :room",
    "DELETE FROM main.snapshots WHERE table_id = :room",
    "DELETE FROM main.log WHERE table_id = :room",
    "DELETE FROM main.archive WHERE table_id = :room",
    "DELETE FROM main.heads WHERE table_id = :room",
    "DELETE FROM main.deadlines WHERE table_id = :room",
    "DELETE FROM main.games WHERE table_id = :room",
    "DELETE FROM main.tables WHERE id = :room",
    "INSERT INTO main.tables SELECT * FROM backup.tables WHERE id = :room",
    "INSERT INTO main.archive SELECT * FROM backup.archive WHERE table_id = :room",
    (
        "INSERT INTO main.heads SELECT :room, coalesce(max(number), 0), coalesce(max(hash), :first) "
        "FROM backup.archive WHERE table_id = :room"
    ),
    "INSERT INTO main.log SELECT * FROM backup.log WHERE table_id = :room ORDER BY number",
    "INSERT INTO main.snapshots SELECT * FROM backup.snapshots WHERE table_id = :room",
    "INSERT INTO main.chat SELECT * FROM backup.chat WHERE table_id = :room",
    "INSERT INTO main.games SELECT * FROM backup.games WHERE table_id = :room",
    "INSERT INTO main.deadlines SELECT * FROM backup.deadlines WHERE table_id = :room",
)


def backup(store: Path, target: Path) -> int:
    """Copy a store as of one moment into a new file. Return the number of rooms in it."""
    version_of(store)
    if target.exists():
        raise refused("there", target)
    return _copied(store, target)


def restore(source: Path, store: Path) -> int:
    """Copy a backup to the path of the store and remove the old journal. No server may use the path."""
    version_of(source)
    for path in (store, private.beside(store, "-wal")):
        if path.exists():
            raise refused("there", path)
    with lock.held(store):
        try:
            journal.path_of(store).unlink(missing_ok=True)
        except OSError as fault:
            raise refused("open", store, reason=fault.strerror) from None
        return _copied(source, store.resolve())


def restore_room(source: Path, store: Path, room: str) -> int:
    """Replace one room of a store by the same room of a backup, also while the server runs.

    Return the number of its events. Raises FileError if the backup has no such room, or a damaged one.
    """
    for path in (source, store):
        if (found := version_of(path)) != HEAD:
            raise refused("older", path, found=found)
    try:
        with room_reader.connected(source) as connection:
            loaded = room_reader.load(connection, room)
        if loaded is None:
            raise RoomError("table.unknown")
    except QuadrigaError as fault:
        raise refused("room", source, room=room, reason=fault) from None
    try:
        with closing(sqlite3.connect(f"{store.absolute().as_uri()}?mode=rw", uri=True, timeout=10)) as disk:
            disk.isolation_level = None
            disk.execute("PRAGMA synchronous=FULL")
            disk.execute("ATTACH ? AS backup", (f"{source.absolute().as_uri()}?mode=ro",))
            disk.execute("BEGIN IMMEDIATE")
            for statement in _REPLACE_ROOM:
                disk.execute(statement, {"room": room, "first": first_hash(loaded.row)})
            disk.execute("COMMIT")
    except sqlite3.Error as fault:
        raise refused("open", store, reason=fault) from None
    numbers = journal.Journal(store)
    numbers.add({room: loaded.head.number})
    numbers.close()
    return loaded.head.number


def version_of(path: Path) -> str:
    """Return the version of an existing store. Raises FileError if there is none or it cannot be read."""
    if not path.exists():
        raise refused("missing", path)
    found = version(path)
    if found is None:
        raise refused("foreign", path)
    return found


def _copied(source: Path, target: Path) -> int:
    """Copy a store and check the copy. The target is complete or does not exist."""
    try:
        with (
            files.atomic_replace(target, is_private=True) as fresh,
            closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True, timeout=10)) as old,
            closing(sqlite3.connect(fresh)) as new,
        ):
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")
            found = new.execute("PRAGMA integrity_check").fetchone()[0]
            if found != "ok":
                raise refused("bad", source, reason=found)
            return int(new.execute("SELECT count(*) FROM tables").fetchone()[0])
    except (sqlite3.Error, OSError) as fault:
        raise refused("bad", source, reason=fault) from None
