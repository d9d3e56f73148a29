"""Reviews of finished games: one at a time, each in its own process, dropped when nobody asks for it.

Addresses get theirs in turn.
"""

from __future__ import annotations

import asyncio
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress

import msgspec

from quadriga.server.logs import LOGGER
from quadriga.server.protocol import texts
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.replay_answers import ReviewJob
from quadriga.server.seats.tokens import new_id
from quadriga.server.turns import Place, Turns
from quadriga.server.workers.pool import environment, write_parts

PLAYOUTS = 100  # for every action that is judged
ABANDONED_AFTER_S = 15.0  # a review that nobody has asked for in this time is dropped
LONGEST_S = 900.0  # of one review
_REMEMBERED = 32  # finished reviews
_LINE_BYTES = 64 * 2**20  # of the worker's output
_NOTHING = memoryview(b"")
_ACTIVE = ("waiting", "running")
Keep = Callable[[bytes], Awaitable[None]]  # is given a review that is done
_OUTPUT = msgspec.json.Decoder(dict[str, msgspec.Raw])


class Job:
    """A review: its progress, and its result."""

    def __init__(self, key: str, record: memoryview, place: Place, keep: Keep | None = None) -> None:
        self.id = new_id()
        self.keep = keep
        self.key, self.record = key, record  # a JSON string
        self.place = place
        self.state = "waiting"  # then running, and done, failed or dropped
        self.done = self.total = 0
        self.result: msgspec.Raw | None = None
        self.fault: msgspec.Raw | None = None
        self.asked = time.monotonic()

    @property
    def is_abandoned(self) -> bool:
        """True if nobody has asked for it in a while."""
        return time.monotonic() - self.asked > ABANDONED_AFTER_S

    def progress(self) -> ReviewJob:
        """Return the answer to a client that asks for this review."""
        result = self.result if self.state == "done" else None
        return ReviewJob(self.id, self.state, self.done, self.total, result, self.fault)

    def read(self, line: bytes) -> None:
        """Take over a line of the worker's output."""
        output = _OUTPUT.decode(line)
        if "total" in output:
            self.done, self.total = msgspec.json.decode(output["done"]), msgspec.json.decode(output["total"])
        if "result" in output:
            self.result, self.done = output["result"], self.total
        if "fault" in output:
            self.state, self.fault = "failed", output["fault"]

    def drop(self) -> None:
        """Cancel an abandoned review, and release its place in the queue."""
        self.state = "dropped"
        self.place.leave()

    def fail(self, fault: RoomError) -> None:
        """End the review with an error."""
        self.state, self.fault = "failed", msgspec.Raw(msgspec.json.encode(texts.refusal(fault)))


class Reviews:
    """All reviews of this server."""

    def __init__(self, waiting: int, each: int, memory: int) -> None:
        self._waiting, self._memory = waiting, memory
        self._turns = Turns("review", 1, waiting, each)
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()  # of the jobs that wait or run

    def known(self, key: str) -> Job | None:
        """Return the active or finished review with this key, or None; note that somebody waits for it."""
        found = [job for job in self._jobs.values() if job.key == key and job.state in (*_ACTIVE, "done")]
        return self._touched(found[0]) if found else None

    def find(self, id: str) -> Job:
        """Return a review by its id, and note that somebody waits for it."""
        if id not in self._jobs:
            raise RoomError("review.unknown", 404)
        return self._touched(self._jobs[id])

    def _touched(self, job: Job) -> Job:
        job.asked = time.monotonic()
        self._jobs.move_to_end(job.id)
        return job

    def place(self, address: str) -> Place:
        """Reserve a place in the queue, before the record is received. Raises RoomError if it is full."""
        for job in self._jobs.values():
            if job.state == "waiting" and job.is_abandoned:
                job.drop()
        if not self._waiting:
            raise RoomError("review.busy", 429)
        return self._turns.place(address)

    def begin(self, place: Place, key: str, record: memoryview, keep: Keep | None = None) -> Job:
        """Queue a review of a record, a JSON string. The job takes over the place, unless the review is known.

        When it is done, `keep` is called with it.
        """
        if (known := self.known(key)) is not None:
            return known
        job = Job(key, record, place.hand_over(), keep)
        self._jobs[job.id] = job
        for old in [each for each in self._jobs.values() if each.state not in _ACTIVE][:-_REMEMBERED]:
            del self._jobs[old.id]
        task = asyncio.create_task(self._perform(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return job

    async def close(self) -> None:
        """End all reviews."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _perform(self, job: Job) -> None:
        """Wait for the turn of a review, and run it in a process."""
        try:
            with job.place:
                await job.place.turn()
                if job.is_abandoned:
                    job.drop()
                else:
                    await self._review(job)
            if job.result is not None:
                if job.keep is not None:
                    await job.keep(bytes(job.result))
                job.state = "done"  # not earlier: whoever sees a review sees what was stored of it
        except RoomError as fault:  # others wait who have had less
            job.fail(fault)
        except Exception:
            LOGGER.exception("a review has failed")
            job.fail(RoomError("review.failed", 503))
        finally:
            job.record = _NOTHING

    async def _review(self, job: Job) -> None:
        job.state = "running"
        command = (sys.executable, "-m", "quadriga.server.review.worker", str(PLAYOUTS), str(self._memory))
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=_LINE_BYTES, env=environment()
        )
        reading = asyncio.create_task(_exchange(process, job))
        ends = time.monotonic() + LONGEST_S
        try:
            while not reading.done() and not job.is_abandoned and time.monotonic() < ends:
                await asyncio.wait([reading], timeout=0.5)
            if reading.done():
                reading.result()
        finally:
            if not reading.done():
                reading.cancel()
                with suppress(ProcessLookupError):
                    process.kill()
            await process.wait()
        if job.state == "running" and job.result is None:
            if job.is_abandoned:
                job.state = "dropped"
            elif time.monotonic() >= ends:
                job.fail(RoomError("review.long", 503))
            else:
                job.fail(RoomError("review.failed", 503))


async def _exchange(process: Process, job: Job) -> None:
    """Send the record to the process, and read its output."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(b"%d\n" % len(job.record))
        await write_parts(process.stdin, job.record)
    async for line in process.stdout:
        job.read(line)
    process.stdin.close()  # not earlier: the process ends when this closes
