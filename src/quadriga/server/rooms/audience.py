"""The audience of a room: viewers that enter and leave, here and at other processes."""

from __future__ import annotations

from quadriga.server.orders import contents
from quadriga.server.rooms.room import Room
from quadriga.server.seats.viewers import Viewer
from quadriga.server.state.events import BotControl
from quadriga.server.storage.base import Visitors

_SUMMARY_DELAY_S = 0.05  # people who come and go within this time cause one message


async def enter(room: Room, viewer: Viewer, after: int | None) -> None:
    """Add a viewer that was welcomed, and send it the events after a number. Hold the room.

    A bot that plays for the viewer's owner gives the seats back; in a game by days the owner asks for them.
    """
    room.presence.add(viewer)
    returned = [seat for seat in viewer.seats if room.state.seats[seat].bot_controlled]
    room.show(viewer, after)
    if viewer.plays and room.state.seats[viewer.seat].orders:
        viewer.send_message(contents.changed(room.state, viewer.seat))
    if returned and room.state.days is None and not room.state.over and room.log.fault is None:
        await room.change(*(BotControl(seat, False) for seat in returned))
    else:
        broadcast_soon(room)
        room.schedule()
    room.set_absence_timers()


def leave(room: Room, viewer: Viewer) -> None:
    """Remove a viewer whose socket is closed."""
    room.presence.remove(viewer)
    broadcast_soon(room)
    room.set_absence_timers()
    room.go_on_alone()


def set_elsewhere(room: Room, visitors: Visitors) -> None:
    """Note who is in this room at other processes."""
    if room.presence.set_elsewhere(visitors.holders, visitors.watching):
        broadcast_soon(room)
        room.set_absence_timers()
        room.go_on_alone()


def broadcast_soon(room: Room) -> None:
    """Broadcast the public state of the room, once for all people who come and go within a short time."""

    async def broadcast() -> None:
        async with room.exclusive():  # an event that is being written is not shown yet
            room.broadcast_room()

    room.tasks.once("table", _SUMMARY_DELAY_S, broadcast)
