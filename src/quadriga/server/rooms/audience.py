"""The audience of a room: viewers that enter and leave, here and at other processes."""

from __future__ import annotations

import asyncio

from quadriga.server.orders import contents
from quadriga.server.protocol.errors import RoomError
from quadriga.server.rooms.room import Room
from quadriga.server.seats.viewers import Viewer
from quadriga.server.state.events import BotControl
from quadriga.server.storage.base import Visitors

_PAUSE_S = 0.02  # between two attempts to write
_SUMMARY_DELAY_S = 0.05  # people who come and go within this time cause one message


async def enter(room: Room, viewer: Viewer, after: int | None) -> None:
    """Add a viewer that was welcomed, and send it the events after a number. Hold the room.

    A bot that plays for the viewer's owner gives the seats back; in a game by days the owner asks for them.
    """
    room.presence.add(viewer)
    returned = _to_return(room, viewer)
    room.show(viewer, after)
    if viewer.plays and room.state.seats[viewer.seat].orders:
        viewer.send_message(contents.changed(room.state, viewer.seat))
    if returned:
        await room.change(*returned)
    else:
        broadcast_soon(room)
        room.schedule()
    room.set_absence_timers()


async def take_back(room: Room, viewer: Viewer) -> None:
    """Give a viewer the seats back after an attempt that another process has forestalled, as it may again."""
    while viewer in room.presence.viewers and viewer.close_code is None:
        try:
            async with room.exclusive():
                if returned := _to_return(room, viewer):
                    await room.change(*returned)
            return
        except RoomError as error:
            if error.code != "table.again":
                raise
        await asyncio.sleep(_PAUSE_S)


def _to_return(room: Room, viewer: Viewer) -> list[BotControl]:
    """Return the events by which bots give the seats back to a viewer's owner."""
    state = room.state
    if state.days is not None or state.over or room.log.fault is not None:
        return []
    return [BotControl(seat, False) for seat in viewer.seats if state.seats[seat].bot_controlled]


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
