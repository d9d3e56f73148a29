"""The interface of executors: a job is cut into chunks, and its results come back in the order of the chunks.

A result depends on the job and its chunk alone, so it is the same on every executor, after every retry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

import msgspec

from quadriga.engine.kernels.compiler import Report

R = TypeVar("R")
Result = TypeVar("Result", covariant=True)


class Chunk(msgspec.Struct, frozen=True):
    """The games number `first` to `first + count - 1`. An arena adds the players on the seats."""

    first: int
    count: int
    lineup: tuple[int, ...] = ()


class Job(Protocol[Result]):
    """Work that can be sent to other processes."""

    @property
    def is_compiled(self) -> bool:
        """Whether the work is compiled code, which runs without Python's global lock."""

    def start(self, report: Report | None = None) -> Callable[[Chunk], Result]:
        """Return the function that a worker calls for each chunk, compiled if needed, with its own arrays."""


class Failure(msgspec.Struct, frozen=True):
    """A chunk that failed on every try. Its games are missing in the results."""

    first: int
    last: int
    tries: int
    reason: str


class Run(Protocol[Result]):
    """A job under way."""

    def map(self, chunks: Iterable[Chunk]) -> Iterator[Result | Failure]:
        """Yield the results of the chunks in order. A few chunks are always under way."""

    def close(self, *, wait: bool = True) -> None:
        """Start no more chunks, and wait for those under way if asked to."""


class Executor(Protocol):
    """Workers, here or elsewhere."""

    @property
    def workers(self) -> int:
        """The number of workers now."""

    def start(self, job: Job[R], report: Report | None = None) -> Run[R]:
        """Prepare a job: compile what is missing."""

    def chunk_size(self, total: int, unit: int) -> int:
        """Return the number of games per chunk; `unit` is the smallest that is worth its overhead locally."""

    def close(self) -> None:
        """Release the workers."""


def cut(first: int, until: int, size: int) -> Iterator[Chunk]:
    """Cut a range of games into chunks."""
    return (Chunk(start, min(size, until - start)) for start in range(first, until, size))
