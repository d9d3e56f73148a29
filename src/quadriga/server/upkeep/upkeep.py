"""All jobs in the background for the store."""

from __future__ import annotations

from quadriga.server.rooms.registry import Registry
from quadriga.server.upkeep.archiver import Archiver
from quadriga.server.upkeep.renaming import Renaming
from quadriga.server.upkeep.retention import Retention
from quadriga.server.upkeep.watch import Watch


class Upkeep:
    """Starts and ends the jobs."""

    def __init__(self, registry: Registry) -> None:
        self.archiver = Archiver(registry)
        self.retention = Retention(registry)
        self.renaming = Renaming(registry)
        self.watch = Watch(registry)

    def open(self) -> None:
        """Start all jobs."""
        self.archiver.open()
        self.retention.open()
        self.renaming.open()
        self.watch.open()

    async def close(self) -> None:
        """End all jobs."""
        await self.watch.close()
        await self.renaming.close()
        await self.retention.close()
        await self.archiver.close()
