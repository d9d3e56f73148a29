"""A moment of a room: the data that messages and the scheduler need after a change."""

from __future__ import annotations

from dataclasses import dataclass

from quadriga.server.rooms.clocks import Clocks
from quadriga.server.rooms.window_timer import Asked, Beat
from quadriga.server.state.room_state import RoomState


@dataclass(slots=True)
class Moment:
    """A room at one time after a change, computed once for all messages and for the next scheduled move."""

    state: RoomState
    clocks: Clocks  # that of the seat that decides runs
    beat: Beat | None  # of the window that is open
    now: float

    def asked(self, seat: int) -> Asked | None:
        """Return what a timed window asks a seat; None if it does not."""
        return None if self.beat is None else self.beat.asked.get(seat)
