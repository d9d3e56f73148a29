"""Pub/sub: tells every process that the log or the chat of a room has grown. Both are read from the store.

A message may be lost. A process that shares its store looks there regularly as well (`cluster`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Protocol

Listener = Callable[[int, int], None]  # called with the numbers of the newest event and the newest chat message


class Channel(Protocol):
    """Carries the numbers of a room's newest event and chat message to all listeners."""

    @property
    def is_live(self) -> bool:
        """False while messages do not reach other processes."""
        ...

    def publish(self, room: str, number: int, chat: int) -> None:
        """Tell the listeners of a room how far its log and its chat are stored."""
        ...

    def subscribe(self, room: str, listener: Listener) -> None:
        """Call a listener for everything that is published for a room."""
        ...

    def unsubscribe(self, room: str, listener: Listener) -> None:
        """Remove a listener."""
        ...

    async def close(self) -> None:
        """Carry no more messages."""
        ...


class LocalChannel:
    """A channel within one process."""

    is_live = False

    def __init__(self) -> None:
        self._listeners: dict[str, list[Listener]] = defaultdict(list)

    def publish(self, room: str, number: int, chat: int) -> None:
        """Call all listeners of a room at once."""
        for listener in tuple(self._listeners.get(room, ())):
            listener(number, chat)

    def subscribe(self, room: str, listener: Listener) -> None:
        """Call a listener for everything that is published for a room."""
        self._listeners[room].append(listener)

    def unsubscribe(self, room: str, listener: Listener) -> None:
        """Remove a listener."""
        self._listeners[room].remove(listener)
        if not self._listeners[room]:
            del self._listeners[room]

    async def close(self) -> None:
        """Do nothing: nothing is kept."""
