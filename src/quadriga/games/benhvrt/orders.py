"""Standing orders of Ben Hvrt: bids, Quick Sales, upkeep, being ready, passing, and cards to play if something
happens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quadriga.engine.parts.orders import Form, Given, Order, Orders, Situation
from quadriga.engine.text.catalogues import Localised, Message
from quadriga.games.benhvrt.concern import finishing_rival, is_hurt
from quadriga.games.benhvrt.deck.card import Card
from quadriga.games.benhvrt.deck.operations import BM, CHARIOT, NOTHING, PA, PB, PR, RE, RIVAL, RO
from quadriga.games.benhvrt.notation import mover, race_number, window
from quadriga.games.benhvrt.state import State, Tables
from quadriga.games.benhvrt.view_types import View

Here = Situation[Tables, State, View]
HIGHEST_BID = 99
_LOTS = 256  # more than the cards of a race
_BEFORE_RACE = ("cast", "deal", "auction")
_MARKET = (*_BEFORE_RACE, "market")
# The conditions under which a card can be played, by its window.
_WHENS = {PR: ("can",), RO: ("low", "finish"), PB: ("can",), PA: ("can",), BM: ("can", "finish"), RE: ("hurt",)}
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
    for when in ("low", "finish", "hurt", "can"):
        things = {card.name: names[card.name] for card in held if _fits(card, when)}
        if things:
            is_low = when == "low"
            yield Form("play", when, things, range(1, 7) if is_low else None, 2 if is_low else None)


def _fits(card: Card, when: str) -> bool:
    """Return whether a card can be played under a condition without a further choice."""
    if when not in _WHENS.get(card.window, ()):
        return False
    return card.takes in (NOTHING, CHARIOT, RIVAL) if when == "finish" else card.takes == NOTHING


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
            return order.of not in here.view.hand
    return True


def _name(t: Tables, seat: int, given: Given) -> Message:
    order = given.order
    thing = {**(_ANY_CARD if order.kind in ("bid", "buy") else _ANY_UPKEEP), **_card_names(t)}.get(
        order.of, order.of
    )
    which = f"{order.kind}-{order.when}" if order.when else order.kind
    return Message(f"ben-hvrt.order.{which}", {"thing": thing, "most": order.most})


ORDERS: Orders[Tables, State, View] = Orders(
    forms=_forms, decide=_decide, is_over=_is_over, name=_name, moment=_moment, once=frozenset(("play",))
)
