"""A clock for rooms that a test moves on, so that no time is guessed or measured."""

from __future__ import annotations

import asyncio

from quadriga.server.bots.timing import TimeSource


class ManualClock(TimeSource):
    """A clock that stands still until the test advances it."""

    def __init__(self) -> None:
        self.time = 0.0
        self.waiting: list[tuple[float, asyncio.Future[None]]] = []

    def now(self) -> float:
        return self.time

    async def until(self, moment: float) -> None:
        if moment > self.time:
            entry = moment, asyncio.get_running_loop().create_future()
            self.waiting.append(entry)
            try:
                await entry[1]
            finally:
                self.waiting.remove(entry)

    def advance(self) -> None:
        """Advance to the earliest moment that a task waits for, and wake its tasks."""
        self.time = min(moment for moment, _ in self.waiting)
        for moment, waits in self.waiting:
            if moment == self.time and not waits.done():
                waits.set_result(None)
