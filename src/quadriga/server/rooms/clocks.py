"""Clocks, per move or per player.

While a hidden reaction window is open, no clock is seen to run: it would show which seat is asked.
"""

from __future__ import annotations

import time

from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.slots import CHANCE
from quadriga.server.protocol.parts import ClockFace
from quadriga.server.state.room_state import RoomState

WINDOW_MS = 20_000  # for an answer in a reaction window


class Clocks:
    """The clocks of a room."""

    def __init__(self, state: RoomState) -> None:
        self.state = state
        self.seat = NOBODY  # the seat whose clock runs
        self.is_hidden = False  # whether it runs in a hidden window
        self._started_at = 0.0
        self._decision: object = None  # the decision that is timed

    @property
    def is_active(self) -> bool:
        """True if this room has clocks at all."""
        return self.state.setup.clock is not None and self.state.days is None

    def charge(self) -> None:
        """Stop the clock that runs, and take the elapsed time off it."""
        clock = self.state.setup.clock
        if clock is None or self.seat == NOBODY:
            return
        if clock.kind == "player" and not self.is_hidden:
            left = self.state.left
            left[self.seat] = max(0, left[self.seat] - self._elapsed_ms()) + clock.increment * 1000
        self._stop()

    def _stop(self) -> None:
        self.seat, self._decision = NOBODY, None

    def start(self) -> None:
        """Start the clock of the person who decides now; a clock that times this decision already runs on."""
        state = self.state
        session = state.session
        if not self.is_active or session is None or state.status != "playing":
            self._stop()
            return
        seat = session.actor
        if seat == CHANCE and state.setup.rolls == "hand":
            seat = session.roller
        if seat < 0 or state.seats[seat].played_by_bot:
            self._stop()
            return
        decision = (seat, len(session.match.entries))
        if decision != self._decision:
            self._decision, self._started_at = decision, time.monotonic()
            self.seat, self.is_hidden = seat, session.window is not None

    def _elapsed_ms(self) -> int:
        return int((time.monotonic() - self._started_at) * 1000)

    @property
    def left_ms(self) -> int | None:
        """The time left to the seat whose clock runs."""
        clock = self.state.setup.clock
        if clock is None or self.seat == NOBODY:
            return None
        whole = clock.seconds * 1000 if clock.kind == "move" else self.state.left[self.seat]
        if self.is_hidden:
            whole = min(clock.seconds * 1000, WINDOW_MS)
        return max(0, whole - self._elapsed_ms())

    def key(self, seat: int) -> object:
        """Return a key of the clocks that a viewpoint may see: it changes with them, but not as time passes."""
        if not self.is_active:
            return None
        running = None if self.is_hidden or self.seat == NOBODY else self.seat
        is_own = seat != NOBODY and seat == self.seat
        return running, is_own, self._started_at if running is not None or is_own else None, tuple(self.state.left)

    def face(self, seat: int, answer_ms: int | None = None) -> ClockFace | None:
        """Return the clocks as a viewpoint may see them; in a timed window the seat has `answer_ms`."""
        if not self.is_active:
            return None
        shown = list(self.state.left)
        running = None if self.is_hidden or self.seat == NOBODY else self.seat
        left_ms = self.left_ms
        if running is not None and left_ms is not None:
            shown[running] = left_ms
        own = left_ms if seat != NOBODY and seat == self.seat else None
        return ClockFace(shown, running, own if answer_ms is None else answer_ms)
