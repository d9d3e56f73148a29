"""Errands: what a room does aside, now or later; faults are logged, and all of it ends with the room."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from quadriga.engine.errors import QuadrigaError
from quadriga.server.logs import LOGGER

__all__ = ["LOGGER", "Tasks", "Work"]
Work = Coroutine[Any, Any, None]


class Tasks:
    """Tasks and timers."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def spawn(self, work: Work) -> asyncio.Task[None]:
        """Do something aside."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._spawned)
        return task

    def _spawned(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            if isinstance(fault, QuadrigaError):  # refused, and for a reason that is known
                LOGGER.warning("aside: %s", fault)
            else:
                LOGGER.error("aside: %r", fault, exc_info=fault)

    def later(self, name: str, seconds: float, work: Callable[[], Work]) -> None:
        """Do something after a while, in place of what was planned under this name."""
        if name in self._timers:
            self._timers.pop(name).cancel()

        def due() -> None:
            self._timers.pop(name, None)
            self.spawn(work())

        self._timers[name] = asyncio.get_running_loop().call_later(seconds, due)

    def awaits(self, name: str) -> bool:
        """Whether something is planned under this name."""
        return name in self._timers

    def cancel_tasks(self) -> None:
        """Forget all plans, and end what is under way."""
        for timer in self._timers.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()
