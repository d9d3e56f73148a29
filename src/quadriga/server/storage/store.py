"""Write to a store; the same for all databases but for the statements."""

from __future__ import annotations

from asyncio import Future
from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from quadriga.server.protocol.errors import RoomError, StaleError
from quadriga.server.storage import chain
from quadriga.server.storage.archive.packing import pack
from quadriga.server.storage.base import (
    SNAPSHOT_INTERVAL,
    SNAPSHOTS_KEPT,
    ChatMessage,
    GameSummary,
    LoadedRoom,
    SigningKey,
    Snapshot,
    StoredDeadline,
    StoredEvent,
    StoredRoom,
    now,
)
from quadriga.server.storage.reader import Reader
from quadriga.server.storage.writer import GroupWriter, Write

_ENDED = ("over", "ended")  # the statuses of games that are no longer listed


class Statements(NamedTuple):
    """The statements of a database, with the parameters in the order of the columns."""

    add_room: str
    add_head: str
    add_archived: str
    add_chat: str
    add_author: str  # of a chat message: the room, the number, the author
    set_status: str  # the status, then the id
    add_snapshot: str  # or replace one of the same number
    drop_snapshots: str  # of a room, up to a number
    add_key: str
    copy_key: str
    drop_keys: str
    put_game: str  # or replace the one of the same room
    add_open: str  # the id, when it was opened, and when bots take its open seats
    drop_open: str  # of a room
    end_player: str  # when, the place, then the room and the holder
    tell_turn: str  # when, when it is due, then the holder, the room and the number of the event
    tell_warning: str  # when, when it is due, then the holder and the room
    tell_end: str  # when, when it is due, then the room
    put_deadline: str  # or replace the one of the same room
    drop_deadline: str  # of a room
    after_copied_keys: tuple[str, ...] = ()


class Store(Reader):
    """The part of a store that writes. A database adds its statements, its writer, and how it loads and reads."""

    statements: ClassVar[Statements]
    writer: GroupWriter | None

    @property
    def fault(self) -> RoomError | None:
        """The reason why nothing can be stored now; None while writing works."""
        return None if self.writer is None else self.writer.fault

    def on_fault(self, call: Callable[[], None]) -> None:
        """Call `call` whenever `fault` appears or disappears."""
        assert self.writer is not None
        self.writer.call = call

    async def create(
        self,
        room: StoredRoom,
        events: list[StoredEvent],
        summary: GameSummary | None = None,
        fill_at: int | None = None,
    ) -> None:
        """Store a new room with the first events of its log. A public one is listed."""
        more = [] if summary is None else self._summary(summary)
        if room.public:
            more.append((self.statements.add_open, (room.id, room.created, fill_at)))
        await self._put([*self._new_room(room), *more], room.id, events)

    def append(
        self,
        room_id: str,
        events: list[StoredEvent],
        status: str | None = None,
        snapshot: Snapshot | None = None,
        summary: GameSummary | None = None,
        deadline: StoredDeadline | None = None,
        told_after_ms: int = 0,
    ) -> Future[None]:
        """Add events to a log, all or none. The future gets a StaleError if their numbers are taken.

        A game that is over is listed no longer.
        """
        sql = self.statements
        writes: list[Write] = [] if status is None else [(sql.set_status, (status, room_id))]
        if status in _ENDED:
            writes.append((sql.drop_open, (room_id,)))
        if snapshot is not None:
            writes.append((sql.add_snapshot, (room_id, *snapshot)))
            writes.append((sql.drop_snapshots, (room_id, snapshot.number - SNAPSHOT_INTERVAL * SNAPSHOTS_KEPT)))
        if summary is not None:
            writes += [*self._summary(summary), *self._notices(summary, told_after_ms)]
        if deadline is not None:
            dropped = sql.drop_deadline, (room_id,)
            writes.append((sql.put_deadline, deadline) if deadline.kind else dropped)
            if deadline.is_warned:
                at = now()
                writes.append((sql.tell_warning, (at, at, deadline.holder, room_id)))
        return self._put(writes, room_id, events)

    async def put_summary(self, summary: GameSummary) -> None:
        """Store the summary of a room."""
        await self._put(self._summary(summary))

    async def add_chat(self, room_id: str, message: ChatMessage, author: str = "") -> None:
        """Store a chat message. Raises StaleError if another process has taken its number."""
        writes: list[Write] = [(self.statements.add_chat, (room_id, *message))]
        if author:
            writes.append((self.statements.add_author, (room_id, message.number, author)))
        await self._put(writes)

    async def add_key(self, secret: bytes) -> None:
        """Store a new signing key."""
        await self._put([(self.statements.add_key, (now(), secret))])

    async def drop_keys(self, before: int) -> None:
        """Delete the signing keys that were created before a time."""
        await self._put([(self.statements.drop_keys, (before,))])

    async def copy_room(self, room: LoadedRoom, chat: Sequence[ChatMessage]) -> None:
        """Store a room of another store with everything that belongs to it."""
        await self._put(self._whole_room(room, chat), room.row.id, room.events[room.archived :])

    async def copy_keys(self, keys: Sequence[SigningKey]) -> None:
        """Store the signing keys of another store under the same ids."""
        sql = self.statements
        await self._put([*((sql.copy_key, key) for key in keys), *((after, ()) for after in sql.after_copied_keys)])

    def _new_room(self, room: StoredRoom) -> list[Write]:
        sql = self.statements
        return [(sql.add_room, room), (sql.add_head, (room.id, 0, chain.first_hash(room)))]

    def _summary(self, summary: GameSummary) -> list[Write]:
        sql, (*row, number, places, _) = self.statements, summary
        ends = [(sql.end_player, (summary.changed, place, summary.table_id, holder)) for holder, place in places]
        return [(sql.put_game, (*row, summary.turn, number)), *ends]

    def _notices(self, summary: GameSummary, told_after_ms: int) -> list[Write]:
        """Return what tells people about a change that is written in the same transaction."""
        sql, at, room = self.statements, summary.changed, summary.table_id
        if summary.waits_for:
            return [(sql.tell_turn, (at, at + told_after_ms, summary.waits_for, room, summary.number))]
        return [(sql.tell_end, (at, at, room))] if summary.places else []

    def _whole_room(self, room: LoadedRoom, chat: Sequence[ChatMessage]) -> list[Write]:
        sql, room_id = self.statements, room.row.id
        writes = self._new_room(room.row)
        if room.archived:
            last = room.events[room.archived - 1]
            body = pack(room.row, room.events[: room.archived])
            head = sql.add_head, (room_id, last.number, last.hash)  # the events after them move it on
            writes = [(sql.add_room, room.row), head, (sql.add_archived, (room_id, last.number, last.hash, body))]
        writes += [(sql.add_snapshot, (room_id, *snapshot)) for snapshot in room.snapshots]
        writes += [(sql.add_chat, (room_id, *message)) for message in chat]
        return writes

    def _put(self, writes: list[Write], room_id: str = "", events: Sequence[StoredEvent] = ()) -> Future[None]:
        if self.writer is None:
            raise StaleError
        last_numbers = [(room_id, events[-1].number if events else 0)] if room_id else []
        return self.writer.put(writes, [(room_id, *event) for event in events], last_numbers)
