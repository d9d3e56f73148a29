"""Map chunks over the cores of this machine: threads for compiled code, else processes."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent import futures
from multiprocessing import get_context
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from quadriga.engine.kernels.compiler import Report, is_available
from quadriga.lab.executors.chunks import Chunk, Job

R = TypeVar("R")
_process_job: Job[Any] | None = None  # of a process of the pool,
_process_function: Callable[[Chunk], Any] | None = None  # ... and its function, once it has started


class LocalExecutor:
    """A number of threads or processes."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def start(self, job: Job[R], report: Report | None = None) -> LocalRun[R]:
        """Prepare a job: compile what is missing."""
        return LocalRun(job, self.workers, report)

    def chunk_size(self, total: int, unit: int) -> int:
        """Return `unit`: small chunks have almost no overhead here."""
        return unit

    def close(self) -> None:
        """Do nothing; every run has its own pool."""


class LocalRun(Generic[R]):
    """A job under way in a pool."""

    def __init__(self, job: Job[R], workers: int, report: Report | None) -> None:
        self._job, self._workers = job, workers
        self._idle: SimpleQueue[Callable[[Chunk], R]] = SimpleQueue()  # functions of threads
        self._pool: futures.Executor
        self._call: Callable[[Chunk], R]
        if job.is_compiled or workers == 1:
            self._idle.put(job.start(report))
            self._pool, self._call = futures.ThreadPoolExecutor(workers), self._call_in_thread
        else:
            # A process that has loaded compiled code is not forked.
            context = get_context("spawn") if is_available() else None
            self._pool = futures.ProcessPoolExecutor(workers, context, _start_process, (job,))
            self._call = _call_in_process

    def map(self, chunks: Iterable[Chunk]) -> Iterator[R]:
        """Yield the results of the chunks in order. A few chunks are always under way."""
        waiting: deque[futures.Future[R]] = deque()
        for chunk in chunks:
            waiting.append(self._pool.submit(self._call, chunk))
            if len(waiting) > 2 * self._workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def close(self, *, wait: bool = True) -> None:
        """Start no more chunks, and wait for those under way if asked to."""
        self._pool.shutdown(wait=wait, cancel_futures=True)

    def _call_in_thread(self, chunk: Chunk) -> R:
        try:
            function = self._idle.get_nowait()
        except Empty:
            function = self._job.start()
        try:
            return function(chunk)
        finally:
            self._idle.put(function)


def _start_process(job: Job[Any]) -> None:
    global _process_job
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    _process_job = job


def _call_in_process(chunk: Chunk) -> Any:
    global _process_function
    if _process_function is None:
        assert _process_job is not None
        _process_function = _process_job.start()
    return _process_function(chunk)
