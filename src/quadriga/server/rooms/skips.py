"""Skips: a person passes in all reaction windows until their own move, or for this race.

They are kept in memory only, at the process of the person. After a restart everybody is asked again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from quadriga.server.state.game_session import GameSession

Until = Literal["move", "race"]


@dataclass
class Skip:
    """The wish of one seat not to be asked."""

    until: Until
    part: int  # the race in which it was made
    is_own_move: bool  # whether the move under way is the seat's own: its next one ends the skip


class Skips:
    """The skips of a room, by seat."""

    def __init__(self) -> None:
        self._by_seat: dict[int, Skip] = {}
        self.lapsed: set[int] = set()  # seats that are to be told that their skip is over

    def set(self, seat: int, until: Until | None, session: GameSession) -> None:
        """Begin a skip, or end it."""
        self._by_seat.pop(seat, None)
        if until is not None:
            self._by_seat[seat] = Skip(until, session.part, session.mover == seat)

    def until(self, seat: int) -> Until | None:
        """Return the end of a seat's skip, its own move or the next race; None if it does not skip."""
        skip = self._by_seat.get(seat)
        return None if skip is None else skip.until

    def covers(self, seat: int, session: GameSession) -> bool:
        """Return whether a seat is not to be asked in this position."""
        self.update(session)
        return seat in self._by_seat

    def update(self, session: GameSession) -> None:
        """End the skips that are over in this position. Called after every entry of the match."""
        for seat, skip in list(self._by_seat.items()):
            is_own_move = session.mover == seat
            is_over = skip.part != session.part
            if skip.until == "move":
                is_over |= is_own_move and not skip.is_own_move
                skip.is_own_move = is_own_move
            if is_over:
                del self._by_seat[seat]
                self.lapsed.add(seat)
