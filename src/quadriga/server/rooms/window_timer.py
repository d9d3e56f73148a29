"""Timed reaction windows: among people, a window lasts equally long whatever the hand of the asked seat (BH-7.4).

A seat with a playable card would think, and a seat without one would not: the time would tell opponents who has a
card. So a pass counts only when the time of the window (its beat) is over, whether the client has
sent it or not. A card counts at once, because everybody sees it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from quadriga.server.bots.timing import TimeSource
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.server_messages import Done
from quadriga.server.seats.presence import Presence
from quadriga.server.seats.viewers import Viewer
from quadriga.server.state.game_session import GameSession
from quadriga.server.state.room_state import RoomState


@dataclass(eq=False)
class Beat:
    """The time that one seat has to answer in one window."""

    session: GameSession
    batches: int  # of the session when the seat was asked: another number is another window
    seat: int
    ends_at: float
    has_task: bool = False  # whether a task waits for the end
    has_passed: bool = False
    passes: list[tuple[str | None, Viewer]] = field(default_factory=list)  # client references and their senders

    def takes_pass(self, number: int, text: str, ref: str | None, viewer: Viewer | None) -> bool:
        """Keep a pass until the beat is over, and return whether it was one. Other actions are not kept.

        Raise RoomError if the action was chosen before the seat was asked, or after it has passed.
        """
        newest = self.session.numbers[self.seat + 1]
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
        """The client reference of the first pass."""
        return self.passes[0][0] if self.passes else None

    def acknowledge(self) -> None:
        """Tell the clients that have passed that the pass is on disk."""
        for ref, viewer in self.passes:
            viewer.send_message(Done(ref, self.session.numbers[self.seat + 1]))


class WindowTimer:
    """The beat that runs in a room, if any."""

    def __init__(
        self,
        presence: Presence,
        seconds: float,
        state: Callable[[], RoomState],
        time_source: Callable[[], TimeSource],
    ) -> None:
        self._presence = presence
        self._seconds = seconds
        self._state = state
        self._time_source = time_source
        self._current: Beat | None = None

    def length_s(self, seat: int) -> float | None:
        """Return how long a person is asked in a hidden window; None if the room waits for their answer.

        The room waits if there are no other people who could learn anything, and for people who share a device,
        because they hand it over.
        """
        seats = self._state().seats
        people = [info.holder for info in seats if info.kind == "person"]
        own = seats[seat].holder
        return self._seconds if self._seconds > 0 and people.count(own) == 1 and len(people) > 1 else None

    def is_unobserved(self, seat: int) -> bool:
        """Return whether a person's opponents are all bots and nobody else watches."""
        seats = self._state().seats
        own = seats[seat]
        has_others = any(each.kind == "person" and each is not own for each in seats)
        return not has_others and all(viewer.holder == own.holder for viewer in self._presence.viewers)

    def current(self) -> Beat | None:
        """Return the beat of the window that is open now; the first call for a window starts it."""
        state = self._state()
        session = state.session
        seconds = None
        if (
            session is not None
            and session.window is not None
            and state.status == "playing"
            and self._presence.viewers
        ):
            if not state.seats[session.actor].played_by_bot:
                seconds = self.length_s(session.actor)
        if session is None or seconds is None:
            self._current = None
        elif self._current is None or (self._current.session, self._current.batches) != (session, session.batches):
            ends_at = self._time_source().now() + seconds
            self._current = Beat(session, session.batches, session.actor, ends_at)
        return self._current

    def left_ms(self, seat: int) -> int | None:
        """Return how long a seat still has to answer; None if it is not asked in a beat."""
        beat = self.current()
        if beat is None or beat.seat != seat:
            return None
        return max(0, int((beat.ends_at - self._time_source().now()) * 1000))
