"""Presence: which people have a socket open in a room, and how long the others have been away."""

from __future__ import annotations

import time
from collections.abc import Callable

from quadriga.server.seats.viewers import Viewer


class Presence:
    """The viewers of a room, and the people who are missing."""

    def __init__(self, long_gone: float) -> None:
        self.long_gone = long_gone  # seconds after which an absent person's vote does not count
        self.viewers: set[Viewer] = set()
        self.arriving: set[Viewer] = set()  # about to enter; they count wherever somebody may not be overlooked
        self.block_reads = 0  # how often it was read who has blocked whom,
        self.known_blocks = 0  # ... and which of these reads is known
        self._away_since: dict[str, float] = {}
        self.empty_since: float | None = time.monotonic()
        self.elsewhere: frozenset[str] = frozenset()  # people with a socket at another process
        self.watching_elsewhere = 0
        self.on_change: Callable[[], None] = lambda: None  # called when viewers come or go

    def is_here(self, holder: str) -> bool:
        """Return whether a person has a socket open."""
        return holder in self.elsewhere or any(viewer.holder == holder for viewer in self.viewers)

    def is_alone(self, holder: str) -> bool:
        """Return whether nobody but this person looks at the room."""
        others = self.elsewhere - {holder}
        return not others and not self.watching_elsewhere and all(each.holder == holder for each in self.viewers)

    @property
    def watching(self) -> int:
        """The number of viewers without a seat."""
        return self.watching_elsewhere + sum(not viewer.seats for viewer in self.viewers)

    def add(self, viewer: Viewer) -> None:
        """Add a viewer that has connected."""
        self.arriving.discard(viewer)
        self.viewers.add(viewer)
        self.empty_since = None
        if viewer.holder is not None:
            self._away_since.pop(viewer.holder, None)
        self.on_change()

    def remove(self, viewer: Viewer) -> None:
        """Remove a viewer that has disconnected."""
        self.arriving.discard(viewer)
        self.viewers.discard(viewer)
        if viewer.holder is not None and not self.is_here(viewer.holder):
            self._away_since[viewer.holder] = time.monotonic()
        if not self.viewers:
            self.empty_since = time.monotonic()
        self.on_change()

    def postpone_unloading(self) -> None:
        """Count the time without viewers from now on: somebody has found the room and is about to enter."""
        if self.empty_since is not None:
            self.empty_since = time.monotonic()

    def set_elsewhere(self, holders: frozenset[str], watching: int) -> bool:
        """Set the people with sockets at other processes; return whether anything has changed."""
        before = self.elsewhere, self.watching_elsewhere
        self.elsewhere, self.watching_elsewhere = holders, watching
        for holder in before[0] - holders:
            self.expect(holder)
        for holder in holders:
            self._away_since.pop(holder, None)
        return before != (holders, watching)

    def expect(self, holder: str) -> None:
        """Count a person as away from now on, unless they are here or are counted already."""
        if not self.is_here(holder):
            self._away_since.setdefault(holder, time.monotonic())

    def away(self, holder: str) -> float | None:
        """Return for how many seconds a person has been away; None while they are here."""
        since = self._away_since.get(holder)
        return None if since is None or self.is_here(holder) else time.monotonic() - since

    def counts(self, holder: str) -> bool:
        """Return whether a person is here, or has not been away for long."""
        away = self.away(holder)
        return away is None or away < self.long_gone
