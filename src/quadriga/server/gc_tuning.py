"""Garbage collection: freeze objects that survive a collection; collect fully when the server is idle.

A full collection on a busy server takes long, and everybody waits for it. Moves leave no cycles
behind, so new objects are collected once, in small numbers, and are frozen if they survive. The cycles that rooms
and connections leave behind are found by a full collection when nobody has moved for a while, or, on a server that
is never idle, from time to time.
"""

from __future__ import annotations

import gc
import time
from typing import Any

_YOUNG_OBJECTS = 2_000  # new objects that lead to a collection of new objects
_YOUNG_COLLECTIONS = 50  # after which a full collection is worth its time
_LATEST_S = 900.0  # after which it is done even if people play


class GcTuning:
    """Decides when to collect which objects."""

    def __init__(self) -> None:
        self._young_collections = 0
        self._collected_at = time.monotonic()
        self._default_threshold = gc.get_threshold()

    def start(self) -> None:
        """Collect and freeze what there is; from now on collect new objects only."""
        self._default_threshold = gc.get_threshold()
        gc.collect()
        gc.freeze()
        gc.set_threshold(_YOUNG_OBJECTS, 1_000, 1_000)
        gc.callbacks.append(self._freeze_survivors)

    def _freeze_survivors(self, phase: str, info: dict[str, Any]) -> None:
        if phase == "stop":
            gc.freeze()
            self._young_collections += 1

    def is_due(self, is_quiet: bool) -> bool:
        """Return whether it is time for a full collection."""
        is_late = time.monotonic() - self._collected_at > _LATEST_S
        return self._young_collections > _YOUNG_COLLECTIONS and (is_quiet or is_late)

    def collect(self) -> None:
        """Collect all objects."""
        gc.unfreeze()
        gc.collect()
        self._young_collections, self._collected_at = 0, time.monotonic()

    def stop(self) -> None:
        """Restore the collector's defaults."""
        if self._freeze_survivors in gc.callbacks:
            gc.callbacks.remove(self._freeze_survivors)
        gc.unfreeze()
        gc.set_threshold(*self._default_threshold)


GC_TUNING = GcTuning()
