"""Positions of Ben Hvrt for tests: cards by name, squares in notation, money in Ducats.

On a straight the lanes are level. Between the curves 1.6, 2.8, 3.10 and 4.12 are the first column; 1.10, 2.12, 3.14
and 4.16 the fifth and last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.games.benhvrt.deck.operations import BM, DRIVER
from quadriga.games.benhvrt.rules.chariots import distance, foremost, owner
from quadriga.games.benhvrt.rules.phases import race as races
from quadriga.games.benhvrt.rules.phases import series as stages
from quadriga.games.benhvrt.rules.piles import pour, put, take
from quadriga.games.benhvrt.rules.stack import open_window, push
from quadriga.games.benhvrt.rules.turn import advance
from quadriga.games.benhvrt.state import DECK, DISCARD, NOT_ASKED, RACE

GAME = find("ben-hvrt")
Cards = Mapping[int, Iterable[str]]  # names of cards, by seat or by chariot
VETO = "Tribune's Veto"
STAGES = {
    "race": stages.NEXT_RACE,  # the next race of the series: laps, ante and all that follows
    "auction": stages.LAY_OUT,
    "market": stages.TO_MARKET,
    "maintenance": stages.TO_MAINTENANCE,
    "grid": stages.TO_RACE,
}


def series(seats: int = 4, dealer: int | None = None, **options) -> Match:
    """Return a series at its beginning. A named dealer has already rolled highest."""
    match = Match(GAME, options, seats)
    if dealer is not None:
        for seat in range(seats):
            match.happen("die 6" if seat == dealer else "die 1")
    return match


def kind(match: Match, name: str) -> int:
    """Return the number of a kind of card."""
    return [card.name for card in match.t.cards].index(name)


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
    match = _series(seats, laps, hands, fitted, left, purses, pot, options)
    s = match.s
    s.dealer = seats - 1 if dealer is None else dealer
    s.at[0] = STAGES[stage]
    if stage != "race":
        s.laps = laps
        for chariot in range(match.t.chariots) if entered is None else entered:
            s.entered |= 1 << chariot
    return go_on(match)


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
    fitted = {number: each[3:] for number, each in enumerate(chariots) if each} | dict(fitted or {})
    match = _series(seats or len(chariots), laps, hands, fitted, left, purses, pot, options)
    t, s = match.t, match.s
    s.dealer = dealer
    s.laps = laps
    for number, chariot in enumerate(chariots):
        if chariot is None:
            continue
        square, s.lap[number], s.speed[number] = chariot[:3]
        s.square[number] = t.track.number[square]
        s.best[number] = distance(t, s, number)
        s.racing |= 1 << number
    s.entered = s.racing
    for place, number in enumerate(finished):
        s.finisher[place] = number + 1
        s.entered |= 1 << number
    s.finishers = len(finished)
    for number in moved:
        s.moved |= 1 << number
    s.stalled = stalled
    s.advanced = advanced
    s.at[0] = stages.PAY_OUT
    push(s, RACE, 0)
    s.at[1] = races.TURNS
    s.begun = begun
    if not begun:  # BH-6.3: a window opens before the first move
        s.priority = owner(t, foremost(t, s, s.racing))
        open_window(s, s.priority, BM, 0)
    return go_on(match)


def _series(
    seats: int,
    laps: int,
    hands: Cards | None,
    fitted: Cards | None,
    left: Iterable[str] | None,
    purses: Mapping[int, int] | None,
    pot: int,
    options: dict,
) -> Match:
    """Return a series with cards and money in place. The dealer is not rolled for."""
    match = Match(GAME, {"series": [laps], **options}, seats)
    lay(match, hands or {}, fitted or {}, left)
    match.s.tied = match.s.rollers = 0
    match.s.pot = pot
    for seat, money in (purses or {}).items():
        match.s.purse[seat] = money
    return match


def lay(match: Match, hands: Cards, fitted: Cards, left: Iterable[str] | None) -> None:
    """Put cards from the deck into hands and onto chariots.

    With `left` given, these cards stay in the deck and the others are discarded.
    """
    t, s = match.t, match.s
    for seat, names in hands.items():
        for name in names:
            take(s, DECK, kind(match, name))
            put(s, seat, kind(match, name))
    for chariot, names in fitted.items():
        for name in names:
            card = kind(match, name)
            take(s, DECK, card)
            if t.type[card] == DRIVER:
                s.driver[chariot] = card + 1
            else:
                s.improvements[chariot] |= 1 << card
    if left is not None:
        pour(s, DECK, DISCARD)
        for name in left:
            take(s, DISCARD, kind(match, name))
            put(s, DECK, kind(match, name))


def go_on(match: Match) -> Match:
    """Advance a position that was set up to the next decision, and make it the start of the match."""
    match.s.asked = NOT_ASKED
    advance(match.t, match.s)
    match._marks[0] = match.s.tobytes()
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
        seat = match.game.roller(match.t, match.s)
        wanted = hands.get(f"seat{seat}")
        text = f"deal {wanted.pop(0)}" if wanted else match.outcomes()[0].text
        match.happen(text)
        dealt.append((seat, text.removeprefix("deal ")))
    return dealt


def everybody_passes(match: Match) -> list[int]:
    """Pass for every seat that is asked in a window; return these seats."""
    asked = []
    while match.actor >= 0 and match.game.window(match.t, match.s) is not None:
        asked.append(match.actor)
        match.play("pass")
    return asked


def purses(match: Match) -> list[int]:
    """Return the money of every seat."""
    return match.scores


def hand(match: Match, seat: int) -> list[str]:
    """Return the hand of a seat, in order of names."""
    return match.view(seat).hand


def chariot(match: Match, number: int):
    """Return the public view of a chariot."""
    return match.view().chariots[number]


def chance_seat(match: Match) -> int:
    """Return the seat whose die or card is due."""
    assert match.actor == CHANCE
    return match.game.roller(match.t, match.s)


def window(match: Match) -> str | None:
    """Return the window in which a seat is asked."""
    return match.game.window(match.t, match.s)


def money(match: Match) -> int:
    """Return all Ducats of the game: purses, pot and bribes held (BH-2.4)."""
    s = match.s
    half_built = s.asked if s.building else None  # not held yet
    held = sum(s.bribe_money[seat] for seat in range(match.seats) if seat != half_built)
    return sum(match.scores) + s.pot + held
