"""Reaction windows in a game by days: they wait for nobody.

Waiting would tell who holds a card (BH-7.4), and take months. A window is answered in the batch of the move that
opens it, so neither messages nor times depend on hands.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from quadriga.server.orders import answers
from quadriga.server.state.room_state import RoomState

PASS = "pass"


class Answer(NamedTuple):
    """An action in a reaction window, and who makes it: `LoggedMove.by`."""

    text: str
    by: str
    order: int | None = None  # the number of the standing order that gives it


def waits_for_nobody(state: RoomState) -> bool:
    """Return whether a person is asked in a hidden window of a game by days, which is to be answered at once."""
    session = state.session
    if state.days is None or session is None or session.window is None or state.status != "playing":
        return False
    return state.is_person(session.actor)


def answer(state: RoomState, seat: int, carried_out: Collection[int] = ()) -> Answer:
    """Return the answer of a person's seat in the open window: that of its standing orders, else a pass.

    `carried_out` are the numbers of orders that were carried out in the same batch already.
    """
    found = answers.answer(state, seat, besides=carried_out)
    if found.action in (None, PASS):
        return Answer(PASS, "table")
    return Answer(found.action, "person", found.number)
