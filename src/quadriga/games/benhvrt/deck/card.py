"""A kind of card in a deck (BH-7.7), and the limits of a deck."""

from __future__ import annotations

from dataclasses import dataclass

from quadriga.engine.text.catalogues import Message
from quadriga.games.benhvrt.deck.operations import EVENT, MOVE

PACKAGE = "quadriga.games.benhvrt"
KINDS = 48  # of cards, at most
COPIES = 7  # of a kind
CARDS = 240  # in all
OPERATIONS = 3  # of a card
ANSWERS = 12  # cards with window RE, which can answer each other
ADDED = 100  # to one roll, or subtracted from it, by all cards together
WAGERED = 120  # by all cards together
DRAWN = 20  # cards at once

PER = ("-", "move", "lap")
NEVER_MORE, PER_MOVE, PER_LAP = range(3)


@dataclass(frozen=True)
class Amount:
    """A number that may depend on the laps of a race: `flat` plus half of `halves` times the laps, rounded up."""

    flat: int = 0
    halves: int = 0


_RATES = {0: "ben-hvrt.upkeep.flat", 1: "ben-hvrt.upkeep.half", 2: "ben-hvrt.upkeep.lap", 4: "ben-hvrt.upkeep.two"}


@dataclass(frozen=True)
class Card:
    """A kind of card."""

    name: str
    type: int
    copies: int
    price: int
    upkeep: Amount
    window: int
    per: int
    does: tuple[tuple[int, int, int], ...]  # operations: code and two numbers
    takes: int
    texts: dict[str, str]
    names: dict[str, str]
    flavours: dict[str, str]  # a line without meaning for the rules

    @property
    def upkeep_message(self) -> Message | None:
        """Return the upkeep as a message; None for a card that is played once."""
        if self.type in (MOVE, EVENT):
            return None
        return Message(_RATES[self.upkeep.halves], {"n": self.upkeep.flat})
