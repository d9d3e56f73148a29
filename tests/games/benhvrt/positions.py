"""Positions of Ben Hvrt for tests: cards by name, squares in notation, money in Ducats.

On a straight the lanes are level. Between the curves 1.6, 2.8, 3.10 and 4.12 are the first column; 1.10, 2.12, 3.14
and 4.16 the fifth and last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.slots import CHANCE
from quadriga.games import find
from quadriga.games.benhvrt.learn.positions import place
from quadriga.games.benhvrt.state import State, Tables
from quadriga.games.benhvrt.view_types import Chariot, Move, View
from support import TypedMatch

GAME = find("ben-hvrt")
Cards = Mapping[int, Iterable[str]]  # names of cards, by seat or by chariot
VETO = "Tribune's Veto"


class Match(TypedMatch):
    """A match of Ben Hvrt, with the types of its records and views."""

    t: Tables
    s: State

    def view(self, seat: int = NOBODY) -> View:
        seen = super().view(seat)
        assert isinstance(seen, View)
        return seen


def series(seats: int = 4, dealer: int | None = None, **options) -> Match:
    """Return a series at its beginning. A named dealer has already rolled highest."""
    match = Match(GAME, options, seats)
    if dealer is not None:
        for seat in range(seats):
            match.happen("die 6" if seat == dealer else "die 1")
    return match


def position(
    stage: str,
    *,
    seats: int = 4,
    hands: Cards | None = None,
    fitted: Cards | None = None,
    purses: Mapping[int, int] | None = None,
    pot: int = 0,
    laps: int = 1,
    dealer: int | None = None,
    entered: Iterable[int] | None = None,
    left: Iterable[str] | None = None,
    **options,
) -> Match:
    """Return a series of one race (or as the options say) that is about to begin a stage.

    `fitted` are Drivers and Improvements by chariot. `left` is what the deck has left; all else is discarded.
    The dealer is the last seat, unless another is named, so that seat 0 sits at their left.
    """
    return _placed(
        seats,
        options,
        stage="series" if stage == "race" else stage,
        laps=laps,
        dealer=seats - 1 if dealer is None else dealer,
        hands=hands or {},
        fitted=fitted or {},
        left=left,
        purses=purses or {},
        pot=pot,
        entered=entered,
    )


def race(
    *chariots,
    seats: int | None = None,
    hands: Cards | None = None,
    fitted: Cards | None = None,
    purses: Mapping[int, int] | None = None,
    pot: int = 0,
    laps: int = 1,
    dealer: int = 0,
    finished: tuple[int, ...] = (),
    moved: tuple[int, ...] = (),
    begun: bool = True,
    stalled: int = 0,
    advanced: bool = False,
    left: Iterable[str] | None = None,
    **options,
) -> Match:
    """Return a race with the foremost chariot about to move or, if it has not `begun`, in its first window.

    A chariot is (square, lap, speed, *cards fitted to it), or None where it has `finished` or did not enter.
    """
    return _placed(
        seats or len(chariots),
        options,
        stage="race",
        laps=laps,
        dealer=dealer,
        hands=hands or {},
        fitted={number: each[3:] for number, each in enumerate(chariots) if each} | dict(fitted or {}),
        left=left,
        purses=purses or {},
        pot=pot,
        chariots=[each and dict(zip(("square", "lap", "speed"), each[:3], strict=True)) for each in chariots],
        finished=finished,
        moved=moved,
        begun=begun,
        stalled=stalled,
        advanced=advanced,
    )


def _placed(seats: int, options: dict[str, Any], *, laps: int, **description) -> Match:
    match = Match(GAME, {"series": [laps], **options}, seats)
    place(match.t, match.s, {"laps": laps, **description})
    match.start_here()
    return match


def play(match: Match, *texts: str) -> None:
    """Play decisions and outcomes of chance, one after another."""
    for text in texts:
        if match.actor == CHANCE:
            match.happen(text)
        else:
            match.play(text)


def deal(match: Match, **hands: list[str]) -> list[tuple[int, str]]:
    """Deal the cards that are due, those of `seat0=[...]` first; return who got what."""
    dealt = []
    while match.actor == CHANCE and match.outcomes()[0].text.startswith("deal"):
        seat = match.game.notation.roller(match.t, match.s)
        wanted = hands.get(f"seat{seat}")
        text = f"deal {wanted.pop(0)}" if wanted else match.outcomes()[0].text
        match.happen(text)
        dealt.append((seat, text.removeprefix("deal ")))
    return dealt


def everybody_passes(match: Match) -> list[int]:
    """Pass for every seat that is asked in a window; return these seats."""
    asked = []
    while match.actor >= 0 and match.game.window_of(match.t, match.s) is not None:
        asked.append(match.actor)
        match.play("pass")
    return asked


def purses(match: Match) -> list[int]:
    """Return the money of every seat."""
    return match.scores


def hand(match: Match, seat: int) -> list[str]:
    """Return the hand of a seat, in order of names."""
    return match.view(seat).hand


def chariot(match: Match, number: int) -> Chariot:
    """Return the public view of a chariot."""
    return match.view().chariots[number]


def move(match: Match) -> Move:
    """Return the public view of the move that is being made."""
    made = match.view().move
    assert made is not None
    return made


def chance_seat(match: Match) -> int:
    """Return the seat whose die or card is due."""
    assert match.actor == CHANCE
    return match.game.notation.roller(match.t, match.s)


def window(match: Match) -> str | None:
    """Return the window in which a seat is asked."""
    return match.game.window_of(match.t, match.s)


def money(match: Match) -> int:
    """Return all Ducats of the game: purses, pot and bribes held (BH-2.4)."""
    s = match.s
    half_built = s.asked if s.building else None  # not held yet
    held = sum(s.bribe_money[seat] for seat in range(match.seats) if seat != half_built)
    return sum(match.scores) + s.pot + held
