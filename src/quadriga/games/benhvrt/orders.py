"""Standing orders of Ben Hvrt: bids, Quick Sales, upkeep, being ready, passing, and cards to play if something
happens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from quadriga.engine.parts.orders import Form, Given, Order, Orders, Situation
from quadriga.engine.text.catalogues import Localised, Message
from quadriga.games.benhvrt.concern import finishing_rival, is_hurt
from quadriga.games.benhvrt.deck.card import Card
from quadriga.games.benhvrt.deck.operations import (
    AU,
    BM,
    CHARIOT,
    NOTHING,
    PA,
    PAIR,
    PB,
    PR,
    RE,
    RIVAL,
    RO,
    VALUE,
)
from quadriga.games.benhvrt.names import chariot_name
from quadriga.games.benhvrt.notation import mover, race_number, window
from quadriga.games.benhvrt.state import State, Tables
from quadriga.games.benhvrt.view_types import View

Here = Situation[Tables, State, View]
HIGHEST_BID = 99
_LOTS = 256  # more than the cards of a race
_BEFORE_RACE = ("cast", "deal", "auction")
_MARKET = (*_BEFORE_RACE, "market")
# The conditions under which a card can be played, by its window. `value` and `target` are `can` for a card that
# asks for a number or for chariots, which the order names.
_NOW = ("can", "value", "target")
_WHENS = {AU: _NOW, PR: _NOW, RO: ("low", "finish"), PB: _NOW, PA: _NOW, BM: (*_NOW, "finish"), RE: ("hurt",)}
_TAKEN = {"value": (VALUE,), "target": (CHARIOT, RIVAL, PAIR), "finish": (NOTHING, CHARIOT, RIVAL)}
_VALUES = range(1, 7)
Names = dict[str, Message | Localised | str]
_ANY_CARD: Names = {"*": Message("ben-hvrt.any.card", {})}
_ANY_UPKEEP: Names = {"*": Message("ben-hvrt.any.upkeep", {})}


def _card_names(t: Tables) -> Names:
    return {card.name: Localised(tuple(card.names.items())) for card in t.cards}


def _moment(t: Tables, s: State) -> int:
    """Return the number of the lot, counted over all races: the cards still face down go down by one with each."""
    return (race_number(t, s) + 1) * _LOTS - 1 - sum(s.face_down[seat] for seat in range(t.seats))


def _forms(here: Here, given: Sequence[Order]) -> list[Form]:
    """Return the orders that make sense in this phase, those about the present lot first."""
    seen, names = here.view, _card_names(here.t)
    if seen.phase == "over":
        return []
    purse = seen.players[here.seat].purse
    found: list[Form] = []
    if seen.lot is not None:
        usual = here.t.cards[[card.name for card in here.t.cards].index(seen.lot.card)].price
        bids = range(1, HIGHEST_BID + 1)
        found.append(Form("bid", "lot", {seen.lot.card: names[seen.lot.card]}, bids, min(usual, max(purse, 1))))
    if seen.phase in _BEFORE_RACE:
        found.append(Form("bid", things={**_ANY_CARD, **names}, numbers=range(1, HIGHEST_BID + 1), usual=2))
        found.append(Form("buy", things={**_ANY_CARD, **names}, numbers=range(1, HIGHEST_BID + 1), usual=5))
    if seen.phase in _MARKET and not any(order.kind == "ready" for order in given):
        found.append(Form("ready"))
    fitted = _fitted(here)
    mine = {**_ANY_UPKEEP, **{name: names[name] for name in fitted}}
    found += [Form("keep", things=mine), Form("drop", things=mine)]
    if seen.phase == "race" and mover(here.t, here.s) != here.seat:
        found.append(Form("pass"))
    return found + list(_plays(here, names))


def _fitted(here: Here) -> list[str]:
    """Return the Drivers and Improvements on the seat's chariots."""
    mine = [each for each in here.view.chariots if each.seat == here.seat]
    return sorted({name for each in mine for name in (*each.improvements, *([each.driver] if each.driver else []))})


def _plays(here: Here, names: Names) -> Iterator[Form]:
    """Yield the cards in hand that can be played if something happens, by condition."""
    held = [card for card in here.t.cards if card.name in here.view.hand]
    for when in ("low", "finish", "hurt", *_NOW):
        fitting = [card for card in held if when in _WHENS.get(card.window, ()) and _takes_no_more(card, when)]
        things = {card.name: names[card.name] for card in fitting}
        if when == "target":
            aimed = [f"{card.name} {way}" for card in fitting for way in _ways(here, card)]
            things = {of: _target_name(here.t, here.seat, of) for of in aimed}
        if things:
            usual = {"low": 2, "value": _VALUES[-1]}.get(when)
            yield Form("play", when, things, _VALUES if usual else None, usual)


def _takes_no_more(card: Card, when: str) -> bool:
    """Return whether a card can be played under a condition without a further choice."""
    return card.takes in _TAKEN.get(when, (NOTHING,))


def _ways(here: Here, card: Card) -> Iterator[str]:
    """Yield the chariots that a card can be played on, as in the text of the action."""
    entered = [each for each in here.view.chariots if each.entered]
    for each in entered:
        if card.takes == CHARIOT or (card.takes == RIVAL and each.seat != here.seat):
            yield str(each.number)
        elif card.takes == PAIR and each.seat != here.seat and each.driver is not None:
            yield from (f"{each.number} {own.number}" for own in entered if own.seat == here.seat)


def _aimed(t: Tables, of: str) -> tuple[str, list[int]]:
    """Return the card that an order names, and the chariots beside it."""
    for card in t.cards:
        count = {CHARIOT: 1, RIVAL: 1, PAIR: 2}.get(card.takes, 0)
        if count and re.fullmatch(rf"{re.escape(card.name)}( \d+){{{count}}}", of):
            words = of.removeprefix(card.name).split()
            return card.name, [int(each) for each in words]
    return of, []


def _target_name(t: Tables, seat: int, of: str) -> Message:
    """Return a card and the chariots that it is played on in words."""
    card, chariots = _aimed(t, of)
    names = [chariot_name(t, each, reader=seat) for each in chariots]
    which = ("on", "from")[len(names) - 1]
    return Message(
        f"ben-hvrt.order-target.{which}", {"card": _card_names(t)[card], "chariot": names[0], "to": names[-1]}
    )


def _decide(here: Here, given: Given) -> str | None:
    order, seen = given.order, here.view
    match order.kind:
        case "bid" if seen.lot is not None and seen.lot.bid is not None and "pass" in here.actions:
            if order.of not in ("*", seen.lot.card):
                return None
            return "bid" if seen.lot.bid <= (order.most or 0) and "bid" in here.actions else "pass"
        case "buy" if seen.lot is not None and "auction" in here.actions and order.of in ("*", seen.lot.card):
            return "buy" if seen.lot.price <= (order.most or 0) and "buy" in here.actions else None
        case "ready" if "ready" in here.actions:
            return "ready"
        case "keep" | "drop" if seen.due is not None and here.actions and order.of in ("*", seen.due.card):
            return f"{order.kind} {seen.due.card} {seen.due.chariot}"
        case "pass" if window(here.t, here.s) is not None and here.actions:
            return "pass"
        case "play" if here.actions:
            return _play(here, order)
    return None


def _play(here: Here, order: Order) -> str | None:
    """Return how the card of an order is played if its condition holds."""
    t, s = here.t, here.s
    if order.when in ("value", "target"):
        text = f"play {order.of}" if order.most is None else f"play {order.of} {order.most}"
        return text if text in here.actions else None
    ways = [text for text in here.actions if text == f"play {order.of}" or _is_aimed(text, order.of)]
    if not ways:
        return None
    match order.when:
        case "low":
            is_own = mover(t, s) == here.seat
            return ways[0] if is_own and s.roll <= (order.most or 0) else None
        case "finish":
            rival = finishing_rival(t, s)
            aimed = [text for text in ways if text in (f"play {order.of}", f"play {order.of} {rival}")]
            return aimed[0] if rival is not None and aimed else None
        case "hurt":
            return ways[0] if is_hurt(t, s) else None
    return ways[0]


def _is_aimed(text: str, card: str) -> bool:
    """Return whether an action plays a card on a chariot."""
    return text.startswith(f"play {card} ") and text.removeprefix(f"play {card} ").isdecimal()


def _is_over(here: Here, given: Given) -> bool:
    order, phase = given.order, here.view.phase
    now = _moment(here.t, here.s)
    is_same_race = now // _LOTS == given.moment // _LOTS
    match order.kind:
        case "bid" if order.when == "lot":
            return here.view.lot is None or now != given.moment
        case "bid" | "buy":
            return not is_same_race or phase not in _BEFORE_RACE
        case "ready":
            return not is_same_race or phase not in _MARKET
        case "keep" | "drop":
            return order.of != "*" and order.of not in (*_fitted(here), *here.view.hand)
        case "pass":
            return phase != "race" or mover(here.t, here.s) == here.seat
        case "play":
            card = _aimed(here.t, order.of)[0] if order.when == "target" else order.of
            return card not in here.view.hand
    return True


def _name(t: Tables, seat: int, given: Given) -> Message:
    order = given.order
    names = {**(_ANY_CARD if order.kind in ("bid", "buy") else _ANY_UPKEEP), **_card_names(t)}
    thing = _target_name(t, seat, order.of) if order.when == "target" else names.get(order.of, order.of)
    which = f"{order.kind}-{order.when}" if order.when else order.kind
    return Message(f"ben-hvrt.order.{which}", {"thing": thing, "most": order.most})


ORDERS: Orders[Tables, State, View] = Orders(
    forms=_forms, decide=_decide, is_over=_is_over, name=_name, moment=_moment, once=frozenset(("play",))
)
