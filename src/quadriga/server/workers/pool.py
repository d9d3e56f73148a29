"""A pool of worker processes that parse uploads or draw pictures, so that the server itself never waits for them.

Workers are started when first needed and ended when idle. Their number and that of waiting tasks are limited, and
addresses get them in turn. A task that takes too much memory or time ends its worker and is refused; the next task
gets a new worker.
"""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec

from quadriga.server.protocol.errors import RefusedError, RoomError
from quadriga.server.turns import Place, Turns
from quadriga.server.workers.worker import ANSWERS, LENGTH, Task

_NOTHING = memoryview(b"")
_PIECE = 2**18  # bytes that are written at once
_IDLE_S = 60.0  # an idle worker is ended after this time
_CLOCK_FACTOR = 4.0  # seconds of the clock for each second of processor time: other processes run too


class Worker:
    """One worker process."""

    def __init__(self, process: Process, seconds: float, kind: str) -> None:
        self._process, self._seconds, self._kind = process, seconds, kind
        self.remembered: set[str] = set()  # keys of the records in its memory
        self.idle_timer: asyncio.TimerHandle | None = None

    @classmethod
    async def started(cls, seconds: float, memory: int, kind: str) -> Worker:
        """Start a process."""
        command = (sys.executable, "-m", "quadriga.server.workers.worker", str(memory), str(seconds))
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=environment()
        )
        return cls(process, seconds, kind)

    @property
    def is_running(self) -> bool:
        """True if the process can take a task."""
        return self._process.returncode is None

    async def ask(self, task: Task, record: memoryview = _NOTHING) -> msgspec.Raw:
        """Return the result of a task. If the task does not finish, for whatever reason, the process is ended."""
        is_finished = False
        try:
            async with asyncio.timeout(_CLOCK_FACTOR * self._seconds):
                answer = ANSWERS.decode(await self._exchange(msgspec.json.encode(task), record))
            is_finished = True
        except (TimeoutError, OSError, EOFError):
            raise RoomError(f"{self._kind}.heavy", 413) from None
        finally:
            if not is_finished:
                await self.end()
        self.remembered = set(answer.remembered)
        if answer.code:
            raise RefusedError(answer.code, answer.status, answer.refusal)
        return answer.found

    async def _exchange(self, content: bytes, record: memoryview) -> bytes:
        into, out = self._process.stdin, self._process.stdout
        assert into is not None
        assert out is not None
        into.write(LENGTH.pack(len(content)) + content + LENGTH.pack(len(record)))
        await write_parts(into, record)
        (size,) = LENGTH.unpack(await out.readexactly(LENGTH.size))
        return await out.readexactly(size)

    async def end(self) -> None:
        """Kill the process."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()


class Workers:
    """The workers for one kind of task."""

    def __init__(
        self, count: int, waiting: int, each: int, seconds: float, memory: int, kind: str = "upload"
    ) -> None:
        self._seconds, self._memory, self._kind = seconds, memory, kind  # the kind names the refusals
        self._turns = Turns(kind, count, waiting, each)
        self._idle: list[Worker] = []
        self._endings: set[asyncio.Task[None]] = set()

    def place(self, address: str) -> Place:
        """Reserve a place in the queue, before the task is received. Raises RoomError if it is full."""
        return self._turns.place(address)

    @asynccontextmanager
    async def one(self, place: Place) -> AsyncIterator[Worker]:
        """Wait for a worker and keep it for the length of the block. Raises RoomError if too many wait."""
        await place.turn()
        worker = self._take() or await Worker.started(self._seconds, self._memory, self._kind)
        try:
            yield worker
        finally:
            self._put_back(worker)

    async def ask(self, address: str, task: Task) -> msgspec.Raw:
        """Return the result of a task of an address, performed by any worker."""
        with self.place(address) as place:
            async with self.one(place) as worker:
                return await worker.ask(task)

    def _take(self) -> Worker | None:
        while self._idle:
            worker = self._idle.pop()
            if worker.idle_timer is not None:
                worker.idle_timer.cancel()
            if worker.is_running:
                return worker
        return None

    def _put_back(self, worker: Worker) -> None:
        if worker.is_running:
            self._idle.append(worker)
            worker.idle_timer = asyncio.get_running_loop().call_later(_IDLE_S, self._retire, worker)

    def _retire(self, worker: Worker) -> None:
        if worker in self._idle:
            self._idle.remove(worker)
            task = asyncio.ensure_future(worker.end())
            self._endings.add(task)
            task.add_done_callback(self._endings.discard)

    async def close(self) -> None:
        """End the idle workers. A busy one ends with its task."""
        while (worker := self._take()) is not None:
            await worker.end()


async def write_parts(into: asyncio.StreamWriter, content: memoryview) -> None:
    """Write to a process, piece by piece: to copy megabytes at once would hold up the server."""
    for start in range(0, len(content), _PIECE):
        into.write(content[start : start + _PIECE])
        await into.drain()
    await into.drain()


def environment() -> dict[str, str]:
    """Return the environment of a process that finds the same code as this one and uses one thread."""
    own = str(Path(__file__).parents[3])
    paths = os.pathsep.join(filter(None, (own, os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
