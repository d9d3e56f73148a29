"""The only writer of a store on SQLite.

All events of a group go in as one statement: between two statements the thread would wait until the event loop
releases the interpreter, which can take longer than the disk. A trigger of the log (migration 0003) moves the heads
of the rooms in the same statement.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from quadriga.server.protocol.errors import StorageError
from quadriga.server.storage.journal import MAX_BYTES, Journal
from quadriga.server.storage.schema import LOG
from quadriga.server.storage.writer import GroupWriter, Job

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000")
_ROWS_PER_STATEMENT = 1000
_WAL_PAGES = 10_000  # moving the write-ahead log into the store stops all writes, so it is done rarely
_PROBE = "UPDATE alembic_version SET version_num = version_num"


def compiled_sql(statement: sa.sql.ClauseElement) -> str:
    """Return a statement as the driver takes it, with its values in the order of the columns."""
    return str(statement.compile(dialect=sqlite.dialect()))


_INSERT = compiled_sql(LOG.insert()).partition(" VALUES ")


@lru_cache(maxsize=_ROWS_PER_STATEMENT)
def _insert_events(count: int) -> str:
    """Return the statement that inserts this many events."""
    start, values, row = _INSERT
    return start + values + ", ".join([row] * count)


class SqliteWriter(GroupWriter):
    """Writes to a file of SQLite, and to its journal."""

    def __init__(self, path: Path, truncated: Mapping[str, int]) -> None:
        super().__init__()
        self._truncated = truncated  # rooms that have lost events: the journal keeps their numbers
        self.connection = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, cached_statements=_ROWS_PER_STATEMENT
        )
        for pragma in (*PRAGMAS, f"wal_autocheckpoint={_WAL_PAGES}"):
            self.connection.execute(f"PRAGMA {pragma}")
        self._journal = Journal(path)

    def disconnect(self) -> None:
        """Close the file and its journal."""
        self.connection.close()
        self._journal.close()

    def execute(self, group: Sequence[Job]) -> None:
        """Write a group of jobs in one transaction."""
        execute = self.connection.execute
        rows = [row for job in group for row in job.rows]
        if len(rows) <= _ROWS_PER_STATEMENT and not any(job.writes for job in group):
            if rows:  # a single statement is a transaction by itself
                execute(_insert_events(len(rows)), [value for row in rows for value in row])
            return
        execute("BEGIN IMMEDIATE")
        try:
            for job in group:
                for statement, values in job.writes:
                    execute(statement, values)
            for first in range(0, len(rows), _ROWS_PER_STATEMENT):
                part = rows[first : first + _ROWS_PER_STATEMENT]
                execute(_insert_events(len(part)), [value for row in part for value in row])
            execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                execute("ROLLBACK")
            raise

    def committed(self, group: Sequence[Job]) -> None:
        """Write to the journal how far the rooms are; restart it when the store itself holds everything."""
        last_numbers = {room: number for job in group for room, number in job.last_numbers}
        if last_numbers:
            self._journal.add(last_numbers)
        if self._journal.size > MAX_BYTES:
            _, frames, moved = self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            if frames == moved:
                self._journal.restart(self._truncated)
            else:
                self._journal.size = 0  # a reader prevents the checkpoint: try again much later

    def probe(self) -> None:
        """Write something that changes nothing; raise if that is not possible."""
        self.execute([Job([(_PROBE, ())])])

    def storage_error(self, fault: Exception) -> StorageError | None:
        """Return the error for a fault of the database; None if an event's number is not the next."""
        if isinstance(fault, sqlite3.IntegrityError):
            return None
        if getattr(fault, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
            return StorageError("store.full", 503)
        return StorageError("store.failing", 503, reason=str(fault))
