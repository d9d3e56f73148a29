"""Standing orders of Ur: move a marker with the next roll, or with a certain one.

A marker is named by its step; `0` is a new one, and `front` the foremost on the board, wherever it is by then.
"""

from __future__ import annotations

from collections.abc import Sequence

from quadriga.engine.parts.orders import Form, Given, Order, Orders, Situation
from quadriga.engine.text.catalogues import Message
from quadriga.games.ur.names import place_name
from quadriga.games.ur.state import DONE, State, Tables
from quadriga.games.ur.view import View, markers_of

Here = Situation[Tables, State, View]
HOME, FRONT = "0", "front"
MOST_MOVES = 3  # that can be ordered in advance


def _forms(here: Here, given: Sequence[Order]) -> list[Form]:
    if here.s.phase == DONE:
        return []
    steps = sorted({marker.step for marker in markers_of(here.t, here.s, here.seat)})
    names = ([HOME] if here.view.home[here.seat] else []) + [str(step) for step in steps] + [FRONT] * bool(steps)
    things = {name: _marker(here.t, here.seat, name) for name in names}
    rolls = [roll for roll in range(1, len(here.t.dice)) if here.t.dice[roll]]
    can_plan = sum(order.kind == "move" for order in given) < MOST_MOVES
    by_roll = Form("roll", things=things, numbers=range(rolls[0], rolls[-1] + 1), usual=rolls[0])
    return ([Form("move", things=things)] if can_plan else []) + [by_roll]


def _marker(t: Tables, seat: int, name: str) -> Message:
    """Return a marker as people name it."""
    if name in (HOME, FRONT):
        return Message("ur.marker.home" if name == HOME else "ur.marker.front", {})
    return Message("ur.marker.on", {"place": place_name(t, seat, int(name))})


def _step(here: Here, of: str) -> int | None:
    """Return the step of a marker; None if it is not there."""
    steps = {marker.step for marker in markers_of(here.t, here.s, here.seat)}
    if of == HOME:
        return 0 if here.view.home[here.seat] else None
    if of == FRONT:
        return max(steps, default=None)
    return int(of) if int(of) in steps else None


def _decide(here: Here, given: Given) -> str | None:
    """Return the move of the marker by the roll. A marker that could go to several spaces is asked for."""
    order, roll = given.order, here.view.roll
    step = _step(here, order.of)
    if step is None or roll is None or (order.kind == "roll" and roll != order.most):
        return None
    moves = [text for text in here.actions if text.startswith(f"{step}-")]
    if len(moves) > 1:
        return None
    return moves[0] if moves else f"{step}-{step + roll}"


def _is_over(here: Here, given: Given) -> bool:
    """Return whether the marker is gone: moved, captured, or off."""
    order = given.order
    return order.of != FRONT and _step(here, order.of) is None


def _name(t: Tables, seat: int, given: Given) -> Message:
    order = given.order
    return Message(f"ur.order.{order.kind}", {"thing": _marker(t, seat, order.of), "roll": order.most})


ORDERS: Orders[Tables, State, View] = Orders(
    forms=_forms,
    decide=_decide,
    is_over=_is_over,
    name=_name,
    moment=lambda t, s: 0,
    once=frozenset(("move", "roll")),
    rolling=frozenset(("move", "roll")),
    in_turn=frozenset(("move",)),
)
