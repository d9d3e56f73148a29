"""The answers of standing orders: the action that a seat's orders give now, and the orders that end."""

from __future__ import annotations

from collections.abc import Collection

from quadriga.engine import orders
from quadriga.engine.game import NOBODY
from quadriga.engine.match.match import Match
from quadriga.engine.orders import Answer
from quadriga.server.state.events import OrderEnded
from quadriga.server.state.room_state import RoomState

NOTHING = Answer()


def answer(state: RoomState, seat: int, match: Match | None = None, besides: Collection[int] = ()) -> Answer:
    """Return what the orders of a seat come to where it is asked: in the game, or in a position of a window.

    Orders whose numbers are in `besides` are left out.
    """
    session = state.session
    if session is None or seat < 0 or not state.seats[seat].orders:
        return NOTHING
    given = {number: each for number, each in state.seats[seat].orders.items() if number not in besides}
    return orders.answer(session.match if match is None else match, seat, given)


def roller(state: RoomState) -> int:
    """Return the seat that is to roll by hand and has an order that needs the roll; NOBODY if there is none."""
    session = state.session
    if session is None or not state.is_rolled_by_hand:
        return NOBODY
    given = state.seats[session.roller].orders.values()
    rolling = frozenset[str]() if state.game.orders is None else state.game.orders.rolling
    return session.roller if any(each.order.kind in rolling for each in given) else NOBODY


def ordering(state: RoomState) -> int:
    """Return the seat for which an order decides or rolls now; NOBODY if none does."""
    session = state.session
    if session is None or answer(state, session.actor).action is None:
        return roller(state)
    return session.actor


def endings(state: RoomState, done: Collection[int] = (), undone_by: int | None = None) -> list[OrderEnded]:
    """Return the orders that end after a batch of moves.

    `done` are the numbers of the orders that have given them. The seat of an undo, `undone_by`, would make the same
    move again at once, so the order ends that would.
    """
    session = state.session
    if session is None or session.match.over:
        return []
    found: list[OrderEnded] = []
    for seat, info in enumerate(state.seats):
        if not info.orders:
            continue
        once = orders.part_of(state.game).once
        fulfilled = [n for n in done if n in info.orders and info.orders[n].order.kind in once]
        found += [OrderEnded(seat, number, "done") for number in fulfilled]
        ended = {each.number for each in found}
        left = {number: each for number, each in info.orders.items() if number not in ended}
        found += [OrderEnded(seat, number, "over") for number in orders.ended(session.match, seat, left)]
        ended = {each.number for each in found}
        left = {number: each for number, each in left.items() if number not in ended}
        now = orders.answer(session.match, seat, left)
        found += [OrderEnded(seat, number, "illegal") for number in now.dropped]
        if seat == undone_by and now.number is not None:
            found.append(OrderEnded(seat, now.number, "undone"))
    return found
