"""Handle the messages of clients about standing orders."""

from __future__ import annotations

from quadriga.engine import orders
from quadriga.server.limits import Limits
from quadriga.server.orders import contents
from quadriga.server.orders.preview import preview
from quadriga.server.protocol import client_messages as messages
from quadriga.server.protocol.errors import RoomError, not_playing
from quadriga.server.rooms.room import Room
from quadriga.server.seats.viewers import Viewer
from quadriga.server.state.events import OrderEnded, OrderGiven
from quadriga.server.state.game_session import GameSession
from quadriga.server.ws.reactions import own_seat


async def _change(room: Room, seat: int, *changes: OrderGiven | OrderEnded, ref: str | None) -> None:
    """Change the standing orders of a seat, and tell only its owner. Hold the room."""
    ended = contents.ended_by(room.state, changes)[seat]
    await room.change(*changes, announce=False)
    room.broadcaster.show_orders(room.state, seat, ended, ref)


def _running(room: Room) -> GameSession:
    """Return the game; raise RoomError before its start and after its end."""
    if room.state.session is None or room.state.over:
        raise not_playing(room.state.status)
    return room.state.session


async def give(room: Room, viewer: Viewer, message: messages.GiveOrder) -> None:
    """Store an order in place of one that differs in its number only, and carry it out if the seat is asked."""
    async with room.exclusive() as state:
        seat = own_seat(viewer, message.seat)
        session, order, info = _running(room), message.order, state.seats[seat]
        is_one_of_many = order.kind in orders.part_of(state.game).in_turn
        same = [
            number
            for number, each in info.orders.items()
            if not is_one_of_many
            and (each.order.kind, each.order.of, each.order.when) == (order.kind, order.of, order.when)
        ]
        left = {number: each for number, each in info.orders.items() if number not in same}
        given = orders.check(session.match, seat, order, left)
        if len(left) >= room.settings.orders:
            raise RoomError("order.many", most=room.settings.orders)
        ended = [OrderEnded(seat, number, "cancelled") for number in same]
        new = OrderGiven(seat, state.last_order + 1, order, given.moment)
        await _change(room, seat, *ended, new, ref=message.ref)


async def cancel(room: Room, viewer: Viewer, message: messages.CancelOrder) -> None:
    """End an order, or all of a seat. It is carried out before that, or not at all."""
    async with room.exclusive() as state:
        seat = own_seat(viewer, message.seat)
        _running(room)
        held = state.seats[seat].orders
        if message.order is not None and message.order not in held:
            raise RoomError("order.gone", 404)
        numbers = list(held) if message.order is None else [message.order]
        if numbers:
            ended = [OrderEnded(seat, number, "cancelled") for number in numbers]
            await _change(room, seat, *ended, ref=message.ref)
        else:
            viewer.send_message(contents.changed(state, seat, ref=message.ref))


async def show(room: Room, viewer: Viewer, message: messages.ListOrders) -> None:
    """Send a seat its orders, and those that it can give now."""
    async with room.exclusive() as state:
        seat = own_seat(viewer, message.seat)
        _running(room)
        viewer.send_message(contents.changed(state, seat, ref=message.ref, offers=True))


async def show_preview(limits: Limits, room: Room, viewer: Viewer, message: messages.PreviewOrder) -> None:
    """Send what an order would have done."""
    async with room.exclusive() as state:
        seat = own_seat(viewer, message.seat)
        match = _running(room).match
        orders.check(match, seat, message.order, state.seats[seat].orders)
        copy = match.copy()
    async with limits.coach_slots:
        viewer.send_message(await preview(copy, seat, message.order, message.ref))
