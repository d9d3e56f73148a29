"""Set up positions of Ben Hvrt from a description: cards by name, squares in notation, money in Ducats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from quadriga.engine.errors import OptionError
from quadriga.games.benhvrt.deck.operations import BM, DRIVER
from quadriga.games.benhvrt.rules.chariots import distance, foremost, owner, put_on
from quadriga.games.benhvrt.rules.phases import race as races
from quadriga.games.benhvrt.rules.phases import series as stages
from quadriga.games.benhvrt.rules.piles import pour, put, take
from quadriga.games.benhvrt.rules.stack import open_window, push
from quadriga.games.benhvrt.rules.turn import advance
from quadriga.games.benhvrt.state import DECK, DISCARD, NOT_ASKED, RACE, State, Tables

STAGES = {
    "series": stages.NEXT_RACE,  # the next race of the series: laps, ante and all that follows
    "auction": stages.LAY_OUT,
    "market": stages.TO_MARKET,
    "maintenance": stages.TO_MAINTENANCE,
    "grid": stages.TO_RACE,
    "race": stages.PAY_OUT,
}


class Chariot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chariot on the track."""

    square: str
    lap: int
    speed: int


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A series in its first race. Cards that are not named stay in the deck."""

    stage: Literal["series", "auction", "market", "maintenance", "grid", "race"]  # what is about to begin
    laps: int = 1
    dealer: int = 0
    hands: dict[int, list[str]] = {}  # by seat
    fitted: dict[int, list[str]] = {}  # Drivers and Improvements by chariot
    left: list[str] | None = None  # what the deck has left; all else is discarded
    purses: dict[int, int] = {}  # by seat
    pot: int = 0
    entered: list[int] | None = None  # chariots; None for all

    chariots: list[Chariot | Literal["-"] | None] = []  # in a race; None or - has finished or did not enter
    finished: list[int] = []  # chariots, the first of them first
    moved: list[int] = []  # chariots that have moved this turn
    begun: bool = True  # False: in the window before the first move (BH-6.3)
    stalled: int = 0
    advanced: bool = False


_DECODER = msgspec.json.Decoder(Position)


def place(t: Tables, s: State, description: Mapping[str, Any]) -> None:
    """Set up a position, and go on to its first decision or roll."""
    try:
        position = _DECODER.decode(msgspec.json.encode(description, enc_hook=list))
        _place_cards(t, s, position)
        s.tied = s.rollers = 0
        s.pot = position.pot
        for seat, money in position.purses.items():
            s.purse[seat] = money
        s.dealer = position.dealer
        s.at[0] = STAGES[position.stage]
        if position.stage == "race":
            _place_race(t, s, position)
        elif position.stage != "series":
            s.laps = position.laps
            for chariot in range(t.chariots) if position.entered is None else position.entered:
                s.entered |= 1 << chariot
    except (msgspec.ValidationError, KeyError, ValueError) as fault:
        raise OptionError("position.shape", reason=str(fault)) from None
    s.asked = NOT_ASKED
    advance(t, s)


def kind(t: Tables, name: str) -> int:
    """Return the number of a kind of card."""
    return [card.name for card in t.cards].index(name)


def _place_race(t: Tables, s: State, position: Position) -> None:
    s.laps = position.laps
    for number, chariot in enumerate(position.chariots):
        if chariot is None or isinstance(chariot, str):
            continue
        put_on(s, number, t.track.number[chariot.square])
        s.lap[number] = chariot.lap
        s.speed[number] = chariot.speed
        s.best[number] = distance(t, s, number)
    s.entered = s.racing
    for rank, number in enumerate(position.finished):
        s.finisher[rank] = number + 1
        s.entered |= 1 << number
    s.finishers = len(position.finished)
    for number in position.moved:
        s.moved |= 1 << number
    s.stalled = position.stalled
    s.advanced = position.advanced
    push(s, RACE, 0)
    s.at[1] = races.TURNS
    s.begun = position.begun
    if not position.begun:
        s.priority = owner(t, foremost(t, s, s.racing))
        open_window(t, s, s.priority, BM, 0)


def _place_cards(t: Tables, s: State, position: Position) -> None:
    """Take the named cards from the deck into hands and onto chariots."""
    for seat, names in position.hands.items():
        for name in names:
            take(s, DECK, kind(t, name))
            put(s, seat, kind(t, name))
    for chariot, names in position.fitted.items():
        for name in names:
            card = kind(t, name)
            take(s, DECK, card)
            if t.type[card] == DRIVER:
                s.driver[chariot] = card + 1
            else:
                s.improvements[chariot] |= 1 << card
    if position.left is not None:
        _leave(t, s, position.left)


def _leave(t: Tables, s: State, names: Iterable[str]) -> None:
    """Discard the deck except for the named cards."""
    pour(s, DECK, DISCARD)
    for name in names:
        take(s, DISCARD, kind(t, name))
        put(s, DECK, kind(t, name))
