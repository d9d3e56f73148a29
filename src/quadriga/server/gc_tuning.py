"""The garbage collector, spared: what has outlived one look is left alone until nobody plays.

To look through all that a busy server holds takes long, and everybody waits. Moves leave no cycles behind, so what
is new is looked at in small heaps, once. What tables and connections leave behind when they go is found when nobody
has moved for a while; on a server that never sleeps, now and then all the same.
"""

from __future__ import annotations

import gc
import time
from typing import Any

_HEAP = 2_000  # new things at which they are looked at
_LITTER = 50  # heaps after which it is worth looking at everything,
_LATEST = 900.0  # ... and seconds after which that is done whoever plays


class GcTuning:
    """When what is looked at."""

    def __init__(self) -> None:
        self._heaps = 0
        self._tidied = time.monotonic()
        self._usual = gc.get_threshold()

    def spare(self) -> None:
        """From now on look at new things only; what is there stays."""
        self._usual = gc.get_threshold()
        gc.collect()
        gc.freeze()
        gc.set_threshold(_HEAP, 1_000, 1_000)
        gc.callbacks.append(self._leave)

    def _leave(self, phase: str, info: dict[str, Any]) -> None:
        """After a look: what is left stays."""
        if phase == "stop":
            gc.freeze()
            self._heaps += 1

    def due(self, quiet: bool) -> bool:
        """Whether it is time to look at everything."""
        return self._heaps > _LITTER and (quiet or time.monotonic() - self._tidied > _LATEST)

    def tidy(self) -> None:
        """Look at everything."""
        gc.unfreeze()
        gc.collect()
        self._heaps, self._tidied = 0, time.monotonic()

    def end(self) -> None:
        """Leave the collector as others know it."""
        if self._leave in gc.callbacks:
            gc.callbacks.remove(self._leave)
        gc.unfreeze()
        gc.set_threshold(*self._usual)


GC_TUNING = GcTuning()
