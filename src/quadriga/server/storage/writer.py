"""The only writer of the store: a thread with its own connection that commits waiting jobs in groups.

A group costs one hop to the thread and one back. All its events go in as one statement: between two statements the
thread would wait until the event loop releases the interpreter, which can take longer than the disk. A trigger of
the log (migration 0003) moves the heads of the rooms in the same statement.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from quadriga.server import metrics
from quadriga.server.logs import LOGGER
from quadriga.server.protocol.errors import RoomError, StaleError, StorageError
from quadriga.server.storage.journal import MAX_BYTES, Journal
from quadriga.server.storage.schema import LOG

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000")
_JOBS_PER_COMMIT = 512  # a group is closed when it has this many jobs
_ROWS_PER_STATEMENT = 1000
_WAL_PAGES = 10_000  # moving the write-ahead log into the store stops all writes, so it is done rarely
_PROBE_INTERVAL_S = 1.0  # time between two attempts to write while nothing can be stored

Write = tuple[str, Sequence[Any]]
_PROBE_WRITE: Write = ("UPDATE alembic_version SET version_num = version_num", ())
LogRow = tuple[str, int, int, str, bytes, bytes]


def compiled_sql(statement: sa.sql.ClauseElement) -> str:
    """Return a statement as the driver takes it, with its values in the order of the columns."""
    return str(statement.compile(dialect=sqlite.dialect()))


_INSERT = compiled_sql(LOG.insert()).partition(" VALUES ")


@lru_cache(maxsize=_ROWS_PER_STATEMENT)
def _insert_events(count: int) -> str:
    """Return the statement that inserts this many events."""
    start, values, row = _INSERT
    return start + values + ", ".join([row] * count)


class Job:
    """Writes that belong together, the last events by room, and the future that waits for the commit."""

    __slots__ = ("done", "last_numbers", "rows", "writes")

    def __init__(
        self,
        writes: Sequence[Write],
        rows: Sequence[LogRow] = (),
        last_numbers: Sequence[tuple[str, int]] = (),
        done: asyncio.Future[None] | None = None,
    ) -> None:
        self.writes, self.rows, self.last_numbers, self.done = writes, rows, last_numbers, done


class Writer:
    """Write jobs in the order in which they come."""

    def __init__(self, path: Path, truncated: Mapping[str, int]) -> None:
        self._truncated = truncated  # rooms that have lost events: the journal keeps their numbers
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[list[Job] | None] = SimpleQueue()
        self._new_jobs: list[Job] = []  # since the last round of the event loop
        self._closed = False
        self.connection = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, cached_statements=_ROWS_PER_STATEMENT
        )
        for pragma in (*PRAGMAS, f"wal_autocheckpoint={_WAL_PAGES}"):
            self.connection.execute(f"PRAGMA {pragma}")
        self._journal = Journal(path)
        self.fault: RoomError | None = None  # set while nothing can be stored
        self.on_fault_change: Callable[[], None] = lambda: None  # called in the event loop
        self._is_failing = False  # as the thread knows it, before the event loop learns of it
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def put(
        self,
        writes: Sequence[Write],
        rows: Sequence[LogRow] = (),
        last_numbers: Sequence[tuple[str, int]] = (),
    ) -> asyncio.Future[None]:
        """Write all of this or nothing. The future gets a StaleError if an event's number is not the next.

        `last_numbers` are the rooms that this writes to and the numbers of their last events, for the journal.
        """
        if self._closed:
            raise StaleError
        done = self._loop.create_future()
        if not self._new_jobs:
            self._loop.call_soon(self._hand_over)
        self._new_jobs.append(Job(writes, rows, last_numbers, done))
        return done

    def _hand_over(self) -> None:
        """Give all jobs of one round of the event loop to the thread together."""
        jobs, self._new_jobs = self._new_jobs, []
        self._jobs.put(jobs)

    async def close(self) -> None:
        """Write everything that is waiting, and end the thread."""
        if not self._closed:
            self._closed = True
            self._hand_over()
            self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        self.connection.close()
        self._journal.close()

    # The methods below run in the thread.

    def _run(self) -> None:
        is_open = True
        while is_open:
            group, is_open = self._next_group()
            if group:
                self._commit(group)
            elif self._is_failing:
                self._probe()

    def _next_group(self) -> tuple[list[Job], bool]:
        """Return the waiting jobs, and False after the last ones.

        While nothing can be stored the list is empty when it is time for the next attempt.
        """
        group: list[Job] = []
        try:
            jobs = self._jobs.get(timeout=_PROBE_INTERVAL_S if self._is_failing else None)
        except Empty:
            return group, True
        while jobs is not None:
            group += jobs
            if len(group) >= _JOBS_PER_COMMIT:
                return group, True
            try:
                jobs = self._jobs.get_nowait()
            except Empty:
                return group, True
        return group, False

    def _commit(self, group: list[Job]) -> None:
        started = time.perf_counter()
        try:
            self._execute(group)
        except Exception as fault:
            if len(group) > 1:  # one job fails the whole group: write each on its own
                for job in group:
                    self._commit([job])
                return
            if isinstance(fault, sqlite3.IntegrityError):
                self._call_in_loop(_fail, group[0], StaleError())
            else:
                refused = _storage_error(fault)
                self._note_fault(refused)
                self._call_in_loop(_fail, group[0], refused)
            return
        self._note_fault(None)
        self._note_numbers({room: number for job in group for room, number in job.last_numbers})
        self._call_in_loop(_succeed, group, time.perf_counter() - started)

    def _execute(self, group: list[Job]) -> None:
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

    def _note_numbers(self, last_numbers: Mapping[str, int]) -> None:
        """Write to the journal how far the rooms are; restart it when the store itself holds everything."""
        if last_numbers:
            self._journal.add(last_numbers)
        if self._journal.size > MAX_BYTES:
            _, frames, moved = self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            if frames == moved:
                self._journal.restart(self._truncated)
            else:
                self._journal.size = 0  # a reader prevents the checkpoint: try again much later

    def _probe(self) -> None:
        """Try whether something can be stored again."""
        try:
            self._execute([Job([_PROBE_WRITE])])
        except Exception as fault:
            self._note_fault(_storage_error(fault))
        else:
            self._note_fault(None)

    def _note_fault(self, fault: StorageError | None) -> None:
        """Remember whether writing works, and tell the event loop when that changes."""
        is_failing = fault is not None
        if is_failing != self._is_failing:
            self._is_failing = is_failing
            self._call_in_loop(self._set_fault, fault)

    def _set_fault(self, fault: StorageError | None) -> None:
        if fault is None:
            LOGGER.warning("the store can be written again")
        else:
            LOGGER.error("nothing can be stored: %s", fault)
        self.fault = fault
        self.on_fault_change()

    def _call_in_loop(self, function: Callable[..., None], *arguments: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *arguments)


def _succeed(group: list[Job], seconds: float) -> None:
    metrics.commit_seconds.observe(seconds)
    metrics.commits.inc()
    metrics.rows.inc(len(group))
    for job in group:
        if job.done is not None and not job.done.done():
            job.done.set_result(None)


def _fail(job: Job, fault: Exception) -> None:
    if job.done is not None and not job.done.done():
        job.done.set_exception(fault)


def _storage_error(fault: Exception) -> StorageError:
    if getattr(fault, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
        return StorageError("store.full", 503)
    return StorageError("store.failing", 503, reason=str(fault))
