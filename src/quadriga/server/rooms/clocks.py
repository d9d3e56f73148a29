"""Clocks: per move or per player. In a window in which nobody may notice who is asked, no clock is seen to run."""

from __future__ import annotations

import time

from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.slots import CHANCE
from quadriga.server.protocol.parts import ClockFace
from quadriga.server.rooms.event_log import RoomState

WINDOW_MS = 20_000  # for an answer in a reaction window, where there are clocks


class Clocks:
    """Who is timed, since when, and until when."""

    def __init__(self, state: RoomState) -> None:
        self.state = state
        self.seat = NOBODY  # who is timed
        self.hidden = False  # in a window
        self._since = 0.0
        self._key: object = None
        self.active = state.setup.clock is not None  # whether this table has clocks at all

    def charge(self) -> None:
        """Take the time that has gone by off the clock that runs."""
        clock = self.state.setup.clock
        if clock is None or self.seat == NOBODY:
            return
        if clock.kind == "player" and not self.hidden:
            left = self.state.left
            left[self.seat] = max(0, left[self.seat] - self._elapsed()) + clock.increment * 1000
        self.seat = NOBODY
        self._key = None

    def set(self) -> None:
        """Time whoever is to decide now; one decision is timed once."""
        state = self.state
        play = state.play
        if not self.active or play is None or state.status != "playing":
            self.seat, self._key = NOBODY, None
            return
        seat = play.actor
        if seat == CHANCE and state.setup.rolls == "hand":
            seat = play.roller
        if seat < 0 or state.seats[seat].played_by_bot:
            self.seat, self._key = NOBODY, None
            return
        key = (seat, len(play.match.entries))
        if key != self._key:
            self._key, self._since = key, time.monotonic()
            self.seat, self.hidden = seat, play.window is not None

    def _elapsed(self) -> int:
        return int((time.monotonic() - self._since) * 1000)

    @property
    def rest(self) -> int | None:
        """Milliseconds until the time of who is timed has run out."""
        clock = self.state.setup.clock
        if clock is None or self.seat == NOBODY:
            return None
        whole = clock.seconds * 1000 if clock.kind == "move" else self.state.left[self.seat]
        if self.hidden:
            whole = min(clock.seconds * 1000, WINDOW_MS)
        return max(0, whole - self._elapsed())

    def face(self, seat: int, answer_ms: int | None = None) -> ClockFace | None:
        """The clocks as a viewpoint may see them; in a window with a beat the seat has `answer_ms`."""
        if not self.active:
            return None
        shown = list(self.state.left)
        runs = None if self.hidden or self.seat == NOBODY else self.seat
        rest = self.rest
        if runs is not None and rest is not None:
            shown[runs] = rest
        mine = rest if seat != NOBODY and seat == self.seat else None
        if answer_ms is not None:
            mine = answer_ms
        return ClockFace(shown, runs, mine)
