"""The time of a room, in the hands of a test: nothing is guessed or measured."""

from __future__ import annotations

import asyncio

from quadriga.server.bots.timing import TimeSource


class Hours(TimeSource):
    """Time that goes on when the test says so."""

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

    def strike(self) -> None:
        """On to the next moment that anybody waits for."""
        self.time = min(moment for moment, _ in self.waiting)
        for moment, waits in self.waiting:
            if moment == self.time and not waits.done():
                waits.set_result(None)
