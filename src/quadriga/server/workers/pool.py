"""Workers: the processes that read what strangers send, so that nobody else waits for it.

There are so many of them, started when first needed and ended when they have nothing to do; so many tasks may wait.
A task that takes too much memory or time ends its worker and is refused; the next one gets a new worker.
"""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec

from quadriga.server.protocol.errors import RefusedError, RoomError
from quadriga.server.workers.worker import ANSWERS, LENGTH, Task

_IDLE = 60.0  # seconds after which a worker without work is ended
_WALL = 4.0  # seconds by the clock for each of the processor: others use the processor too


class Worker:
    """One process."""

    def __init__(self, process: Process, seconds: float) -> None:
        self._process, self._seconds = process, seconds
        self.kept: set[str] = set()  # the records that it remembers
        self.resting: asyncio.TimerHandle | None = None

    @classmethod
    async def started(cls, seconds: float, memory: int) -> Worker:
        """A new one."""
        command = (sys.executable, "-m", "quadriga.server.workers.worker", str(memory), str(seconds))
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=environment()
        )
        return cls(process, seconds)

    @property
    def running(self) -> bool:
        """Whether it can take a task."""
        return self._process.returncode is None

    async def ask(self, task: Task) -> msgspec.Raw:
        """What comes of a task; where it ends in the middle, for whatever reason, so does the worker."""
        whole = False
        try:
            async with asyncio.timeout(_WALL * self._seconds):
                answer = ANSWERS.decode(await self._exchange(msgspec.json.encode(task)))
            whole = True
        except (TimeoutError, OSError, EOFError):
            raise RoomError("upload.heavy", 413) from None
        finally:
            if not whole:
                await self.end()
        self.kept = set(answer.kept)
        if answer.code:
            raise RefusedError(answer.code, answer.status, answer.refusal)
        return answer.found

    async def _exchange(self, content: bytes) -> bytes:
        into, out = self._process.stdin, self._process.stdout
        assert into is not None
        assert out is not None
        into.write(LENGTH.pack(len(content)) + content)
        await into.drain()
        (size,) = LENGTH.unpack(await out.readexactly(LENGTH.size))
        return await out.readexactly(size)

    async def end(self) -> None:
        """End it, whatever it does."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()


class Workers:
    """All workers for one kind of task."""

    def __init__(self, count: int, waiting: int, each: int, seconds: float, memory: int) -> None:
        self._waiting, self._each, self._seconds, self._memory = waiting, each, seconds, memory
        self._free = asyncio.Semaphore(count)
        self._count = count
        self._resting: list[Worker] = []
        self._from: Counter[str] = Counter()  # tasks under way or waiting, by address
        self._ends: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def one(self, address: str) -> AsyncIterator[Worker]:
        """A worker for as long as the block lasts, in its turn."""
        if self._from.total() >= self._count + self._waiting:
            raise RoomError("upload.busy", 429)
        if self._from[address] >= self._each:
            raise RoomError("wire.rate", 429)
        self._from[address] += 1
        try:
            async with self._free:
                worker = self._take() or await Worker.started(self._seconds, self._memory)
                try:
                    yield worker
                finally:
                    self._rest(worker)
        finally:
            self._from[address] -= 1
            if not self._from[address]:
                del self._from[address]

    async def ask(self, address: str, task: Task) -> msgspec.Raw:
        """What comes of a task."""
        async with self.one(address) as worker:
            return await worker.ask(task)

    def _take(self) -> Worker | None:
        while self._resting:
            worker = self._resting.pop()
            if worker.resting is not None:
                worker.resting.cancel()
            if worker.running:
                return worker
        return None

    def _rest(self, worker: Worker) -> None:
        if worker.running:
            self._resting.append(worker)
            worker.resting = asyncio.get_running_loop().call_later(_IDLE, self._retire, worker)

    def _retire(self, worker: Worker) -> None:
        if worker in self._resting:
            self._resting.remove(worker)
            task = asyncio.ensure_future(worker.end())
            self._ends.add(task)
            task.add_done_callback(self._ends.discard)

    async def close(self) -> None:
        """End those that rest; those that work end with their task."""
        while (worker := self._take()) is not None:
            await worker.end()


def environment() -> dict[str, str]:
    """The environment of a process that finds the same code as this one and needs no more than one thread."""
    own = str(Path(__file__).parents[3])
    paths = os.pathsep.join(filter(None, (own, os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
