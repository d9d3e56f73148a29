"""Garbage collection: new objects are collected often, all objects when the memory has doubled.

A full collection takes a tenth of a second for each hundred rooms, and everybody waits for it. With Python's
thresholds it comes when a quarter of the objects is new, whether or not the old ones are gone. But rooms and
connections leave no cycles behind (`tests/server/ws/test_garbage.py`), so their memory is free when they end, and
there is little to find. If something does leave cycles, this limits what they hold to as much again as is in use.
"""

from __future__ import annotations

import gc
import sys

_YOUNG_OBJECTS = 2_000  # new objects that lead to a collection of new objects
_NEVER = 1 << 30
_GROWTH = 2.0  # of the memory since the last full collection, that leads to the next


class GcTuning:
    """Decides when to collect which objects."""

    def __init__(self) -> None:
        self._default_threshold = gc.get_threshold()
        self._blocks = sys.maxsize  # of memory, after the last full collection

    def start(self) -> None:
        """Collect and freeze what there is, which stays; from now on collect only new objects by themselves."""
        self._default_threshold = gc.get_threshold()
        self.collect()
        gc.freeze()
        gc.set_threshold(_YOUNG_OBJECTS, _NEVER, _NEVER)

    def is_due(self) -> bool:
        """Return whether it is time for a full collection."""
        return sys.getallocatedblocks() > _GROWTH * self._blocks

    def collect(self) -> None:
        """Collect all objects that are not frozen."""
        gc.collect()
        self._blocks = sys.getallocatedblocks()

    def stop(self) -> None:
        """Restore the collector's defaults."""
        gc.unfreeze()
        gc.set_threshold(*self._default_threshold)


GC_TUNING = GcTuning()
