"""Positions of Ur for tests, in steps."""

from __future__ import annotations

from quadriga.engine.game import NOBODY
from quadriga.games import find
from quadriga.games.ur.learn.positions import place
from quadriga.games.ur.state import State, Tables
from quadriga.games.ur.view import View
from support import TypedMatch

BLACK, WHITE = 0, 1


class Match(TypedMatch):
    """A match of Ur, with the types of its records and views."""

    t: Tables
    s: State

    def view(self, seat: int = NOBODY) -> View:
        seen = super().view(seat)
        assert isinstance(seen, View)
        return seen


def position(
    roll: int | None,
    black: str = "",
    white: str = "",
    *,
    turn: int = BLACK,
    off: tuple[int, int] = (0, 0),
    **options: object,
) -> Match:
    """Return a position with a roll to be moved, or to be rolled.

    Markers are steps, dotted ones with a dot: `position(2, black="4 4 15.", white="7")`.
    """
    match = Match(find("ur"), options)
    place(match.t, match.s, {"black": black, "white": white, "roll": roll, "turn": turn, "off": off})
    match.start_here()
    return match


def markers(match: Match, seat: int) -> str:
    """Return a seat's markers on the board, in the form that `position` takes."""
    board = match.view().board
    mine = sorted((m.step, m.dotted) for m in board if m.seat == seat)
    return " ".join(f"{step}{'.' if dotted else ''}" for step, dotted in mine)


def home(match: Match, seat: int) -> int:
    """Return the number of a seat's markers at home."""
    return match.view().home[seat]
