"""Verdicts: what happens when a vote is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quadriga.server.bots import choice
from quadriga.server.rooms.event_log import Sit, Status

if TYPE_CHECKING:
    from quadriga.server.rooms.room import Room

_STATUS = {"pause": "paused", "resume": "playing", "end": "ended"}


async def settle(room: Room) -> None:
    """Carry out every vote that is decided, and tell everybody how the others stand. Within `turn`."""
    while (decided := room.votes.decided()) is not None:
        kind, seat = decided
        if seat is not None:
            await _remove(room, seat)
        else:
            await _change_status(room, kind)
    room.broadcast_room()


async def _remove(room: Room, seat: int) -> None:
    """Give a removed person's seat to the game's default bot."""
    bot = choice.default(room.state.setup.game)
    await room.change(Sit(seat, "bot", bot, "", bot, room.state.seats[seat].word))


async def _change_status(room: Room, kind: str) -> None:
    room.clocks.charge()
    await room.change(Status(_STATUS[kind]))
    if kind != "pause":
        for viewer in room.presence.viewers:
            room.show(viewer)
