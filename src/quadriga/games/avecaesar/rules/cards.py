"""Packed cards: four bits for the number of each value, value 1 in the lowest bits."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import kernel
from quadriga.engine.kernels.rng import Rng, below
from quadriga.games.avecaesar.state import VALUES, State

FULL = 0x444444  # four of each (AC-2.1)
SIXES = 0xF00000


@kernel
def number(cards: int, value: int) -> int:
    """Return the number of cards of a value."""
    return (cards >> (4 * value - 4)) & 15


@kernel
def one(value: int) -> int:
    """Return a single card of a value, which can be added or subtracted."""
    return 1 << (4 * value - 4)


@kernel
def size(cards: int) -> int:
    """Return the number of cards."""
    pairs = (cards & 0x0F0F0F) + ((cards >> 4) & 0x0F0F0F)
    return (pairs + (pairs >> 8) + (pairs >> 16)) & 0xFF


@kernel
def only_sixes(cards: int) -> bool:
    """AC-4.3: return whether all cards are 6s, even if they are fewer than three."""
    return cards != 0 and cards & ~SIXES == 0


@kernel
def values(cards: int) -> int:
    """Return the values of the cards, as bits 1 to 6."""
    found = 0
    for value in range(1, VALUES + 1):
        found |= (1 if number(cards, value) else 0) << value
    return found


@kernel
def left_to_draw(s: State, seat: int) -> int:
    """Return the number of cards in a seat's deck."""
    return size(s.deck[seat]) + s.unders[seat]


@kernel
def unplayed(s: State, seat: int) -> int:
    """Return all cards that a seat has not played yet, packed."""
    cards = s.hand[seat] + s.deck[seat]
    for i in range(s.unders[seat]):
        cards += one(s.under[seat, i])
    return cards


@kernel
def draw(s: State, seat: int, value: int) -> None:
    """Draw a card into the hand: from the unknown part of the deck, or else the first of those put under it."""
    s.hand[seat] += one(value)
    if s.deck[seat]:
        s.deck[seat] -= one(value)
        return
    last = s.unders[seat] - 1
    for i in range(last):
        s.under[seat, i] = s.under[seat, i + 1]
    s.under[seat, last] = 0
    s.unders[seat] = last


@kernel
def put_under(s: State, seat: int, value: int) -> None:
    """AC-V2: put a card of the hand under the deck."""
    s.hand[seat] -= one(value)
    s.under[seat, s.unders[seat]] = value
    s.unders[seat] += 1


@kernel
def random_card(cards: int, rng: Rng) -> int:
    """Return a random card of a packed set."""
    left = below(rng, size(cards))
    for value in range(1, VALUES + 1):
        left -= number(cards, value)
        if left < 0:
            return value
    return VALUES
