"""Standing orders of Ave Caesar: up to three moves in advance, each a card and a space.

The moves that can be ordered are those of an empty track, since a chariot in the way may be gone by then. One that
is blocked when its turn comes is not made, and the player is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quadriga.engine.parts.orders import Form, Given, Order, Orders, Situation
from quadriga.engine.text.catalogues import Message
from quadriga.games.avecaesar.names import place_name
from quadriga.games.avecaesar.notation import text
from quadriga.games.avecaesar.rules.cards import number, one
from quadriga.games.avecaesar.rules.moves import FINISH, MOST_LEGAL, SPAN, find_moves
from quadriga.games.avecaesar.rules.turn import drive, legal
from quadriga.games.avecaesar.state import CUT, DEAL, DONE, MOVE, OUT, RACING, State, Tables
from quadriga.games.avecaesar.view import View

Here = Situation[Tables, State, View]
MOST_MOVES = 3  # that can be ordered in advance


def _forms(here: Here, given: Sequence[Order]) -> list[Form]:
    planned = [order.of for order in given if order.kind == "move"]
    if len(planned) >= MOST_MOVES:
        return []
    moves = _moves(here.t, here.s, here.seat, planned)
    return [Form("move", things=moves)] if moves else []


def _moves(t: Tables, s: State, seat: int, planned: Sequence[str]) -> dict[str, Message | str]:
    """Return the moves on an empty track after some others, each with its name; none where one does not fit."""
    if s.phase in (CUT, DEAL, DONE) or s.status[seat] != RACING:
        return {}
    alone = s.copy()
    alone.phase, alone.free = MOVE, 1  # a 6 may be allowed by then
    alone.at = [alone.order[place] for place in range(t.seats)].index(seat)
    for other in range(t.seats):
        if other != seat and alone.status[other] == RACING:
            alone.status[other] = OUT
    for wanted in planned:
        actions = _texts(t, alone, seat)
        if wanted not in actions or actions[wanted] % SPAN == FINISH:
            return {}
        alone.hand[seat] -= one(actions[wanted] // SPAN + 1)
        drive(t, alone, seat, actions[wanted] % SPAN)
    return {each: _name_of(t, alone, action) for each, action in _texts(t, alone, seat).items()}


def _texts(t: Tables, s: State, seat: int) -> dict[str, int]:
    find_moves(t, s, seat)
    out = np.zeros(MOST_LEGAL, np.int64)
    return {text(t, s, action): action for action in out[: legal(t, s, out.data)].tolist()}


def _name_of(t: Tables, s: State, action: int) -> Message:
    """Return a move as people name it."""
    card = action // SPAN + 1
    if action % SPAN == FINISH:
        return Message("ave-caesar.move.finish", {"card": card})
    course = t.raced[s.race]
    space = (s.space[s.order[s.at]] + action % SPAN) % len(course.spaces)
    return Message("ave-caesar.move.to", {"card": card, "place": place_name(course, space)})


def _decide(here: Here, given: Given) -> str | None:
    return given.order.of if here.view.moves else None


def _is_over(here: Here, given: Given) -> bool:
    """Return whether the race is another one, or the chariot or the card is gone."""
    s, seat = here.s, here.seat
    is_racing = s.race == given.moment and s.phase not in (CUT, DEAL, DONE) and s.status[seat] == RACING
    return not is_racing or number(s.hand[seat], int(given.order.of.split()[0])) == 0


def _name(t: Tables, seat: int, given: Given) -> Message:
    card, _, space = given.order.of.partition(" ")
    if space == "finish":
        return Message("ave-caesar.order.finish", {"card": card})
    course = t.raced[given.moment]
    place = next(place for place, each in enumerate(course.spaces) if each.text == space)
    return Message("ave-caesar.order.move", {"card": card, "place": place_name(course, place)})


ORDERS: Orders[Tables, State, View] = Orders(
    forms=_forms,
    decide=_decide,
    is_over=_is_over,
    name=_name,
    moment=lambda t, s: s.race,
    once=frozenset(("move",)),
    in_turn=frozenset(("move",)),
)
