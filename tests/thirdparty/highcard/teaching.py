"""How High Card is taught: positions of lessons, and a coach."""

from __future__ import annotations

from collections.abc import Mapping

from highcard.state import CARDS, PLAY, State, Tables
from quadriga.engine.advice import Advice
from quadriga.engine.errors import OptionError
from quadriga.engine.text.catalogues import Message


def place(t: Tables, s: State, description: Mapping[str, object]) -> None:
    """Set up the hands of a lesson, such as `{hands = [[12, 3], [5, 7]]}`, with seat 0 to lead."""
    hands = description.get("hands")
    if not isinstance(hands, list) or len(hands) != t.seats:
        raise OptionError("position.none")
    s.phase, s.turn = PLAY, 0
    s.pool = (2 << t.cards) - 2
    for seat, cards in enumerate(hands):
        s.hand[seat] = sum(1 << card for card in cards)
        s.pool &= ~s.hand[seat]


def facts(t: Tables, s: State, after: State, seat: int, action: int) -> dict[str, int | float]:
    """Return the numbers that lessons name: the card, and how many cards that the seat cannot see are higher."""
    return {"card": action, "higher": _higher(t, s, seat, action)}


def coach(t: Tables, s: State, seat: int, chances: Mapping[int, float]) -> Advice:
    """Return how many cards that a seat cannot see are higher than each of its own."""
    if s.phase != PLAY or s.turn != seat:
        return Advice([], {})
    cards = [card for card in range(1, CARDS + 1) if s.hand[seat] >> card & 1]
    said = {card: [Message("highcard.coach.higher", {"n": _higher(t, s, seat, card)})] for card in cards}
    return Advice(
        [Message("highcard.coach.on_table", {"n": max(s.table[other] for other in range(t.seats))})], said
    )


def _higher(t: Tables, s: State, seat: int, card: int) -> int:
    seen = s.hand[seat] | sum(1 << s.table[other] for other in range(t.seats) if s.table[other])
    return sum(1 for other in range(card + 1, t.cards + 1) if not seen >> other & 1)
