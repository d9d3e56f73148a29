"""Handle the messages of clients about reaction windows: when a seat is asked, skips, holds and announcements."""

from __future__ import annotations

from quadriga.engine.game import NOBODY
from quadriga.server.protocol import client_messages as messages
from quadriga.server.protocol import server_messages
from quadriga.server.protocol.errors import RoomError
from quadriga.server.rooms.room import Room
from quadriga.server.seats.viewers import Viewer
from quadriga.server.state.events import AskedWindows, AskWhen, Deal, React, WindowAnswer


def own_seat(viewer: Viewer, seat: int | None) -> int:
    """Return the seat that a message is about; raise RoomError if it is not the viewer's.

    Hold the room: a vote may take the seat at any time.
    """
    found = viewer.own_seat(seat)
    if found == NOBODY:
        raise RoomError("act.not-yours", 403)
    return found


async def set_asked_windows(room: Room, viewer: Viewer, message: messages.SetAskedWindows) -> None:
    """Store the windows in which a seat wants to be asked; pass for it in the open one if it does not."""
    async with room.exclusive() as state:
        seat = own_seat(viewer, message.seat)
        known = state.game.windows
        wrong = [window for window in message.windows if window not in known]
        if wrong:
            raise RoomError("stops.unknown", 422, found=wrong, known=list(known))
        await room.change(AskedWindows(seat, sorted(set(message.windows))), announce=False)
        room.broadcaster.show_stops(room.state, seat)
        session = state.session
        if session is not None and state.status == "playing":
            if session.window is not None and session.window not in message.windows:
                await room.pass_window(seat)


async def set_asked_when(room: Room, viewer: Viewer, message: messages.SetAskedWhen) -> None:
    """Store the occasions on which a seat wants to be asked."""
    async with room.exclusive() as state:
        seat = own_seat(viewer, message.seat)
        if not state.game.windows:
            raise RoomError("stops.none", 422)
        await room.change(AskWhen(seat, message.when), announce=False)
        room.broadcaster.show_stops(state, seat)


async def react(room: Room, viewer: Viewer, message: messages.React) -> None:
    """Hold the open window if it lasts a beat; otherwise note that the seat wants to be asked next time."""
    async with room.exclusive() as state:
        seat = own_seat(viewer, message.seat)
        room.check_playing()
        if not state.game.windows:
            raise RoomError("stops.none", 422)
        if room.window_timer.length_s(seat) is None:
            await room.change(React(seat, message.on), announce=False)
            room.broadcaster.show_stops(state, seat)
            return
    if message.on:
        await hold(room, viewer, messages.Hold(message.ref, message.seat))


async def skip(room: Room, viewer: Viewer, message: messages.Skip) -> None:
    """Begin or end a skip; pass in the open window."""
    async with room.exclusive():
        seat = own_seat(viewer, message.seat)
        session = room.check_playing()
        room.skips.set(seat, message.until, session)
        room.broadcaster.show_stops(room.state, seat)
        if message.until is not None and session.window is not None:
            await room.pass_window(seat)


async def announce_deal(room: Room, viewer: Viewer, message: messages.AnnounceDeal) -> None:
    """Note that a seat wants to make a deal in the next window that allows it."""
    async with room.exclusive() as state:
        seat = own_seat(viewer, message.seat)
        if room.check_playing().deal is None:
            raise RoomError("deal.none", 422)
        await room.change(Deal(seat, message.on), announce=False)
        room.broadcaster.show_stops(state, seat)


async def hold(room: Room, viewer: Viewer, message: messages.Hold) -> None:
    """Give a seat more time in the open window, and tell only that seat."""
    async with room.exclusive():
        seat = own_seat(viewer, message.seat)
        room.check_playing()
        left_ms = room.window_timer.hold(seat, room.time_source.now())
        await room.change(WindowAnswer(seat), announce=False)
        for each in room.presence.viewers:
            if each.seat == seat:
                each.send_message(server_messages.Held(message.ref if each is viewer else None, left_ms))
