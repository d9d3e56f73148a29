"""A clock that runs ahead of the true one, for several processes. A test moves it on where nothing would happen."""

from __future__ import annotations

import mmap
import time
from pathlib import Path


class SharedClock:
    """The time of all processes that open the same file: it goes on like the true one, and jumps if told to."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        if not self.path.exists():
            self.path.write_bytes(bytes(8))
        with self.path.open("r+b") as file:
            self._ahead_ns = memoryview(mmap.mmap(file.fileno(), 8)).cast("q")

    def time_ns(self) -> int:
        """Return the current time, as `time.time_ns` does."""
        return time.time_ns() + self._ahead_ns[0]

    def now(self) -> int:
        """Return the current time in milliseconds since 1970, as the server counts it."""
        return self.time_ns() // 1_000_000

    def go_to(self, moment: int) -> None:
        """Let time pass until a moment, in milliseconds since 1970."""
        self._ahead_ns[0] += max(0, moment * 1_000_000 - self.time_ns())
