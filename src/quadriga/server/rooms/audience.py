"""The audience of a room: viewers that enter and leave, and the seats that each of them has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quadriga.server.seats.viewers import Viewer
from quadriga.server.state.events import BotControl

if TYPE_CHECKING:
    from quadriga.server.rooms.room import Room

_SUMMARY_DELAY_S = 0.05  # people who come and go within this time cause one frame


class Audience:
    """Adds and removes the viewers of a room."""

    def __init__(self, room: Room) -> None:
        self._room = room

    async def enter(self, viewer: Viewer, after: int | None) -> None:
        """Add a viewer that was welcomed, and send it the events after a number. Hold the room.

        A bot that plays for the viewer's owner gives the seats back.
        """
        room = self._room
        room.presence.add(viewer)
        returned = [seat for seat in viewer.seats if room.state.seats[seat].bot_controlled]
        room.show(viewer, after)
        if returned and not room.state.over and room.store.fault is None:
            await room.change(*(BotControl(seat, False) for seat in returned))
        else:
            self.broadcast_soon()
            room.scheduler.schedule()
        room.absence.watch()

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer whose socket is closed."""
        self._room.presence.remove(viewer)
        self.broadcast_soon()
        self._room.absence.watch()

    def update_seats(self) -> None:
        """Give every viewer the seats that its owner has now. One that has lost its seat looks from another."""
        room = self._room
        for info in room.state.seats:
            if info.kind == "person":
                room.presence.expect(info.holder)
        for viewer in room.presence.viewers:
            seats = [] if viewer.holder is None else room.state.seats_of(viewer.holder)
            if seats != viewer.seats:
                has_moved = viewer.take(seats)
                viewer.send_message(room.own_seats(viewer))
                if has_moved:
                    room.show(viewer)

    def broadcast_soon(self) -> None:
        """Broadcast the room once for all people who come and go at about the same time."""
        if not self._room.has_timer("table"):
            self._room.later("table", _SUMMARY_DELAY_S, self._broadcast_room)

    async def _broadcast_room(self) -> None:
        async with self._room.exclusive():  # an event that is being written is not shown yet
            self._room.broadcast_room()
