"""Positions of Ave Caesar for tests: spaces in notation, hands as lists."""

from __future__ import annotations

from typing import Any

from quadriga.engine.game import NOBODY
from quadriga.games import find
from quadriga.games.avecaesar.learn.positions import place
from quadriga.games.avecaesar.rules.cards import one
from quadriga.games.avecaesar.state import WRECKED, State, Tables
from quadriga.games.avecaesar.view import Chariot, View
from support import TypedMatch

GAME = find("ave-caesar")


class Match(TypedMatch):
    """A match of Ave Caesar, with the types of its records and views."""

    t: Tables
    s: State

    def view(self, seat: int = NOBODY) -> View:
        seen = super().view(seat)
        assert isinstance(seen, View)
        return seen


def packed(cards) -> int:
    return sum(one(card) for card in cards)


def position(
    *chariots,
    course: str = "white cw",
    turn: int = 0,
    variants=(),
    begun: bool = True,
    races: int = 1,
    settle: bool = True,
    course_file: dict[str, Any] | None = None,
) -> Match:
    """Return a race in progress, with seat `turn` about to have its turn.

    A chariot is (space, lap, hand) or (space, lap, hand, more), where `more` may say `coin`, `deck`, `status`,
    `finish` and `dishonoured`. What cannot move misses its turn, as in the game; `settle=False` leaves that out.
    """
    seats = max(len(chariots), 3)
    match = Match(GAME, {"courses": [course] * races, "variants": list(variants), "course": course_file}, seats)
    place(
        match.t,
        match.s,
        {
            "chariots": [
                {"space": space, "lap": lap, "hand": hand} | (rest[0] if rest else {})
                for space, lap, hand, *rest in chariots
            ],
            "turn": turn,
            "begun": begun,
            "passes": settle,
        },
    )
    match.start_here()
    return match


def out(space: str = "A2.0.0", lap: int = 1):
    """Return a chariot that is out of the race."""
    return (space, lap, [], {"deck": [], "status": 2})


def wreck(space: str, lap: int = 1):
    """Return a wreck on a space."""
    return (space, lap, [6], {"status": WRECKED})


def seen(match: Match, seat: int) -> Chariot:
    """Return the public view of a seat."""
    return match.view().chariots[seat]
