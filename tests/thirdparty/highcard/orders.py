"""Standing orders of High Card: knock as soon as it is possible, or play a certain card next."""

from __future__ import annotations

from collections.abc import Sequence

from highcard.display import View
from highcard.state import PLAY, WINDOW, State, Tables
from quadriga.engine.parts.orders import Form, Given, Order, Orders, Situation
from quadriga.engine.text.catalogues import Message

Here = Situation[Tables, State, View]


def _forms(here: Here, given: Sequence[Order]) -> list[Form]:
    cards = {str(card): str(card) for card in range(1, here.t.cards + 1) if here.s.hand[here.seat] >> card & 1}
    return [Form("play", things=cards)] * bool(cards) + [Form("knock")] * here.t.knocking


def _decide(here: Here, given: Given) -> str | None:
    if given.order.kind == "knock":
        return "knock" if here.s.phase == WINDOW and "knock" in here.actions else None
    return f"play {given.order.of}" if here.s.phase == PLAY and here.actions else None


def _is_over(here: Here, given: Given) -> bool:
    return given.order.kind == "play" and not here.s.hand[here.seat] >> int(given.order.of) & 1


def _name(t: Tables, seat: int, given: Given) -> Message:
    return Message(f"highcard.order.{given.order.kind}", {"thing": given.order.of})


ORDERS: Orders[Tables, State, View] = Orders(
    forms=_forms,
    decide=_decide,
    is_over=_is_over,
    name=_name,
    moment=lambda t, s: s.trick,
    once=frozenset(("play", "knock")),
    in_turn=frozenset(("play",)),
)
