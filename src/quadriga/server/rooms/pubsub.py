"""Pub/sub: tells every process that the log of a room has grown. The events themselves are read from the log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Protocol

Listener = Callable[[int], None]  # called with the number of the newest event


class Channel(Protocol):
    """Carries the number of a room's newest event to all listeners."""

    def publish(self, room: str, number: int) -> None:
        """Tell the listeners of a room that an event is on disk."""
        ...

    def subscribe(self, room: str, listener: Listener) -> None:
        """Call a listener for every event that is published for a room."""
        ...

    def unsubscribe(self, room: str, listener: Listener) -> None:
        """Remove a listener."""
        ...


class LocalChannel:
    """A channel within one process."""

    def __init__(self) -> None:
        self._listeners: dict[str, list[Listener]] = defaultdict(list)

    def publish(self, room: str, number: int) -> None:
        """Call all listeners of a room at once."""
        for listener in tuple(self._listeners.get(room, ())):
            listener(number)

    def subscribe(self, room: str, listener: Listener) -> None:
        """Call a listener for every event that is published for a room."""
        self._listeners[room].append(listener)

    def unsubscribe(self, room: str, listener: Listener) -> None:
        """Remove a listener."""
        self._listeners[room].remove(listener)
        if not self._listeners[room]:
            del self._listeners[room]
