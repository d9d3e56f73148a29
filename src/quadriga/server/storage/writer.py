"""The one writer: a thread with a connection of its own, which commits all that is waiting as one group.

A group is one hop to the thread and back. Its lines go in as one statement: between two statements the thread would
have to wait until the server lets go of the interpreter, and that can take longer than the disk does.
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
from quadriga.server.storage.journal import LARGEST, Journal
from quadriga.server.storage.schema import LOG

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000")
_GROUP = 512  # jobs in one transaction, or little more
_ROWS = 1000  # lines in one statement, at the most
_PAGES = 10_000  # in the write-ahead log before it is moved into the store, while everybody waits

_PROBE = 1.0  # seconds between two tries to write, while nothing can be stored

Write = tuple[str, Sequence[Any]]
_PROBE_WRITE: Write = ("UPDATE alembic_version SET version_num = version_num", ())
LogRow = tuple[str, int, int, str, bytes, bytes]
Numbers = Sequence[tuple[str, int]]


def written(statement: sa.sql.ClauseElement) -> str:
    """A statement as the driver takes it, with its values in the order of the columns."""
    return str(statement.compile(dialect=sqlite.dialect()))


_INSERT = written(LOG.insert()).partition(" VALUES ")


@lru_cache(maxsize=_ROWS)
def _inserted(count: int) -> str:
    """So many lines in one statement."""
    head, values, row = _INSERT
    return head + values + ", ".join([row] * count)


class Job:
    """Writes that belong together, and who waits for them."""

    __slots__ = ("done", "lines", "numbers", "writes")

    def __init__(
        self, writes: Sequence[Write], lines: Sequence[LogRow], numbers: Numbers, done: asyncio.Future[None] | None
    ) -> None:
        self.writes, self.lines, self.numbers, self.done = writes, lines, numbers, done


class Writer:
    """Writes jobs in the order in which they come; what `put` has answered is on disk."""

    def __init__(self, path: Path, behind: Mapping[str, int]) -> None:
        self._behind = behind  # rooms that have lost events: the journal keeps them
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[list[Job] | None] = SimpleQueue()
        self._fresh: list[Job] = []  # since the loop last came round
        self._closed = False
        self.connection = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, cached_statements=_ROWS
        )
        for pragma in (*PRAGMAS, f"wal_autocheckpoint={_PAGES}"):
            self.connection.execute(f"PRAGMA {pragma}")
        self._journal = Journal(path)
        self.fault: RoomError | None = None  # while nothing can be stored
        self.changed: Callable[[], None] = lambda: None  # called in the loop when `fault` comes or goes
        self._failing = False  # the same, in the thread
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def put(
        self, writes: Sequence[Write], lines: Sequence[LogRow] = (), numbers: Numbers = ()
    ) -> asyncio.Future[None]:
        """Write, all or nothing; the answer is a StaleError where a line's number is taken.

        `numbers` are the rooms that this writes to and their last events, for the journal.
        """
        if self._closed:
            raise StaleError
        done = self._loop.create_future()
        job = Job(writes, lines, numbers, done)
        if not self._fresh:
            self._loop.call_soon(self._hand_over)
        self._fresh.append(job)
        return done

    def _hand_over(self) -> None:
        """All that has come in one round of the loop goes to the thread together."""
        fresh, self._fresh = self._fresh, []
        self._jobs.put(fresh)

    async def close(self) -> None:
        """Write what is waiting, and let go."""
        if not self._closed:
            self._closed = True
            self._hand_over()
            self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        self.connection.close()
        self._journal.close()

    # In the thread.

    def _run(self) -> None:
        while True:
            group, more = self._group()
            if group:
                self._commit(group)
            elif self._failing:
                self._probe()
            if not more:
                return

    def _group(self) -> tuple[list[Job], bool]:
        """All that is waiting; nothing where nothing can be stored and it is time to try. False after the last."""
        group: list[Job] = []
        try:
            jobs = self._jobs.get(timeout=_PROBE if self._failing else None)
        except Empty:
            return group, True
        while jobs is not None:
            group += jobs
            if len(group) >= _GROUP:
                return group, True
            try:
                jobs = self._jobs.get_nowait()
            except Empty:
                return group, True
        return group, False

    def _commit(self, group: list[Job]) -> None:
        begun = time.perf_counter()
        try:
            self._transaction(group)
        except Exception as fault:
            if len(group) > 1:  # one of them spoils it for all: each on its own
                for job in group:
                    self._commit([job])
                return
            if isinstance(fault, sqlite3.IntegrityError):
                self._tell(_fail, group[0], StaleError())
            else:
                refused = _refusal(fault)
                self._fails(refused)
                self._tell(_fail, group[0], refused)
            return
        self._fails(None)
        self._note([pair for job in group for pair in job.numbers])
        self._tell(_succeed, group, time.perf_counter() - begun)

    def _note(self, numbers: Numbers) -> None:
        """Write into the journal how far the rooms are; begin it anew when the store itself holds everything."""
        if numbers:
            self._journal.add(dict(numbers).items())
        if self._journal.size > LARGEST:
            _, frames, moved = self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            if frames == moved:
                self._journal.begin_anew(self._behind)
            else:
                self._journal.size = 0  # somebody reads: later

    def _probe(self) -> None:
        """Try whether something can be stored again."""
        try:
            self._transaction([Job([_PROBE_WRITE], (), (), None)])
        except Exception as fault:
            self._fails(_refusal(fault))
        else:
            self._fails(None)

    def _fails(self, fault: StorageError | None) -> None:
        """Remember whether anything can be stored, and tell the loop when that changes."""
        failing = fault is not None
        if failing != self._failing:
            self._failing = failing
            self._tell(self._change, fault)

    def _change(self, fault: StorageError | None) -> None:
        if fault is None:
            LOGGER.warning("the store can be written again")
        else:
            LOGGER.error("nothing can be stored: %s", fault)
        self.fault = fault
        self.changed()

    def _transaction(self, group: list[Job]) -> None:
        execute = self.connection.execute
        rows = [row for job in group for row in job.lines]
        if len(rows) <= _ROWS and not any(job.writes for job in group):
            if rows:  # one statement is a transaction by itself
                execute(_inserted(len(rows)), [value for row in rows for value in row])
            return
        execute("BEGIN IMMEDIATE")
        try:
            for job in group:
                for statement, values in job.writes:
                    execute(statement, values)
            for first in range(0, len(rows), _ROWS):
                part = rows[first : first + _ROWS]
                execute(_inserted(len(part)), [value for row in part for value in row])
            execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                execute("ROLLBACK")
            raise

    def _tell(self, how: Callable[..., None], *what: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(how, *what)


def _succeed(group: list[Job], seconds: float) -> None:
    metrics.commit_seconds.observe(seconds)
    metrics.commits.inc()
    metrics.rows.inc(len(group))
    for job in group:
        if job.done is not None and not job.done.done():
            job.done.set_result(None)


def _refusal(fault: Exception) -> StorageError:
    if getattr(fault, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
        return StorageError("store.full", 503)
    return StorageError("store.failing", 503, reason=str(fault))


def _fail(job: Job, fault: Exception) -> None:
    if job.done is not None and not job.done.done():
        job.done.set_exception(fault)
