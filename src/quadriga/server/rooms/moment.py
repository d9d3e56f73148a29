"""A moment of a room: what there is to tell and to do after a change."""

from __future__ import annotations

from dataclasses import dataclass

from quadriga.server.rooms.clocks import Clocks
from quadriga.server.rooms.window_timer import Asked, Beat
from quadriga.server.state.room_state import RoomState


@dataclass(slots=True)
class Moment:
    """A room after a change: found once, for all messages and for the move that follows."""

    state: RoomState
    clocks: Clocks  # that of the seat that decides runs
    beat: Beat | None  # of the window that is open
    now: float

    def asked(self, seat: int) -> Asked | None:
        """Return what a timed window asks a seat; None if it does not."""
        return None if self.beat is None else self.beat.asked.get(seat)
