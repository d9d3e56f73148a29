"""Positions of Ben Hvrt for tests, given as the rules are: cards by name, squares in notation, money in Ducats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.games.benhvrt.deck.operations import DRIVER
from quadriga.games.benhvrt.rules.chariots import distance
from quadriga.games.benhvrt.rules.phases import race as races
from quadriga.games.benhvrt.rules.phases import series as stages
from quadriga.games.benhvrt.rules.piles import pour, put, take
from quadriga.games.benhvrt.rules.stack import push
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
    """A series at its beginning; where a dealer is named he has rolled highest."""
    match = Match(GAME, options, seats)
    if dealer is not None:
        for seat in range(seats):
            match.happen("die 6" if seat == dealer else "die 1")
    return match


def kind(match: Match, name: str) -> int:
    """The number of a kind of card."""
    return [card.name for card in match.t.cards].index(name)


def position(
    stage: str,
    *,
    seats: int = 4,
    hands: dict[int, list[str]] | None = None,
    fitted: dict[int, list[str]] | None = None,
    purses: dict[int, int] | None = None,
    pot: int = 0,
    laps: int = 1,
    dealer: int | None = None,
    entered: list[int] | None = None,
    left: list[str] | None = None,
    **options,
) -> Match:
    """A series of one race (or as the options say) that is about to begin a stage.

    `fitted` are Drivers and Improvements by chariot; `left` is what the deck has left, all else being discarded.
    The dealer is the last seat, unless another is named, so that seat 0 sits at his left.
    """
    match = Match(GAME, {"series": [laps], **options}, seats)
    lay(match, hands or {}, fitted or {}, left)
    s = match.s
    s.tied = s.rollers = 0
    s.dealer = seats - 1 if dealer is None else dealer
    s.pot = pot
    for seat, money in (purses or {}).items():
        s.purse[seat] = money
    s.at[0] = STAGES[stage]
    if stage != "race":
        s.laps = laps
        for chariot in range(match.t.chariots) if entered is None else entered:
            s.entered |= 1 << chariot
    return go_on(match)


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


def race(
    *chariots,
    seats: int | None = None,
    hands: dict[int, list[str]] | None = None,
    fitted: dict[int, list[str]] | None = None,
    purses: dict[int, int] | None = None,
    pot: int = 0,
    laps: int = 1,
    dealer: int = 0,
    finished: tuple[int, ...] = (),
    moved: tuple[int, ...] = (),
    stalled: int = 0,
    advanced: bool = False,
    left: list[str] | None = None,
    **options,
) -> Match:
    """A race under way, with the foremost chariot about to move.

    A chariot is (square, lap, speed), or None where it has `finished` or did not enter.
    """
    seats = seats or len(chariots)
    match = Match(GAME, {"series": [laps], **options}, seats)
    t, s = match.t, match.s
    lay(match, hands or {}, fitted or {}, left)
    s.tied = s.rollers = 0
    s.dealer = dealer
    s.pot = pot
    s.laps = laps
    for seat, money in (purses or {}).items():
        s.purse[seat] = money
    for number, chariot in enumerate(chariots):
        if chariot is None:
            continue
        square, s.lap[number], s.speed[number] = chariot
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
    s.begun = 1
    s.stalled = stalled
    s.advanced = advanced
    s.at[0] = stages.PAY_OUT
    push(s, RACE, 0)
    s.at[1] = races.TURNS
    return go_on(match)


def play(match: Match, *texts: str) -> None:
    """Decisions and dice, cards dealt and turned up, one after another."""
    for text in texts:
        if match.actor == CHANCE:
            match.happen(text)
        else:
            match.play(text)


def deal(match: Match, **hands: list[str]) -> list[tuple[int, str]]:
    """Deal what is due: named cards where `seat0=[...]` says so, else what comes first; returns who got what."""
    dealt = []
    while match.actor == CHANCE and match.outcomes()[0].text.startswith("deal"):
        seat = match.game.roller(match.t, match.s)
        wanted = hands.get(f"seat{seat}")
        text = f"deal {wanted.pop(0)}" if wanted else match.outcomes()[0].text
        match.happen(text)
        dealt.append((seat, text.removeprefix("deal ")))
    return dealt


def everybody_passes(match: Match) -> list[int]:
    """All who are asked in windows pass; returns who was asked."""
    asked = []
    while match.actor >= 0 and match.game.window(match.t, match.s) is not None:
        asked.append(match.actor)
        match.play("pass")
    return asked


def purses(match: Match) -> list[int]:
    """Everybody's money."""
    return match.scores


def hand(match: Match, seat: int) -> list[str]:
    """A player's hand, in order of names."""
    return match.view(seat).hand


def chariot(match: Match, number: int):
    """What everybody sees of a chariot."""
    return match.view().chariots[number]


def chance_seat(match: Match) -> int:
    """Whose die or card is due."""
    assert match.actor == CHANCE
    return match.game.roller(match.t, match.s)


def window(match: Match) -> str | None:
    """The window in which somebody is asked."""
    return match.game.window(match.t, match.s)


def money(match: Match) -> int:
    """All Ducats of the game: purses, pot and bribes held (BH-2.4)."""
    s = match.s
    half_built = s.asked if s.building else None  # not held yet
    held = sum(s.bribe_money[seat] for seat in range(match.seats) if seat != half_built)
    return sum(match.scores) + s.pot + held
