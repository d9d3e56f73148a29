"""A preview of a standing order: what it would have done in the last decisions of its seat."""

from __future__ import annotations

import asyncio

from quadriga.engine import orders
from quadriga.engine.match.match import Match
from quadriga.engine.parts.display import Note
from quadriga.engine.parts.orders import Given, Order
from quadriga.server.protocol import texts
from quadriga.server.protocol.server_messages import OrderPreview

_ENTRIES = 160  # of the match that are looked back on
_MOST = 12  # actions that are told


async def preview(match: Match, seat: int, order: Order, ref: str | None) -> OrderPreview:
    """Return what an order would have done, computed in a thread. The match is a copy, which is changed."""
    decisions, would = await asyncio.to_thread(_would_have_done, match, seat, order)
    return OrderPreview(ref, decisions, [texts.notes(notes) for notes in would[-_MOST:]])


def _would_have_done(match: Match, seat: int, order: Order) -> tuple[int, list[list[Note]]]:
    """Return how many decisions of a seat were looked at, and the effects of the actions of the order there.

    The effects are those in a position that is dealt anew wherever the seat knew nothing.
    """
    part, game, decisions = orders.part_of(match.game), match.game, 0
    would: list[list[Note]] = []
    for entry in match.look_back(_ENTRIES):
        if entry.seat != seat or entry.chance or match.actor != seat:
            continue
        decisions += 1
        here = orders.situation(match, seat)
        action = part.decide(here, Given(order, part.moment(match.t, match.s)))
        if action is not None and action in here.actions:
            would.append(game.display.explain(match.t, here.s, match.check(action)))
    return decisions, would
