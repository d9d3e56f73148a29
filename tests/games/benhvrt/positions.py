"""Positions for tests of cards, on top of `benhvrt_support`: races and markets with cards in place.

On a straight the lanes are level. Between the curves 1.6, 2.8, 3.10 and 4.12 are the first column; 1.10, 2.12, 3.14
and 4.16 the fifth and last.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from benhvrt_support import GAME, go_on, lay
from benhvrt_support import chariot as chariot
from benhvrt_support import hand as hand
from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match.match import Match
from quadriga.games.benhvrt.deck.operations import BM
from quadriga.games.benhvrt.rules.chariots import foremost, owner
from quadriga.games.benhvrt.rules.phases import series
from quadriga.games.benhvrt.rules.phases.race import TURNS
from quadriga.games.benhvrt.rules.stack import open_window, push
from quadriga.games.benhvrt.state import MARKET, RACE
from quadriga.games.benhvrt.view_types import View

with (Path(__file__).parent / "deck_facts.csv").open(encoding="utf-8", newline="") as file:
    FACTS = {row["name"]: row for row in csv.DictReader(file)}  # the deck as the rules have it

Hands = Mapping[int, Iterable[str]]
PURSE = 50

# --- which test is about which card -----------------------------------------------------------------------

TESTED: dict[tuple[str, str], list[Callable]] = {}


def about(what: str, *names: str) -> Callable[[Callable], Callable]:
    """Marks a test of what a card does (`effect`), what becomes of it when vetoed (`vetoed`), and so on."""

    def mark(test: Callable) -> Callable:
        for name in names:
            assert name in FACTS, name
            TESTED.setdefault((name, what), []).append(test)
        return test

    return mark


# --- positions --------------------------------------------------------------------------------------------


def _set_up(
    seats: int,
    fitted: Mapping[int, Iterable[str]],
    hands: Hands,
    deck: Iterable[str] | None,
    series_of: list[int] | str,
    deck_file: dict | None = None,
) -> Match:
    """A series whose cards are where they should be; with `deck` given, the rest of the cards are discards."""
    match = Match(GAME, {"series": series_of, "deck": deck_file}, seats)
    match.s.rollers = match.s.tied = 0
    lay(match, hands, fitted, deck)
    return match


def _purses(match: Match, purses: Mapping[int, int], pot: int) -> None:
    for seat in range(match.seats):
        match.s.purse[seat] = purses.get(seat, PURSE)
    match.s.pot = pot


def _go(match: Match) -> Match:
    go_on(match)
    assert cards(match) == sum(card.copies for card in match.t.cards)
    return match


def race(
    *chariots: tuple,
    hands: Hands | None = None,
    deck: Iterable[str] | None = None,
    mover: int | None = 0,
    laps: int = 3,
    seats: int = 4,
    pot: int = 30,
    purses: Mapping[int, int] | None = None,
    series_of: list[int] | str | None = None,
) -> Match:
    """A race in progress: `mover` is about to move, as the last of this turn; None: before the first move.

    A chariot is (square, lap, speed, *what is fitted to it); None for one that is not in this race.
    """
    fitted = {number: each[3:] for number, each in enumerate(chariots) if each}
    match = _set_up(seats, fitted, hands or {}, deck, series_of or [laps])
    t, s = match.t, match.s
    _purses(match, purses or {}, pot)
    s.laps = laps
    for number, each in enumerate(chariots):
        if each:
            square, s.lap[number], s.speed[number] = each[:3]
            s.square[number] = t.track.number[square]
            s.best[number] = s.lap[number] * t.lap_length + t.front[s.square[number]]
            s.racing |= 1 << number
    s.entered = s.racing
    s.at[0] = series.PAY_OUT
    push(s, RACE, 0)
    s.at[1] = TURNS
    if mover is None:
        s.priority = owner(t, foremost(t, s, s.racing))
        open_window(s, s.priority, BM, 0)
    else:
        s.begun = 1
        s.moved = s.racing & ~(1 << mover)
    return _go(match)


def driven(name: str, *fitted: str, speed: int = 2, hands=None, **more):
    """Chariot 0 with a Driver before its roll, far ahead of chariots 1 and 2."""
    return race(("1.6", 1, speed, name, *fitted), ("4.2", 1, 4), ("4.6", 1, 4), hands=hands or {}, **more)


def market(
    fitted: Mapping[int, Iterable[str]] | None = None,
    hands: Hands | None = None,
    *,
    deck: Iterable[str] | None = None,
    laps: int = 3,
    seats: int = 4,
    pot: int = 24,
    purses: Mapping[int, int] | None = None,
    away: Iterable[int] = (),
    deck_file: dict | None = None,
) -> Match:
    """A market: nobody is ready, seat 0 begins, the last seat deals. Chariots `away` are not in this race."""
    match = _set_up(seats, fitted or {}, hands or {}, deck, [laps], deck_file)
    t, s = match.t, match.s
    _purses(match, purses or {}, pot)
    s.laps = laps
    s.dealer = seats - 1
    s.entered = ((1 << t.chariots) - 1) & ~sum(1 << chariot for chariot in away)
    s.at[0] = series.TO_MAINTENANCE
    push(s, MARKET, 0)
    return _go(match)


# --- going on ---------------------------------------------------------------------------------------------


def follow(match: Match, *lines: str) -> Match:
    """Plays lines: `1: play Add 1` is seat 1's, `die 4` is chance. No Ducat (BH-2.4) and no card is lost."""
    before = money(match), cards(match)
    for line in lines:
        who, colon, what = line.partition(": ")
        if colon:
            assert match.actor == int(who), f"{line}: it is {match.actor} who is asked, for {match.legal()}"
            match.play(what)
        else:
            match.happen(line)
        assert (money(match), cards(match)) == before, line
    return match


def all_ready(match: Match) -> Match:
    """Everybody in the market is ready."""
    while seen(match).phase == "market":
        match.play("ready")
    return match


def to_the_next_grid(match: Match) -> Match:
    """Through deal, auction, market and maintenance: nobody bids or plays anything, everything is kept."""
    while seen(match).phase != "race":
        texts = match.legal() or [each.text for each in match.outcomes()]
        wished = [text for text in texts if text in ("auction", "pass", "ready") or text.startswith("keep ")]
        (match.play if match.legal() else match.happen)((wished or texts)[0])
    return match


def walk(match: Match) -> int:
    """Steps straight on, as far as it goes; how far that was."""
    steps = 0
    seat, chariot = match.actor, match.s.mover
    while match.actor == seat and "stop" in match.legal() and match.s.mover == chariot:
        match.play(f"step {_following(match, chariot)}")
        steps += 1
    return steps


def _following(match: Match, chariot: int) -> str:
    """The next square of the lane, over the line too."""
    track = match.t.track
    return track.squares[track.ahead(match.s.square[chariot])].text


def drive_to_lap(match: Match, lap: int) -> list[str]:
    """Drives chariot 0, alone on the track, to the first square of a lap; what it could use on the way."""
    offered = []
    while True:
        legal = match.legal()
        offered += [text for text in legal if text.startswith("use ")]
        here = seen(match).chariots[0]
        if match.actor == CHANCE:
            match.happen("die 6")
        elif "pass" in legal:
            match.play("pass")
        elif here.lap == lap:
            match.play("stop")
            return offered
        else:
            match.play(f"step {_following(match, 0)}")


# --- looking ----------------------------------------------------------------------------------------------


def seen(match: Match, seat: int = -1) -> View:
    """What a seat sees, by default what everybody does."""
    return match.view(seat)


def speeds(match: Match) -> list[int]:
    """The Speed of every chariot."""
    return [each.speed for each in seen(match).chariots]


def rolled(match: Match) -> int | None:
    """The value of the roll as it stands."""
    return seen(match).move.roll


def purse(match: Match, seat: int) -> int:
    """A purse."""
    return seen(match).players[seat].purse


def money(match: Match) -> int:
    """All there is: purses, pot and bribes held."""
    view = seen(match)
    return view.pot + sum(player.purse + (player.bribe.money if player.bribe else 0) for player in view.players)


def cards(match: Match) -> int:
    """All there are, wherever they are; no lot is up in these positions."""
    view = seen(match)
    fitted = sum(len(each.improvements) + (each.driver is not None) for each in view.chariots)
    return view.deck + len(view.discards) + fitted + sum(player.cards for player in view.players)


def window(match: Match) -> str | None:
    """The window in which somebody is asked."""
    return None if match.actor == CHANCE else GAME.window(match.t, match.s)


def playable(match: Match) -> set[str]:
    """The cards that whoever is asked could play, whatever they take."""
    texts = [text.removeprefix("play ") for text in match.legal() if text.startswith("play ")]
    return {name for name in FACTS if any(text == name or text.startswith(name + " ") for text in texts)}
