"""The steps in a player's cards against the steps that the race still needs. All of it is public.

Every player has the same 24 cards and plays them openly. So the sum of those that are left is known, whatever lies
in the hand and whatever in the deck.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from quadriga.games.avecaesar.board import NEVER
from quadriga.games.avecaesar.rules.cards import number, unplayed
from quadriga.games.avecaesar.rules.hidden import distance
from quadriga.games.avecaesar.state import RACING, VALUES, State, Tables


class Budget(msgspec.Struct, frozen=True):
    """The steps that a player has and needs; `spare` is negative if the cards cannot reach the finish any more."""

    left: int  # the sum of the cards in hand and deck
    needed: int  # the fewest steps to the finish, with the alley as long as the coin is to be paid
    spare: int


def budget(t: Tables, s: State, seat: int) -> Budget | None:
    """Return the budget of a seat; None before the line-up and for a chariot that races no more."""
    if s.phase == 0 or s.status[seat] != RACING:
        return None
    needed = distance(t, s, seat)
    if needed >= NEVER:
        return None
    left = _steps_in(unplayed(s, seat))
    return Budget(left, needed, left - needed)


@lru_cache(maxsize=4096)
def _steps_in(cards: int) -> int:
    """Return the sum of packed cards."""
    return sum(value * number(cards, value) for value in range(1, VALUES + 1))
