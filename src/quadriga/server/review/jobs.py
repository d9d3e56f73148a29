"""Reviews of finished games: one at a time, each in a process of its own, dropped when nobody waits for it."""

from __future__ import annotations

import asyncio
import hashlib
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import OrderedDict, deque
from contextlib import suppress
from typing import Any

import msgspec

from quadriga.server.logs import LOGGER
from quadriga.server.protocol import texts
from quadriga.server.protocol.errors import RoomError
from quadriga.server.seats.tokens import new_id
from quadriga.server.workers.pool import environment

PLAYOUTS = 100  # for every action that is judged
PATIENCE = 15.0  # seconds without a question, after which nobody waits any more
LONGEST = 900.0  # seconds that a review may take
_KEPT = 32  # finished reviews that are remembered
_LINE = 64 * 2**20  # bytes
_GOING = ("waiting", "running")
_SAID = msgspec.json.Decoder(dict[str, msgspec.Raw])


class Job:
    """A review: how far it is, or what came of it."""

    def __init__(self, key: str, record: str) -> None:
        self.id = new_id()
        self.key, self.record = key, record
        self.state = "waiting"  # then running, and done, failed or dropped
        self.done = self.total = 0
        self.result: msgspec.Raw | None = None
        self.fault: object = None
        self.asked = time.monotonic()

    @property
    def forsaken(self) -> bool:
        """Whether nobody has asked for it in a while."""
        return time.monotonic() - self.asked > PATIENCE

    def shown(self) -> dict[str, Any]:
        """As it is sent."""
        return {
            "review": self.id,
            "state": self.state,
            "done": self.done,
            "total": self.total,
            "result": self.result,
            "fault": self.fault,
        }

    def hear(self, line: bytes) -> None:
        """What the process that does the work says."""
        said = _SAID.decode(line)
        if "total" in said:
            self.done, self.total = msgspec.json.decode(said["done"]), msgspec.json.decode(said["total"])
        if "result" in said:
            self.state, self.result, self.done = "done", said["result"], self.total
        if "fault" in said:
            self.state, self.fault = "failed", said["fault"]

    def fail(self, fault: RoomError) -> None:
        """It came to nothing."""
        self.state, self.fault = "failed", texts.refusal(fault)


class Reviews:
    """All reviews of this process."""

    def __init__(self, waiting: int, memory: int) -> None:
        self._waiting, self._memory = waiting, memory
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._queue: deque[Job] = deque()
        self._worker: asyncio.Task[None] | None = None

    def known(self, key: str) -> Job | None:
        """The review of a game that was asked for before, unless it came to nothing."""
        found = [job for job in self._jobs.values() if job.key == key and job.state in (*_GOING, "done")]
        return self._touched(found[0]) if found else None

    def find(self, id: str) -> Job:
        """A review by its id; whoever asks waits for it."""
        if id not in self._jobs:
            raise RoomError("review.unknown", 404)
        return self._touched(self._jobs[id])

    def _touched(self, job: Job) -> Job:
        job.asked = time.monotonic()
        self._jobs.move_to_end(job.id)
        return job

    def begin(self, key: str, record: str) -> Job:
        """A review of a record, in its turn."""
        if (known := self.known(key)) is not None:
            return known
        if len(self._queue) >= self._waiting:
            raise RoomError("review.busy", 429)
        job = Job(key, record)
        self._jobs[job.id] = job
        self._queue.append(job)
        for old in [each for each in self._jobs.values() if each.state not in _GOING][:-_KEPT]:
            del self._jobs[old.id]
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return job

    async def close(self) -> None:
        """End what is under way."""
        if self._worker is not None:
            self._worker.cancel()
            with suppress(asyncio.CancelledError):
                await self._worker

    async def _work(self) -> None:
        """One review after the other."""
        while self._queue:
            job = self._queue.popleft()
            if job.forsaken:
                job.state = "dropped"
                continue
            try:
                await self._review(job)
            except Exception:
                LOGGER.exception("review")
                job.fail(RoomError("review.failed", 503))
            job.record = ""

    async def _review(self, job: Job) -> None:
        job.state = "running"
        command = (sys.executable, "-m", "quadriga.server.review.worker", str(PLAYOUTS), str(self._memory))
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=_LINE, env=environment()
        )
        talking = asyncio.create_task(_listen(process, job))
        ends = time.monotonic() + LONGEST
        try:
            while not talking.done() and not job.forsaken and time.monotonic() < ends:
                await asyncio.wait([talking], timeout=0.5)
            if talking.done():
                talking.result()
        finally:
            if not talking.done():
                talking.cancel()
                with suppress(ProcessLookupError):
                    process.kill()
            await process.wait()
        if job.state == "running":
            if job.forsaken:
                job.state = "dropped"
            elif time.monotonic() >= ends:
                job.fail(RoomError("review.long", 503))
            else:
                job.fail(RoomError("review.failed", 503))


async def _listen(process: Process, job: Job) -> None:
    """Give the record to the process, and hear what it says."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(BrokenPipeError, ConnectionResetError):
        record = job.record.encode()
        process.stdin.write(b"%d\n" % len(record) + record)
        await process.stdin.drain()
    async for line in process.stdout:
        job.hear(line)
    process.stdin.close()  # not before: the process ends when this closes


def key_of(record: str) -> str:
    """What tells an uploaded record from others."""
    return "record " + hashlib.sha256(record.encode()).hexdigest()
