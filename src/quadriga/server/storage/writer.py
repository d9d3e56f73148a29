"""Write to a store in groups: one thread commits all jobs that wait, in the order in which they come.

A group costs one hop to the thread and one back. `sqlite/writer` and `postgres/writer` execute a group on their
database; everything else is the same for both.
"""

from __future__ import annotations

import asyncio
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Any

from quadriga.server import metrics
from quadriga.server.logs import LOGGER
from quadriga.server.protocol.errors import RoomError, StaleError, StorageError

_JOBS_PER_COMMIT = 512  # a group is closed when it has this many jobs
_PROBE_INTERVAL_S = 1.0  # time between two attempts to write while nothing can be stored

Write = tuple[str, Sequence[Any]]
LogRow = tuple[str, int, int, str, bytes, bytes]


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


class UnsureError(Exception):
    """The connection broke while a group was being committed: it may or may not be stored."""


class GroupWriter(ABC):
    """Write jobs in the order in which they come."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[list[Job] | None] = SimpleQueue()
        self._new_jobs: list[Job] = []  # since the last round of the event loop
        self._closed = False
        self.fault: RoomError | None = None  # set while nothing can be stored
        self.call: Callable[[], None] = lambda: None  # called in the event loop
        self._is_failing = False  # as the thread knows it, before the event loop learns of it
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)

    def start(self) -> None:
        """Start the thread."""
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

    def probe_soon(self) -> None:
        """Try whether anything can be stored, because reading has failed."""
        self._jobs.put([])

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
        self.disconnect()

    # The methods below run in the thread.

    @abstractmethod
    def execute(self, group: Sequence[Job]) -> None:
        """Write a group of jobs in one transaction."""

    @abstractmethod
    def probe(self) -> None:
        """Write something that changes nothing; raise if that is not possible."""

    @abstractmethod
    def storage_error(self, fault: Exception) -> StorageError | None:
        """Return the error for a fault of the database; None if an event's number is not the next."""

    @abstractmethod
    def disconnect(self) -> None:
        """Close the connection; called when the thread has ended."""

    @abstractmethod
    def committed(self, group: Sequence[Job]) -> None:
        """Note that a group is stored."""

    def _run(self) -> None:
        is_open = True
        while is_open:
            group, is_open = self._next_group()
            if group:
                self._commit(group)
            elif is_open:
                self._probe()

    def _next_group(self) -> tuple[list[Job], bool]:
        """Return the waiting jobs, and False after the last ones.

        The list is empty when it is time to try whether anything can be stored.
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
            self.execute(group)
        except UnsureError as fault:  # writing a job again might refuse what is stored
            unsure = StorageError("store.unsure", 503, reason=str(fault))
            self._note_fault(unsure)
            for job in group:
                self._call_in_loop(_fail, job, unsure)
            return
        except Exception as fault:
            if len(group) > 1:  # one job fails the whole group: write each on its own
                for job in group:
                    self._commit([job])
                return
            refused = self.storage_error(fault)
            if refused is not None:
                self._note_fault(refused)
            self._call_in_loop(_fail, group[0], refused or StaleError())
            return
        self._note_fault(None)
        self.committed(group)
        self._call_in_loop(_succeed, group, time.perf_counter() - started)

    def _probe(self) -> None:
        """Try whether something can be stored."""
        try:
            self.probe()
        except Exception as fault:
            self._note_fault(self.storage_error(fault) or StorageError("store.failing", 503, reason=str(fault)))
        else:
            self._note_fault(None)

    def _note_fault(self, fault: StorageError | None) -> None:
        """Remember whether writing works, and tell the event loop when that changes."""
        is_failing = fault is not None
        if is_failing != self._is_failing:
            self._is_failing = is_failing
            self._call_in_loop(self._set_fault, fault)

    def _set_fault(self, fault: StorageError | None) -> None:
        metrics.store_failing.set(fault is not None)
        if fault is None:
            LOGGER.warning("the store can be written again")
        else:
            LOGGER.error("nothing can be stored: %s", fault)
            if fault.code == "store.unsure":  # that concerns the jobs that were being written
                fault = StorageError("store.failing", 503, **fault.parameters)
        self.fault = fault
        self.call()

    def _call_in_loop(self, function: Callable[..., None], *arguments: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *arguments)


def _succeed(group: list[Job], seconds: float) -> None:
    metrics.collected.add_commit(len(group), seconds)
    for job in group:
        if job.done is not None and not job.done.done():
            job.done.set_result(None)


def _fail(job: Job, fault: Exception) -> None:
    if job.done is not None and not job.done.done():
        job.done.set_exception(fault)
