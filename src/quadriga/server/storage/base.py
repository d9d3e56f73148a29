"""The storage protocol and the records that pass through it. Another database can implement it beside SQLite."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from quadriga.server.protocol.errors import RoomError

if TYPE_CHECKING:  # worker processes, which know no database, start sooner without it
    import sqlalchemy as sa

T = TypeVar("T")

SNAPSHOT_INTERVAL = 128  # events of a log between two snapshots
SNAPSHOTS_KEPT = 4  # of each room


class StoredEvent(NamedTuple):
    """One event of a room's log."""

    number: int
    at: int
    kind: str
    body: bytes
    hash: bytes = b""  # over the event before it and its own content: `chain`


class ChatMessage(NamedTuple):
    """One chat message of a room."""

    number: int
    at: int
    seat: int
    name: str
    text: str


class StoredRoom(NamedTuple):
    """The row of a room."""

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


class LoadedRoom(NamedTuple):
    """A room as it is stored: its row, its log and its snapshots, verified."""

    row: StoredRoom
    head: Head
    events: list[StoredEvent]
    snapshots: list[Snapshot]
    archived: int = 0  # the number of its first events that are in the archive


class GameSummary(NamedTuple):
    """The part of a room that lists of games show: a row of `games`, and people's places once it is over."""

    table_id: str
    game: str
    status: str
    turn: int | None
    changed: int
    seats: bytes
    number: int = 0  # of the last event
    places: tuple[tuple[str, int | None], ...] = ()  # by holder; empty while the game is not over
    waits_for: str = ""  # the holder of the seat to move, unless a bot plays it

    def differs_from(self, other: GameSummary | None) -> bool:
        """Return whether anything but the time and the number differs."""
        return other is None or self._replace(changed=other.changed, number=other.number) != other


class StoredDeadline(NamedTuple):
    """When a game by days has to be looked at next: a row of `deadlines`. With `kind` "" there is none."""

    table_id: str
    due: int = 0
    kind: str = ""
    ends: int = 0
    holder: str = ""

    @property
    def is_warned(self) -> bool:
        """True if the person who has to move was warned, and the end of their time is next."""
        return self.kind == "due"


class SigningKey(NamedTuple):
    """A key that signs tokens."""

    id: int
    created: int
    secret: bytes


class Visitors(NamedTuple):
    """The people that a process serves in a room: guests with a token, and the number of viewers without a seat."""

    holders: frozenset[str] = frozenset()
    watching: int = 0

    @property
    def total(self) -> int:
        """The number of people; 0 if the process serves nobody there."""
        return len(self.holders) + self.watching


class Pulse(NamedTuple):
    """The answer to a heartbeat: the leases that a process has acquired, and what the others have done."""

    is_new: bool  # whether the process was unknown, or its leases had expired: it holds nothing now
    driven: frozenset[str]  # the wanted rooms whose lease it has
    elsewhere: dict[str, Visitors]  # people at other processes, by room
    newest: dict[str, tuple[int, int]]  # the newest event and the newest chat message of each room


class Storage(Protocol):
    """Store rooms. Whatever an awaited method has written is on disk."""

    @property
    def fault(self) -> RoomError | None:
        """The reason why nothing can be stored now; None while writing works."""
        ...

    def on_fault(self, call: Callable[[], None]) -> None:
        """Call `call` whenever `fault` appears or disappears."""
        ...

    async def create(
        self,
        room: StoredRoom,
        events: list[StoredEvent],
        summary: GameSummary | None = None,
        fill_at: int | None = None,
    ) -> None:
        """Store a new room with the first events of its log. A public one is listed.

        At `fill_at` bots take the seats that are still open.
        """
        ...

    def append(
        self,
        room_id: str,
        events: list[StoredEvent],
        status: str | None = None,
        snapshot: Snapshot | None = None,
        summary: GameSummary | None = None,
        deadline: StoredDeadline | None = None,
        told_after_ms: int = 0,
    ) -> Awaitable[None]:
        """Add events to a log, all or none. Raises StaleError if another process has taken their numbers.

        If the summary begins a turn, the outbox gets a notice of it, which is due after `told_after_ms`.
        """
        ...

    async def put_summary(self, summary: GameSummary) -> None:
        """Store the summary of a room."""
        ...

    async def add_chat(self, room_id: str, message: ChatMessage, author: str = "") -> None:
        """Store a chat message, and who has written it."""
        ...

    async def load(self, room_id: str) -> LoadedRoom | None:
        """Return a room with its whole log. Raises RoomError `table.damaged` unless it is what was written."""
        ...

    async def events(self, room_id: str, after: int = 0) -> list[StoredEvent]:
        """Return the events of a room whose numbers are greater than `after`."""
        ...

    async def chat(self, room_id: str, limit: int, after: int = 0) -> list[ChatMessage]:
        """Return the last chat messages whose numbers are greater than `after`, in order."""
        ...

    async def created(self, room_id: str) -> int:
        """Return when a room was created; 0 if there is no such room."""
        ...

    async def room_ids(self) -> list[str]:
        """Return the ids of all rooms."""
        ...

    async def open_rooms(self, limit: int) -> list[str]:
        """Return the ids of listed rooms that are waiting or playing, the newest first."""
        ...

    async def keys(self) -> list[SigningKey]:
        """Return all signing keys, the oldest first."""
        ...

    async def add_key(self, secret: bytes) -> None:
        """Store a new signing key."""
        ...

    async def drop_keys(self, before: int) -> None:
        """Delete the signing keys that were created before a time."""
        ...

    async def read(self, statement: sa.Select[Any]) -> list[Any]:
        """Return the rows of a select. Raises RoomError `store.failing` if they cannot be read."""
        ...

    async def transact(self, work: Callable[[sa.Connection], T]) -> T:
        """Run a function in a transaction that may write; return what it returns.

        Raises TakenError if something has to be unique and is not, and RoomError if nothing can be stored. Logs are
        not written this way.
        """
        ...

    async def copy_room(self, room: LoadedRoom, chat: Sequence[ChatMessage]) -> None:
        """Store a room of another store with everything that belongs to it."""
        ...

    async def copy_keys(self, keys: Sequence[SigningKey]) -> None:
        """Store the signing keys of another store under the same ids."""
        ...

    async def close(self) -> None:
        """Write everything that is waiting, and close the store."""
        ...


@runtime_checkable
class SharedStorage(Storage, Protocol):
    """A store that several processes use at once. Each calls `pulse` regularly, as a heartbeat."""

    async def pulse(
        self,
        process: str,
        lease_s: float,
        visitors: Mapping[str, Visitors],
        wanted: Sequence[str],
        known: Sequence[str],
    ) -> Pulse:
        """Send a heartbeat: renew leases for `lease_s` seconds, announce people, acquire leases. Return the news.

        `visitors` are the rooms whose people have changed; the lease of a room without people is released. `wanted`
        are the rooms whose lease the process would like to have, `known` those of which it wants the newest events.
        """
        ...

    async def people_at(self, rooms: Sequence[str]) -> set[tuple[str, str]]:
        """Return which people look at which of these rooms, at whatever process: pairs of a room and a holder."""
        ...

    async def leave(self, process: str) -> None:
        """Release all leases of a process, and forget its people."""
        ...

    async def freeze(self) -> None:
        """Read everything as of this moment from now on, whatever others write."""
        ...

    async def replace_room(self, room: LoadedRoom, chat: Sequence[ChatMessage]) -> None:
        """Store a room of another store in place of the one of the same id, if there is one."""
        ...


def now() -> int:
    """Return the current time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
