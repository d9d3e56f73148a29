"""Lanes: how many notices are sent at once, so that receivers that answer slowly do not delay the others."""

from __future__ import annotations

import time
from collections import Counter

SLOW_S = 2.0  # an answer that takes longer is slow
AT_ONCE = 16  # notices that are being sent, and the most that a killed process can have marked and not sent
_FAST, _SLOW = 6, 2  # that are sent at once to hosts that answer quickly, and to all others together
_EACH = 4  # to the same host
_REMEMBERED = 1_000  # slow hosts


class Sending:
    """A notice that is being sent."""

    def __init__(self, host: str, is_slow: bool) -> None:
        self.host, self.is_slow = host, is_slow
        self.began = time.monotonic()


class Lanes:
    """The notices that are being sent. Hosts whose last answer was slow, or is late, share a lane of their own."""

    def __init__(self) -> None:
        self._running: list[Sending] = []
        self._slow: dict[str, None] = {}

    def is_slow(self, host: str) -> bool:
        """Return whether a host answers slowly."""
        return host in self._slow

    def enter(self, host: str) -> Sending | None:
        """Begin to send to a host; return None if there is no room."""
        self._move_late()
        is_slow = self.is_slow(host)
        lane = sum(each.is_slow == is_slow for each in self._running)
        to_host = Counter(each.host for each in self._running)[host]
        if lane >= (_SLOW if is_slow else _FAST) or to_host >= _EACH or len(self._running) >= AT_ONCE:
            return None
        self._running.append(found := Sending(host, is_slow))
        return found

    def leave(self, sending: Sending) -> None:
        """Note that a host has answered, or will not."""
        self._running.remove(sending)
        self._slow.pop(sending.host, None)
        if time.monotonic() - sending.began > SLOW_S:
            self._mark(sending.host)

    def cancel(self, sending: Sending) -> None:
        """Note that nothing was sent."""
        self._running.remove(sending)

    def _move_late(self) -> None:
        """Make room for others beside the notices whose answers are late."""
        until = time.monotonic() - SLOW_S
        for each in self._running:
            if not each.is_slow and each.began < until:
                each.is_slow = True
                self._mark(each.host)

    def _mark(self, host: str) -> None:
        self._slow[host] = None
        if len(self._slow) > _REMEMBERED:
            del self._slow[next(iter(self._slow))]
