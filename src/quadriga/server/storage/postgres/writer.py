"""The writer of one process to a PostgreSQL database.

All events of a group are one statement, prepared once for any number of events. Rooms are written in the order of
their ids, so that two processes that write to the same rooms cannot block each other for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import psycopg
from psycopg import errors

from quadriga.server.protocol.errors import StorageError
from quadriga.server.storage.writer import GroupWriter, Job, LogRow, UnsureError

_INSERT = (
    "INSERT INTO log (table_id, number, at, kind, body, hash) SELECT * FROM unnest("
    "%s::text[], %s::int[], %s::bigint[], %s::text[], %b::bytea[], %b::bytea[])"
)
_FIND = "SELECT hash FROM log WHERE table_id = %s AND number = %s"
_PROBE = "UPDATE alembic_version SET version_num = version_num"
_LOST_RACES = (psycopg.IntegrityError, errors.DeadlockDetected, errors.SerializationFailure)


class PostgresWriter(GroupWriter):
    """Writes over one connection, and connects again when it breaks."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        super().__init__()
        self._connect = connect
        self._connection: psycopg.Connection[Any] | None = connect()

    def disconnect(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()

    @property
    def connection(self) -> psycopg.Connection[Any]:
        """The connection; a new one if the last one broke."""
        if self._connection is None or self._connection.closed:
            self._connection = self._connect()
        return self._connection

    def execute(self, group: Sequence[Job]) -> None:
        """Write a group of jobs in one transaction.

        Raises UnsureError if the connection breaks after something was sent, and nobody can tell if it is stored.
        """
        connection = self.connection
        try:
            self._write(connection, group)
        except psycopg.OperationalError as fault:
            if not connection.closed:
                raise
            if not self._is_stored(group, fault):
                self._repeat(group)

    def _write(self, connection: psycopg.Connection[Any], group: Sequence[Job]) -> None:
        rows = sorted(row for job in group for row in job.rows)
        if not any(job.writes for job in group):
            self._insert(connection, rows)
            return
        with connection.transaction():
            for job in sorted(group, key=_first_room):
                for statement, values in job.writes:
                    connection.execute(statement, values)
            self._insert(connection, rows)

    def _is_stored(self, group: Sequence[Job], fault: Exception) -> bool:
        """Return whether a group was committed although its connection broke, by looking for one of its events."""
        row = next((row for job in group for row in job.rows), None)
        if row is None:
            raise UnsureError(_reason(fault))
        try:
            return self.connection.execute(_FIND, (row[0], row[1])).fetchone() == (row[-1],)
        except psycopg.Error:
            raise UnsureError(_reason(fault)) from None

    def _repeat(self, group: Sequence[Job]) -> None:
        """Retry a group that was not stored. If the first try is committed meanwhile, the numbers are taken."""
        connection = self.connection
        try:
            self._write(connection, group)
        except psycopg.OperationalError as fault:
            if connection.closed:
                raise UnsureError(_reason(fault)) from None
            raise

    @staticmethod
    def _insert(connection: psycopg.Connection[Any], rows: Sequence[LogRow]) -> None:
        if rows:  # a single statement is a transaction by itself
            connection.execute(_INSERT, [list(column) for column in zip(*rows, strict=True)], prepare=True)

    def committed(self, group: Sequence[Job]) -> None:
        """Do nothing: PostgreSQL notices a write-ahead log that was cut."""

    def probe(self) -> None:
        """Write something that changes nothing; raise if that is not possible."""
        self.connection.execute(_PROBE)

    def storage_error(self, fault: Exception) -> StorageError | None:
        """Return the error for a fault of the database; None if an event's number is not the next."""
        if isinstance(fault, _LOST_RACES):
            return None
        if isinstance(fault, errors.DiskFull):
            return StorageError("store.full", 503)
        return StorageError("store.failing", 503, reason=_reason(fault))


def _first_room(job: Job) -> str:
    return job.last_numbers[0][0] if job.last_numbers else ""


def _reason(fault: Exception) -> str:
    """Return the first line of a message; the others repeat addresses and attempts."""
    return str(fault).strip().partition("\n")[0]
