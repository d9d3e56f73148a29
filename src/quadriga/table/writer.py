"""The one writer: a thread with a connection of its own, which commits all that is waiting as one group.

A group is one hop to the thread and back. Its lines go in as one statement: between two statements the thread would
have to wait until the server lets go of the interpreter, and that can take longer than the disk does.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from quadriga.table import metrics
from quadriga.table.refusals import StaleError
from quadriga.table.schema import LOG

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000")
_GROUP = 512  # jobs in one transaction, or little more
_ROWS = 1000  # lines in one statement, at the most
_PAGES = 10_000  # in the write-ahead log before it is moved into the store, while everybody waits

Write = tuple[str, Sequence[Any]]
LogRow = tuple[str, int, int, str, bytes]


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

    __slots__ = ("done", "lines", "writes")

    def __init__(self, writes: Sequence[Write], lines: Sequence[LogRow], done: asyncio.Future[None]) -> None:
        self.writes, self.lines, self.done = writes, lines, done


class Writer:
    """Writes jobs in the order in which they come; what `put` has answered is on disk."""

    def __init__(self, path: Path) -> None:
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[list[Job] | None] = SimpleQueue()
        self._fresh: list[Job] = []  # since the loop last came round
        self._closed = False
        self.connection = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, cached_statements=_ROWS
        )
        for pragma in (*PRAGMAS, f"wal_autocheckpoint={_PAGES}"):
            self.connection.execute(f"PRAGMA {pragma}")
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def put(self, writes: Sequence[Write], lines: Sequence[LogRow] = ()) -> asyncio.Future[None]:
        """Write, all or nothing; the answer is a StaleError where a line's number is taken."""
        if self._closed:
            raise StaleError
        job = Job(writes, lines, self._loop.create_future())
        if not self._fresh:
            self._loop.call_soon(self._hand_over)
        self._fresh.append(job)
        return job.done

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

    # In the thread.

    def _run(self) -> None:
        while True:
            group, more = self._group()
            if group:
                self._commit(group)
            if not more:
                return

    def _group(self) -> tuple[list[Job], bool]:
        """All that is waiting, at least one; False where nothing comes after it."""
        jobs = self._jobs.get()
        group: list[Job] = []
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
            self._tell(_fail, group[0], StaleError() if isinstance(fault, sqlite3.IntegrityError) else fault)
            return
        self._tell(_succeed, group, time.perf_counter() - begun)

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
        if not job.done.done():
            job.done.set_result(None)


def _fail(job: Job, fault: Exception) -> None:
    if not job.done.done():
        job.done.set_exception(fault)
