"""Piles of cards as bit planes, and each seat's knowledge of other hands."""

from __future__ import annotations

from quadriga.engine.kernels.bits import count, lowest
from quadriga.engine.kernels.kernel import kernel
from quadriga.games.benhvrt.state import DECK, DISCARD, State, Tables


@kernel
def number(s: State, pile: int, kind: int) -> int:
    """Return the number of cards of a kind in a pile."""
    ones = (s.pile[pile, 0] >> kind) & 1
    return ones + 2 * ((s.pile[pile, 1] >> kind) & 1) + 4 * ((s.pile[pile, 2] >> kind) & 1)


@kernel
def held(s: State, pile: int) -> int:
    """Return the kinds in a pile, as bits."""
    return s.pile[pile, 0] | s.pile[pile, 1] | s.pile[pile, 2]


@kernel
def size(s: State, pile: int) -> int:
    """Return the number of cards in a pile."""
    return count(s.pile[pile, 0]) + 2 * count(s.pile[pile, 1]) + 4 * count(s.pile[pile, 2])


@kernel
def card_at(s: State, pile: int, place: int) -> int:
    """Return the kind of the card at a place of a pile, from 0, in the order of kinds."""
    kinds = held(s, pile)
    while True:
        kind = lowest(kinds)
        kinds &= kinds - 1
        place -= number(s, pile, kind)
        if place < 0:
            return kind


@kernel
def put(s: State, pile: int, kind: int) -> None:
    """Add a card to a pile."""
    carry = 1 << kind
    for plane in range(3):
        bits = s.pile[pile, plane]
        s.pile[pile, plane] = bits ^ carry
        carry &= bits


@kernel
def take(s: State, pile: int, kind: int) -> None:
    """Take a card out of a pile."""
    borrow = 1 << kind
    for plane in range(3):
        bits = s.pile[pile, plane]
        s.pile[pile, plane] = bits ^ borrow
        borrow &= ~bits


@kernel
def empty(s: State, pile: int) -> None:
    """Remove all cards from a pile."""
    for plane in range(3):
        s.pile[pile, plane] = 0


@kernel
def pour(s: State, source: int, target: int) -> None:
    """Move all cards of a pile into another."""
    kinds = held(s, source)
    while kinds:
        kind = lowest(kinds)
        for _ in range(number(s, source, kind)):
            put(s, target, kind)
        kinds &= kinds - 1
    empty(s, source)


@kernel
def known(s: State, observer: int, holder: int, kind: int) -> int:
    """Return how many cards of a kind an observer knows to be in a hand."""
    low = (s.know[observer, 2 * holder] >> kind) & 1
    return low + 2 * ((s.know[observer, 2 * holder + 1] >> kind) & 1)


@kernel
def set_known(s: State, observer: int, holder: int, kind: int, copies: int) -> None:
    """Set how many cards of a kind an observer knows to be in a hand, up to three."""
    copies = min(max(copies, 0), 3)
    bit = 1 << kind
    s.know[observer, 2 * holder] &= ~bit
    s.know[observer, 2 * holder + 1] &= ~bit
    if copies & 1:
        s.know[observer, 2 * holder] |= bit
    if copies & 2:
        s.know[observer, 2 * holder + 1] |= bit


@kernel
def gain_openly(t: Tables, s: State, seat: int, kind: int) -> None:
    """Put a card into a hand, visibly to all seats."""
    put(s, seat, kind)
    for observer in range(t.seats):
        if observer != seat:
            set_known(s, observer, seat, kind, known(s, observer, seat, kind) + 1)


@kernel
def lose_openly(t: Tables, s: State, seat: int, kind: int) -> None:
    """Take a card out of a hand, visibly to all seats."""
    take(s, seat, kind)
    for observer in range(t.seats):
        if observer != seat:
            set_known(s, observer, seat, kind, known(s, observer, seat, kind) - 1)


@kernel
def forget_hand(t: Tables, s: State, holder: int) -> None:
    """Delete all knowledge about a hand."""
    for observer in range(t.seats):
        s.know[observer, 2 * holder] = 0
        s.know[observer, 2 * holder + 1] = 0


@kernel
def discard_from_hand(t: Tables, s: State, seat: int, kind: int) -> None:
    """Move a card from a hand to the discards."""
    lose_openly(t, s, seat, kind)
    put(s, DISCARD, kind)


@kernel
def draw_from_deck(s: State, seat: int, kind: int) -> None:
    """Move a card from the deck into a hand, unseen by the other seats."""
    take(s, DECK, kind)
    put(s, seat, kind)
