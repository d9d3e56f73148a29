"""Following: what other processes have written to a room is applied here and sent to the viewers of this process.

Viewers are sent what they would be sent if the room were here, and nothing else: a frame for an event that is
hidden from them would reveal it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from quadriga.engine.errors import QuadrigaError
from quadriga.server import metrics
from quadriga.server.present import frames
from quadriga.server.protocol.errors import RoomError, StaleError
from quadriga.server.protocol.parts import ChatLine
from quadriga.server.protocol.server_messages import ChatPosted
from quadriga.server.state import events
from quadriga.server.state.events import (
    AskedWindows,
    BotControl,
    Deal,
    Moves,
    Mute,
    RoomEvent,
    Sit,
    Start,
    Undo,
    WindowAnswer,
)
from quadriga.server.state.room_state import CLOSED
from quadriga.server.storage.base import ChatMessage, StoredEvent
from quadriga.server.storage.chain import next_hash

if TYPE_CHECKING:
    from quadriga.server.rooms.room import Room

CHAT_MESSAGES = 200  # that a newcomer is sent
_UNANNOUNCED = (
    Moves,
    Undo,
    AskedWindows,
    Deal,
    WindowAnswer,
    Mute,
)  # events that do not change the public state of the room


class Follower:
    """Follows the log and the chat of a room."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._is_asked = False

    def published(self, number: int, chat: int) -> None:
        """Note how far the log and the chat are stored; read on if the room is behind."""
        room = self._room
        if (number >= room.state.next or chat > room.last_chat) and not self._is_asked:
            self._is_asked = True
            room.spawn(self._catch_up())

    async def _catch_up(self) -> None:
        self._is_asked = False  # a message from now on is about something newer
        await self.catch_up()

    async def catch_up(self) -> bool:
        """Read what other processes have written; return whether there was anything."""
        room = self._room
        try:
            async with room.exclusive() as state:
                lines = await room.store.events(state.id, state.next - 1)
                self._follow(lines)
                await self._pass_for_skips()
                return bool(await self.follow_chat() or lines)
        except RoomError as error:
            if error.code == "table.again":  # the room was reloaded instead
                return True
            raise

    def _follow(self, lines: Sequence[StoredEvent]) -> None:
        """Apply the next events of the log, and send the viewers what they are shown of them."""
        room, state = self._room, self._room.state
        if not lines:
            return
        if state.status == CLOSED:
            raise StaleError  # only a reload can read the log of a closed room
        beat, session = room.window_timer.current(), state.session
        before = 0 if session is None else len(session.match.entries)
        log: list[RoomEvent] = []
        for line in lines:
            expected = next_hash(state.hash, state.next, line.at, line.kind, line.body)
            if line.number != state.next or line.hash != expected:
                raise StaleError  # not the log that this state was read from
            event = events.decode(line.kind, line.body)
            log.append(event)
            try:
                game_events = state.apply(event)
            except (QuadrigaError, AssertionError, LookupError) as fault:
                raise StaleError from fault
            state.next, state.hash = line.number + 1, line.hash
            if isinstance(event, WindowAnswer):
                room.window_timer.follow(event)
            if isinstance(event, Moves | Undo) and not any(isinstance(each, Start) for each in log):
                room.broadcast(game_events, is_own=False)
        metrics.followed.inc(len(lines))
        room.note_stored()
        if beat is not None and session is not None and room.window_timer.current() is not beat:
            beat.confirm({entry.seat for entry in session.match.entries[before:]})  # the others are too late
        if any(isinstance(event, Sit) for event in log):
            room.audience.update_seats()
        if any(isinstance(event, Sit | BotControl | Deal) for event in log):
            room.window_timer.people_changed()
        if any(isinstance(event, Sit | BotControl) for event in log):
            room.absence.watch()
        if any(isinstance(event, Start) for event in log):
            room.show_all()
        room.broadcast()
        if any(not isinstance(event, _UNANNOUNCED) for event in log):
            room.broadcast_room()
        room.scheduler.schedule()

    async def _pass_for_skips(self) -> None:
        """Pass for a person who skips: this process alone knows of it. A timed window needs no answer."""
        room, session = self._room, self._room.state.session
        if session is None or room.state.status != "playing":
            return
        seat = session.actor
        if (
            session.window is not None
            and room.skips.covers(seat, session)
            and room.window_timer.asked(seat) is None
        ):
            await room.pass_window(seat)
        room.skips.update(session)
        room.show_lapsed_skips()

    async def follow_chat(self) -> bool:
        """Read the chat messages that other processes have stored; return whether there were any."""
        room = self._room
        found = await room.store.chat(room.state.id, CHAT_MESSAGES, room.last_chat)
        for message in found:
            self.post(message)
        return bool(found)

    def post(self, message: ChatMessage) -> None:
        """Add a chat message that is stored, and send it to everybody who has not muted its author."""
        room = self._room
        room.chat.append(message)
        del room.chat[:-CHAT_MESSAGES]
        frame = frames.encoded(ChatPosted(ChatLine(**message._asdict())))
        for viewer in room.presence.viewers:
            if message.name not in viewer.muted:
                viewer.send(frame)
