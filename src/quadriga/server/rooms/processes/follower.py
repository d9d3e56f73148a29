"""Following: what other processes have written to a room is applied here and sent to the viewers of this process.

Viewers are sent what they would be sent if the room were here, and nothing else: a message for an event that is
hidden from them would reveal it.
"""

from __future__ import annotations

from collections.abc import Sequence

from quadriga.engine.errors import QuadrigaError
from quadriga.server import metrics
from quadriga.server.orders import contents
from quadriga.server.protocol.errors import RoomError, StaleError
from quadriga.server.rooms.room import Room
from quadriga.server.state import events
from quadriga.server.state.events import (
    AskedWindows,
    AskWhen,
    BotControl,
    Deal,
    HintTaken,
    Moves,
    Mute,
    OrderEnded,
    OrderGiven,
    React,
    RoomEvent,
    Sit,
    Start,
    Undo,
    WindowAnswer,
)
from quadriga.server.state.room_state import CLOSED
from quadriga.server.storage.base import StoredEvent
from quadriga.server.storage.chain import next_hash

_UNANNOUNCED = (
    Moves,
    Undo,
    AskedWindows,
    AskWhen,
    React,
    Deal,
    WindowAnswer,
    OrderGiven,
    OrderEnded,
    Mute,
    HintTaken,
)  # events that do not change the public state of the room


def published(room: Room, number: int, chat: int) -> None:
    """Note how far the log and the chat of a room are stored; read on if the room is behind."""
    if (number >= room.state.next or chat > room.log.last_chat) and not room.log.reads_soon:
        room.log.reads_soon = True
        room.tasks.spawn(_read_on(room))


async def _read_on(room: Room) -> None:
    room.log.reads_soon = False  # a message from now on is about something newer
    await catch_up(room)


async def catch_up(room: Room) -> bool:
    """Read what other processes have written to a room; return whether there was anything."""
    try:
        async with room.exclusive() as state:
            lines = await room.log.store.events(state.id, state.next - 1)
            _follow(room, lines)
            await _pass_for_skips(room)
            return await room.read_chat() or bool(lines)
    except RoomError as error:
        if error.code == "table.again":  # the room was reloaded instead
            return True
        if error.code == events.NEWER:
            room.on_newer()
        raise


def _follow(room: Room, lines: Sequence[StoredEvent]) -> None:
    """Apply the next events of the log, and send the viewers what they are shown of them."""
    state, windows, now = room.state, room.window_timer, room.time_source.now()
    if not lines:
        return
    if state.status == CLOSED:
        raise StaleError  # only a reload can read the log of a closed room
    beat, session = windows.current(now), state.session
    before = 0 if session is None else len(session.match.entries)
    log: list[RoomEvent] = []
    orders: dict[int, list[contents.Ended]] = {}  # that have changed, by seat
    for line in lines:
        expected = next_hash(state.hash, state.next, line.at, line.kind, line.body)
        if line.number != state.next or line.hash != expected:
            raise StaleError  # not the log that this state was read from
        event = events.decode(line.kind, line.body)
        log.append(event)
        for seat, ended in contents.ended_by(state, [event]).items():
            orders.setdefault(seat, []).extend(ended)
        try:
            game_events = state.apply(event)
        except (QuadrigaError, AssertionError, LookupError) as fault:
            raise StaleError from fault
        state.next, state.hash = line.number + 1, line.hash
        if isinstance(event, WindowAnswer):
            windows.follow(event, now)
        if isinstance(event, Moves | Undo) and not any(isinstance(each, Start) for each in log):
            room.broadcast(game_events, is_own=False)
    metrics.followed.inc(len(lines))
    room.log.note_stored(state)
    if beat is not None and session is not None and windows.current(now) is not beat:
        beat.confirm({entry.seat for entry in session.match.entries[before:]})  # the others are too late
    for seat, ended in orders.items():
        room.broadcaster.show_orders(state, seat, ended)
    if any(isinstance(event, Sit) for event in log):
        room.update_seats()
    if any(isinstance(event, Sit | BotControl | Deal | AskWhen) for event in log):
        windows.people_changed(now)
    if any(isinstance(event, Sit | BotControl) for event in log):
        room.set_absence_timers()
    if any(isinstance(event, Start) for event in log):
        room.broadcaster.show_all(room.moment())
    room.publish(announce=any(not isinstance(event, _UNANNOUNCED) for event in log))


async def _pass_for_skips(room: Room) -> None:
    """Pass for a person who skips: this process alone knows of it. A timed window needs no answer."""
    session = room.state.session
    if session is None or room.state.status != "playing":
        return
    seat = session.actor
    if session.window is not None and room.skips.covers(seat, session) and room.asked(seat) is None:
        await room.pass_window(seat)
    room.skips.update(session)
    room.broadcaster.show_lapsed_skips(room.state)
