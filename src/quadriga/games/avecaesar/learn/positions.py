"""Set up positions of Ave Caesar from a description: spaces in notation, cards as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from quadriga.engine.errors import OptionError
from quadriga.games.avecaesar.rules.cards import FULL, one
from quadriga.games.avecaesar.rules.turn import pass_turn
from quadriga.games.avecaesar.state import RACING, State, Tables


class Chariot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chariot and the cards of its player.

    Without `deck`, all cards are to be drawn that are neither in the hand nor `played`.
    """

    space: str
    lap: int
    hand: list[int]
    coin: bool = True
    deck: list[int] | None = None
    played: list[int] = []
    status: int = RACING
    finish: int = 0
    dishonoured: bool = False


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A race in progress."""

    chariots: list[Chariot]  # by seat, which is the turn order
    turn: int = 0  # the seat that is about to have its turn
    begun: bool = True  # whether a card has been played in this race
    passes: bool = True  # whether players who cannot move miss their turn before anything is asked


_DECODER = msgspec.json.Decoder(Position)


def place(t: Tables, s: State, description: Mapping[str, Any]) -> None:
    """Set up the first race with everything as described."""
    try:
        position = _DECODER.decode(msgspec.json.encode(description))
        spaces = [_space(t, chariot.space) for chariot in position.chariots]
    except (msgspec.ValidationError, KeyError, ValueError) as fault:
        raise OptionError("position.shape", reason=str(fault)) from None
    s.tied = s.cutters = 0
    for seat, chariot in enumerate(position.chariots):
        s.order[seat] = seat
        s.space[seat] = spaces[seat]
        s.lap[seat] = chariot.lap
        s.coin[seat] = chariot.coin
        s.hand[seat] = _packed(chariot.hand)
        gone = _packed([*chariot.hand, *chariot.played])
        s.deck[seat] = FULL - gone if chariot.deck is None else _packed(chariot.deck)
        s.status[seat] = chariot.status
        s.finish[seat] = chariot.finish
        s.dishonoured[seat] = chariot.dishonoured
    s.finishers = max(chariot.finish for chariot in position.chariots)
    s.begun = position.begun
    s.at = (position.turn - 1) % t.seats
    if position.passes:
        pass_turn(t, s)


def _space(t: Tables, text: str) -> int:
    segment, lane, number = text.split(".")
    return t.raced[0].index[segment, int(lane), int(number)]


def _packed(cards: Iterable[int]) -> int:
    return sum(one(card) for card in cards)
