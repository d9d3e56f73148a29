"""The stored part of a room: its log and its chat, as far as this process has written or read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quadriga.server.messages.game_summary import game_summary
from quadriga.server.protocol.errors import RoomError
from quadriga.server.rooms.days import deadlines
from quadriga.server.rooms.processes.pubsub import Channel
from quadriga.server.state import events, replaying, snapshot
from quadriga.server.state.day_events import SetDays
from quadriga.server.state.events import RoomEvent
from quadriga.server.state.room_state import RoomState
from quadriga.server.storage.base import ChatMessage, GameSummary, Storage, StoredDeadline, StoredEvent, now
from quadriga.server.storage.chain import next_hash

CHAT_MESSAGES = 200  # that a newcomer is sent


def next_line(state: RoomState, event: RoomEvent) -> StoredEvent:
    """Return an event as the next line of a log; the state's `next` and `hash` move on."""
    number, at, (kind, body) = state.next, now(), events.encode(event)
    state.next, state.hash = number + 1, next_hash(state.hash, number, at, kind, body)
    return StoredEvent(number, at, kind, body, state.hash)


class RoomLog:
    """Writes and reads the log and the chat of one room."""

    def __init__(
        self,
        store: Storage,
        channel: Channel,
        chat: list[ChatMessage],
        told_after_ms: int = 60_000,
        day_s: float = 86_400.0,
    ) -> None:
        self.store, self.chat = store, chat
        self._told_after_ms = told_after_ms  # before people are told of what they have not seen by then
        self.day_ms = round(day_s * 1000)
        self.reads_soon = False  # true while a task is about to read what other processes have written
        self.known_numbers: list[int] = []  # of the last stored event, by viewpoint
        self._status = ""  # as it is stored
        self._summary: GameSummary | None = None  # as it is stored; None: another process may have changed it
        self._deadline: StoredDeadline | None = None  # ditto, in a game by days
        self._channel = channel
        self.on_summary: Callable[[str], None] = lambda room_id: None  # called when a summary is stored
        self.on_over: Callable[[str], None] = lambda room_id: None  # called when the end of a game is stored

    def note_stored(self, state: RoomState) -> None:
        """Record that a state is stored: its status, and the number of each viewpoint's last event.

        Another process may have stored it, with a summary of its own.
        """
        self._status, self._summary, self._deadline = state.status, None, None
        self.known_numbers = [] if state.session is None else state.session.numbers

    async def append(self, state: RoomState, applied: Sequence[RoomEvent]) -> None:
        """Append events, which are applied to the state already; return when they are on disk.

        In a game by days the deadline that follows is appended and stored with them.
        """
        by_days = [] if state.days is None else deadlines.following(state, applied, now(), self.day_ms)
        for event in by_days:
            state.apply(event)
        applied = [*applied, *by_days]
        deadline = self._next_deadline(state, applied)
        lines = [next_line(state, event) for event in applied]
        status = state.status if state.status != self._status else None
        taken = state.snapshot() if snapshot.is_due(lines[0].number, lines[-1].number) else None
        summary = game_summary(state)
        changed = summary.differs_from(self._summary)
        put = summary if changed else None
        moved = deadline if deadline != self._deadline else None
        await self.store.append(state.id, lines, status, taken, put, moved, self._told_after_ms)
        state.is_ahead = False
        self.note_stored(state)
        self._summary, self._deadline = summary, deadline
        self.publish(state)
        if changed:
            self.on_summary(state.id)
        if status == "over":
            self.on_over(state.id)

    def _next_deadline(self, state: RoomState, applied: Sequence[RoomEvent]) -> StoredDeadline | None:
        """Return the row of `deadlines`; None for a live game, which has none."""
        if state.days is None and not any(isinstance(event, SetDays) for event in applied):
            return None
        return deadlines.stored(state, self._deadline, now(), self.day_ms)

    def publish(self, state: RoomState) -> None:
        """Tell other processes how far the log and the chat are stored."""
        self._channel.publish(state.id, state.next - 1, self.last_chat)

    async def load(self, room_id: str) -> RoomState | None:
        """Return the state that the log leads to; None if there is no such room."""
        return await replaying.load(self.store, room_id)

    @property
    def fault(self) -> RoomError | None:
        """The reason why nothing can be stored now; None while writing works."""
        return self.store.fault

    def check_writable(self) -> None:
        """Raise RoomError while nothing can be stored."""
        if (fault := self.fault) is not None:
            raise RoomError(fault.code, fault.status, **fault.parameters)

    # Chat.

    @property
    def last_chat(self) -> int:
        """The number of the last chat message."""
        return self.chat[-1].number if self.chat else 0

    async def read_chat(self, room_id: str) -> list[ChatMessage]:
        """Read and return the chat messages that other processes have stored."""
        found = await self.store.chat(room_id, CHAT_MESSAGES, self.last_chat)
        for message in found:
            self._keep(message)
        return found

    async def add_chat(self, state: RoomState, message: ChatMessage, author: str) -> None:
        """Store a chat message and its author; return when it is on disk."""
        await self.store.add_chat(state.id, message, author)
        self._keep(message)
        self.publish(state)

    def _keep(self, message: ChatMessage) -> None:
        self.chat.append(message)
        del self.chat[:-CHAT_MESSAGES]
