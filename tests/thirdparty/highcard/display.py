"""What a seat may see of High Card, how it is drawn in a terminal, and what an action does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from highcard.state import CARDS, DONE, KNOCK, PASS, PLAY, WINDOW, State, Tables
from quadriga.engine.parts.display import Note, Reasons
from quadriga.engine.text.catalogues import Message, Words

if TYPE_CHECKING:
    from rich.text import Text


class View(msgspec.Struct, frozen=True):
    """The view of a seat: its own hand, the trick, the points, and how many cards the others hold."""

    seat: int
    hand: list[int]
    held: list[int]
    table: list[int]
    points: list[int]
    turn: int | None  # the seat to act, if everybody may know it
    knocked: int | None  # the seat that has shown the highest card and still holds it


def view(t: Tables, s: State, seat: int) -> View:
    """Return all that a seat may see."""
    seats = range(t.seats)
    turn = None if s.phase == DONE else s.turn
    if s.phase == WINDOW:
        turn = seat if s.asked == seat else None
    return View(
        seat=seat,
        hand=[card for card in range(1, CARDS + 1) if seat >= 0 and s.hand[seat] >> card & 1],
        held=[s.hand[other].bit_count() for other in seats],
        table=[s.table[other] for other in seats],
        points=[s.points[other] for other in seats],
        turn=turn,
        knocked=s.knocked - 1 if s.knocked else None,
    )


def draw(t: Tables, seen: View, say: Words, width: int = 80, marks: Mapping[str, str] | None = None) -> Text:
    """Return a view for a terminal."""
    from rich.text import Text

    return Text(f"hand {seen.hand} table {seen.table} points {seen.points}\n")


def hand(t: Tables, seen: View, say: Words) -> list[str]:
    """Return the names of the cards in a view."""
    return [str(card) for card in seen.hand]


def explain(t: Tables, s: State, actions: Sequence[int]) -> list[Note]:
    """Return what an action does."""
    (action,) = actions
    if s.phase == PLAY:
        return [Note("HC-1", Message("highcard.why.plays", {"card": action}))]
    if s.phase == WINDOW:
        if action == PASS:
            return [Note("HC-3", Message("highcard.why.passes", {}))]
        return [Note("HC-3", Message("highcard.why.knocks", {"card": t.cards}))]
    return [Note("HC-1", Message("highcard.why.dealt", {}))]


def has_hidden_effects(t: Tables, s: State, action: int) -> bool:
    """Return False: what an action does is said without the cards of others."""
    return action > KNOCK


def why_illegal(t: Tables, s: State, seat: int) -> Reasons:
    """Return why a seat cannot play its cards now: it is another's turn."""
    if s.phase != PLAY or s.turn == seat:
        return {}
    note = Note("HC-1", Message("highcard.why.turn", {"number": s.turn + 1}))
    return {str(card): [note] for card in view(t, s, seat).hand}
