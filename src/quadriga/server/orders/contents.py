"""The messages about standing orders to their owner."""

from __future__ import annotations

from collections.abc import Iterable

from quadriga.engine import orders
from quadriga.engine.match.match import Match
from quadriga.engine.parts.orders import Form, Given
from quadriga.server.protocol import texts
from quadriga.server.protocol.parts import (
    CatalogueMessage,
    EndedOrder,
    OrderForm,
    OrderNumbers,
    OrderThing,
    StandingOrder,
)
from quadriga.server.protocol.server_messages import OrdersChanged
from quadriga.server.state.events import OrderEnded, OrderGiven, RoomEvent
from quadriga.server.state.room_state import RoomState

Ended = tuple[int, str, Given]  # the number of an order, how it has ended, and the order


def changed(
    state: RoomState, seat: int, ended: Iterable[Ended] = (), ref: str | None = None, offers: bool = False
) -> OrdersChanged:
    """Return the message about a seat's orders; with `offers` it has those that the seat can give now, too."""
    session = state.session
    assert session is not None
    match, given = session.match, state.seats[seat].orders
    return OrdersChanged(
        ref=ref,
        seat=seat,
        orders=[StandingOrder(number, each.order, words(match, seat, each)) for number, each in given.items()],
        ended=[EndedOrder(number, how, words(match, seat, each)) for number, how, each in ended],
        forms=[_form(match, each) for each in orders.forms(match, seat, given)] if offers else None,
    )


def ended_by(state: RoomState, events: Iterable[RoomEvent]) -> dict[int, list[Ended]]:
    """Return the orders of a state that some events change or end, by seat; those that they end are listed."""
    found: dict[int, list[Ended]] = {}
    for each in events:
        if isinstance(each, OrderGiven | OrderEnded):
            listed = found.setdefault(each.seat, [])
            given = state.seats[each.seat].orders.get(each.number)
            if isinstance(each, OrderEnded) and given is not None:
                listed.append((each.number, each.how, given))
    return found


def words(match: Match, seat: int, given: Given) -> CatalogueMessage:
    """Return what an order says, for people."""
    return texts.message(orders.part_of(match.game).name(match.t, seat, given))


def _form(match: Match, form: Form) -> OrderForm:
    which = f"{form.kind}-{form.when}" if form.when else form.kind
    numbers = form.numbers
    return OrderForm(
        kind=form.kind,
        when=form.when,
        words=CatalogueMessage(f"{match.game.id}.order-form.{which}", {}),
        things=[OrderThing(of, texts.parameter(name)) for of, name in form.things.items()],
        numbers=None
        if numbers is None
        else OrderNumbers(numbers[0], numbers[-1], numbers[0] if form.usual is None else form.usual),
    )
