"""The beat of a reaction window: among people a window lasts as long whatever the asked seat holds (BH-7.4).

A seat that has something to play would think, and a seat that has nothing would not: opponents would see who holds
what by the time it takes. So a pass counts only when the beat is over, whether it was said or not. A card counts at
once, since everybody sees it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from quadriga.table.play import Play
from quadriga.table.viewers import Viewer

if TYPE_CHECKING:
    from quadriga.table.telling import Telling


@dataclass(eq=False)
class Beat:
    """The time that one seat has to answer in one window."""

    play: Play
    batches: int  # of the play when the seat was asked: another number is another window
    seat: int
    ends_at: float
    is_timed: bool = False  # whether a task waits for the end
    has_passed: bool = False
    acknowledge: list[tuple[str | None, Viewer]] = field(default_factory=list)  # passes, by their sockets


class Beats:
    """The beat that runs in a room, if any."""

    def __init__(self, room: Telling) -> None:
        self._room = room
        self._current: Beat | None = None

    def length_s(self, seat: int) -> float | None:
        """Return how long a person is asked in a hidden window; None where the table waits for the answer.

        It waits where no other people could learn anything, and for people who share a device: they hand it over.
        """
        chairs = self._room.ledger.chairs
        people = [chair.holder for chair in chairs if chair.kind == "person"]
        mine = chairs[seat].holder
        seconds = self._room.settings.window_beat
        return seconds if seconds > 0 and people.count(mine) == 1 and len(people) > 1 else None

    def set(self) -> Beat | None:
        """Return the beat of the window that is open now, begun when this was first seen to be so."""
        room = self._room
        ledger, play = room.ledger, room.ledger.play
        seconds = None
        if play is not None and play.window is not None and ledger.status == "playing" and room.attendance.viewers:
            if not ledger.chairs[play.actor].played_by_bot:
                seconds = self.length_s(play.actor)
        if play is None or seconds is None:
            self._current = None
        elif self._current is None or (self._current.play, self._current.batches) != (play, play.batches):
            self._current = Beat(play, play.batches, play.actor, room.moments.now() + seconds)
        return self._current

    def left_ms(self, seat: int) -> int | None:
        """Return how long a seat still has to answer; None where it is not asked in a beat."""
        beat = self.set()
        if beat is None or beat.seat != seat:
            return None
        return max(0, int((beat.ends_at - self._room.moments.now()) * 1000))
