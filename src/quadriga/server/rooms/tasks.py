"""Background tasks and timers of a room. Errors are logged, and all tasks end with the room."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from quadriga.engine.errors import QuadrigaError
from quadriga.server.logs import LOGGER

Work = Coroutine[Any, Any, None]


class Tasks:
    """Tasks and named timers."""

    def __init__(self) -> None:
        self.running: set[asyncio.Task[None]] = set()
        self.timers: dict[str, asyncio.TimerHandle] = {}

    def spawn(self, work: Work) -> asyncio.Task[None]:
        """Run a coroutine in the background."""
        task = asyncio.create_task(work)
        self.running.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self.running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            if isinstance(error, QuadrigaError) and error.code == "table.again":  # another process has done it
                LOGGER.debug("background task forestalled: %s", error)
            elif isinstance(error, QuadrigaError):  # a refusal with a known reason
                LOGGER.warning("background task refused: %s", error)
            else:
                LOGGER.error("background task failed: %r", error, exc_info=error)

    def later(self, name: str, seconds: float, work: Callable[[], Work]) -> None:
        """Run a coroutine after a delay, in place of one that waits under the same name (debounce)."""
        if name in self.timers:
            self.timers.pop(name).cancel()

        def start() -> None:
            self.timers.pop(name, None)
            self.spawn(work())

        self.timers[name] = asyncio.get_running_loop().call_later(seconds, start)

    def once(self, name: str, seconds: float, work: Callable[[], Work]) -> None:
        """Run a coroutine after a delay, unless one waits under the same name already (throttle)."""
        if name not in self.timers:
            self.later(name, seconds, work)

    def cancel(self) -> None:
        """Cancel all timers and all running tasks. A timer refers to its room: without timers there is no cycle."""
        for timer in self.timers.values():
            timer.cancel()
        self.timers.clear()
        for task in self.running:
            task.cancel()
