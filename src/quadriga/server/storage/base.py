"""The store: where the logs of all tables are, as a small protocol; other databases can come beside SQLite."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol

from quadriga.server.protocol.errors import RoomError

SNAPSHOT_INTERVAL = 128  # events of a log between two snapshots
SNAPSHOTS_KEPT = 4  # of each room


class StoredEvent(NamedTuple):
    """One line of a table's log."""

    number: int
    at: int
    kind: str
    body: bytes
    hash: bytes = b""  # over the line before it and its own content: `chain`


class ChatMessage(NamedTuple):
    """Something said at a table."""

    number: int
    at: int
    seat: int
    name: str
    text: str


class StoredRoom(NamedTuple):
    """A table as it is kept."""

    id: str
    created: int
    public: bool
    status: str
    setup: bytes


class Head(NamedTuple):
    """The number and the hash of a room's last event."""

    number: int
    hash: bytes


class Snapshot(NamedTuple):
    """A snapshot as it is stored."""

    number: int  # of the event that it was taken after
    body: bytes


class Stored(NamedTuple):
    """A room as it is stored, verified."""

    kept: StoredRoom
    head: Head
    lines: list[StoredEvent]
    snapshots: list[Snapshot]


class SigningKey(NamedTuple):
    """A key that signs tokens."""

    id: int
    created: int
    secret: bytes


class Storage(Protocol):
    """What rooms need of a store. What `append` has returned from is on disk."""

    @property
    def fault(self) -> RoomError | None:
        """Why nothing can be stored now; None while all is well."""
        ...

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` whenever `fault` comes or goes."""
        ...

    async def create(self, table: StoredRoom, lines: list[StoredEvent]) -> None:
        """Keep a new table with the first lines of its log."""
        ...

    def append(
        self, table: str, lines: list[StoredEvent], status: str | None = None, snapshot: Snapshot | None = None
    ) -> Awaitable[None]:
        """Add lines to a log, all or none; StaleError if somebody else has taken their numbers."""
        ...

    async def say(self, table: str, talk: ChatMessage) -> None:
        """Keep something said."""
        ...

    async def load(self, table: str) -> Stored | None:
        """A table by its id with all of its log; TableError `table.damaged` where it is not what was written."""
        ...

    async def lines(self, table: str, after: int = 0) -> list[StoredEvent]:
        """The log of a table after a line."""
        ...

    async def talk(self, table: str, most: int) -> list[ChatMessage]:
        """The last things said."""
        ...

    async def open_tables(self, most: int) -> list[str]:
        """The ids of public tables that wait or play, the newest first."""
        ...

    async def keys(self) -> list[SigningKey]:
        """All keys, the oldest first."""
        ...

    async def add_key(self, secret: bytes) -> None:
        """Keep a new key."""
        ...

    async def drop_keys(self, before: int) -> None:
        """Forget keys made before a moment."""
        ...

    async def close(self) -> None:
        """Write what is waiting, and let go."""
        ...


def now() -> int:
    """The moment, in milliseconds."""
    return time.time_ns() // 1_000_000
