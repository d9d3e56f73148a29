"""The live channel: tells every process that a table's log has grown. The truth is in the log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Protocol

Heard = Callable[[int], None]


class Channel(Protocol):
    """Carries the number of the newest line of a table to all who listen."""

    def publish(self, table: str, number: int) -> None:
        """Line `number` is on disk."""
        ...

    def subscribe(self, table: str, heard: Heard) -> None:
        """Call `heard` for every line that anybody publishes."""
        ...

    def unsubscribe(self, table: str, heard: Heard) -> None:
        """Call it no more."""
        ...


class LocalChannel:
    """The channel of one process: everybody is here."""

    def __init__(self) -> None:
        self._listeners: dict[str, list[Heard]] = defaultdict(list)

    def publish(self, table: str, number: int) -> None:
        """Tell everybody at once."""
        for heard in tuple(self._listeners.get(table, ())):
            heard(number)

    def subscribe(self, table: str, heard: Heard) -> None:
        """Call `heard` for every line of the table."""
        self._listeners[table].append(heard)

    def unsubscribe(self, table: str, heard: Heard) -> None:
        """Call it no more."""
        self._listeners[table].remove(heard)
        if not self._listeners[table]:
            del self._listeners[table]
