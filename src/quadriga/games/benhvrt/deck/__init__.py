"""Decks of Ben Hvrt: cards as data, built from a closed set of operations (BH-7.7).

`operations` defines what a card can do, `card` a kind of card and the limits of a deck. `deck_file` reads a deck
with `card_reader`, and `card_line` writes a card in one line.
"""

from __future__ import annotations

from quadriga.games.benhvrt.deck.card import CARDS, COPIES, KINDS, OPERATIONS, PACKAGE, PER_MOVE, Amount, Card
from quadriga.games.benhvrt.deck.deck_file import check_file, checked, own_deck, read

__all__ = [
    "CARDS",
    "COPIES",
    "KINDS",
    "OPERATIONS",
    "PACKAGE",
    "PER_MOVE",
    "Amount",
    "Card",
    "check_file",
    "checked",
    "own_deck",
    "read",
]
