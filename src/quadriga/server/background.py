"""Tasks that a part of the server runs in the background, from its start to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


class BackgroundTask:
    """A task with a name that can be started and ended; ending one that was not started does nothing."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.task: asyncio.Task[None] | None = None

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine until it ends or is ended."""
        self.task = asyncio.create_task(work, name=self._name)

    async def end(self) -> bool:
        """Cancel the task and wait for it; return whether it was started."""
        task, self.task = self.task, None
        if task is None:
            return False
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return True
