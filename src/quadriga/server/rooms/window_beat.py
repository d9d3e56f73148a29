"""The beat of a reaction window: among people a window lasts as long whatever the asked seat holds (BH-7.4).

A seat that has something to play would think, and a seat that has nothing would not: opponents would see who holds
what by the time it takes. So a pass counts only when the beat is over, whether it was said or not. A card counts at
once, since everybody sees it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.messages import Done
from quadriga.server.rooms.played_game import GameSession
from quadriga.server.rooms.viewers import Viewer

if TYPE_CHECKING:
    from quadriga.server.rooms.broadcast import Broadcaster


@dataclass(eq=False)
class Beat:
    """The time that one seat has to answer in one window."""

    play: GameSession
    batches: int  # of the play when the seat was asked: another number is another window
    seat: int
    ends_at: float
    is_timed: bool = False  # whether a task waits for the end
    has_passed: bool = False
    passes: list[tuple[str | None, Viewer]] = field(default_factory=list)  # by their references and sockets

    def takes_pass(self, number: int, text: str, ref: str | None, viewer: Viewer | None) -> bool:
        """Remember a pass until the beat is over; return whether it was one. Anything else may be done at once."""
        newest = self.play.numbers[self.seat + 1]
        if number < newest:
            raise RoomError("act.late", number=newest)
        if text != "pass" and self.has_passed:
            raise RoomError("act.not-asked")
        if text == "pass":
            self.has_passed = True
            if viewer is not None:
                self.passes.append((ref, viewer))
        return text == "pass"

    @property
    def ref(self) -> str | None:
        """The reference of the first pass."""
        return self.passes[0][0] if self.passes else None

    def acknowledge(self) -> None:
        """Tell the sockets that the pass came from that it is on disk."""
        for ref, viewer in self.passes:
            viewer.send_message(Done(ref, self.play.numbers[self.seat + 1]))


class Beats:
    """The beat that runs in a room, if any."""

    def __init__(self, room: Broadcaster) -> None:
        self._room = room
        self._current: Beat | None = None

    def length_s(self, seat: int) -> float | None:
        """Return how long a person is asked in a hidden window; None where the table waits for the answer.

        It waits where no other people could learn anything, and for people who share a device: they hand it over.
        """
        seats = self._room.state.seats
        people = [info.holder for info in seats if info.kind == "person"]
        mine = seats[seat].holder
        seconds = self._room.settings.window_beat
        return seconds if seconds > 0 and people.count(mine) == 1 and len(people) > 1 else None

    def is_alone(self, seat: int) -> bool:
        """Whether a person's opponents are all bots, and nobody else watches."""
        mine = self._room.state.seats[seat]
        others = any(each.kind == "person" and each is not mine for each in self._room.state.seats)
        return not others and all(viewer.holder == mine.holder for viewer in self._room.presence.viewers)

    def set(self) -> Beat | None:
        """Return the beat of the window that is open now, begun when this was first seen to be so."""
        room = self._room
        state, play = room.state, room.state.play
        seconds = None
        if play is not None and play.window is not None and state.status == "playing" and room.presence.viewers:
            if not state.seats[play.actor].played_by_bot:
                seconds = self.length_s(play.actor)
        if play is None or seconds is None:
            self._current = None
        elif self._current is None or (self._current.play, self._current.batches) != (play, play.batches):
            self._current = Beat(play, play.batches, play.actor, room.time_source.now() + seconds)
        return self._current

    def left_ms(self, seat: int) -> int | None:
        """Return how long a seat still has to answer; None where it is not asked in a beat."""
        beat = self.set()
        if beat is None or beat.seat != seat:
            return None
        return max(0, int((beat.ends_at - self._room.time_source.now()) * 1000))
