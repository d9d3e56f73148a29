"""Tune garbage collection: young objects often; all objects only if many ended rooms and connections linger.

A full collection takes a second with 1,000 rooms, and everybody waits for it. With Python's thresholds it comes
when a quarter of the objects is new, whether or not there is garbage. But rooms and connections leave no cycles
behind (`tests/server/ws/test_garbage.py`): their memory is free when they end. So a full collection waits until it
has something to find. Modules and whatever else is there at the start stay, and are left out.
"""

from __future__ import annotations

import gc
from weakref import WeakSet

_YOUNG_OBJECTS = 2_000  # new objects that lead to a collection of new objects
_NEVER = 1 << 30
_MOST_LINGERING = 100  # rooms and connections that have ended and are still in memory


class GcTuning:
    """Decides when the garbage collector runs, and over which generation."""

    def __init__(self) -> None:
        self._default_threshold = gc.get_threshold()
        self._ended: WeakSet[object] = WeakSet()  # since the last call of `collect_lingering`
        self._lingering: WeakSet[object] = WeakSet()  # before that call

    def start(self) -> None:
        """Collect once and freeze all objects; from now on only young objects are collected automatically."""
        self._default_threshold = gc.get_threshold()
        gc.collect()
        gc.freeze()
        gc.set_threshold(_YOUNG_OBJECTS, _NEVER, _NEVER)

    def ended(self, *things: object) -> None:
        """Register rooms, connections or parts of them that have ended, and whose memory should be free at once."""
        self._ended.update(things)

    def collect_lingering(self) -> None:
        """Run a full collection if too many objects that had ended before the last call are still in memory."""
        if len(self._lingering) > _MOST_LINGERING:
            gc.collect()
            self._lingering.clear()  # what is still there is in use
        self._lingering |= self._ended
        self._ended = WeakSet()

    def stop(self) -> None:
        """Restore the collector's defaults."""
        gc.unfreeze()
        gc.set_threshold(*self._default_threshold)


GC_TUNING = GcTuning()
