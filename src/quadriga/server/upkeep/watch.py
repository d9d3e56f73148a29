"""Read what the store knows about itself into the metrics, from time to time."""

from __future__ import annotations

import asyncio

from quadriga.engine.errors import QuadrigaError
from quadriga.server import metrics
from quadriga.server.background import BackgroundTask
from quadriga.server.logs import LOGGER
from quadriga.server.protocol.errors import StaleError
from quadriga.server.rooms.registry import Registry
from quadriga.server.storage import backup_times

_EVERY_S = 60.0


class Watch:
    """Reads in a task of its own; every process has its own metrics."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._task = BackgroundTask("watch")

    def open(self) -> None:
        """Start the task."""
        self._task.start(self._run())

    async def close(self) -> None:
        """End the task."""
        await self._task.end()

    async def _run(self) -> None:
        while True:
            try:
                await self.look()
            except (QuadrigaError, StaleError) as fault:
                LOGGER.warning("the store cannot be watched now: %s", fault)
            except Exception:
                LOGGER.exception("cannot watch the store")
            await asyncio.sleep(_EVERY_S)

    async def look(self) -> None:
        """Set the metrics."""
        for kind, at in (await backup_times.read(self._registry.store)).items():
            metrics.backup_times.labels(kind.removeprefix("backup-")).set(at / 1000)
