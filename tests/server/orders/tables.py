"""Tables whose people give standing orders: read what they are told, and put a position on the table."""

from __future__ import annotations

import json
from typing import Any

from quadriga.engine.match.match import Match
from server.support.listeners import Listener, Table


def told(listener: Listener, kind: str) -> list[dict[str, Any]]:
    """Return the messages of a type that a listener was sent."""
    found = [json.loads(text) for _, text in listener.heard]
    return [each for each in found if each["type"] == kind]


def orders_of(listener: Listener) -> list[dict[str, Any]]:
    """Return the orders that a listener was told last."""
    return [each["order"] for each in told(listener, "orders")[-1]["orders"]]


def ended(listener: Listener) -> list[str]:
    """Return how the orders of a listener have ended, in turn."""
    return [each["how"] for message in told(listener, "orders") for each in message["ended"]]


async def order(listener: Listener, kind: str, of: str = "", when: str = "", most: int | None = None) -> bool:
    """Give an order; return whether it was accepted."""
    return await listener.say(type="order", order={"kind": kind, "of": of, "when": when, "most": most})


def put(table: Table, position: Match) -> None:
    """Put a position on the table, in all processes."""
    for room in table.rooms:
        match = room.session.match
        match.s.assign(position.s.tobytes())
        match.start_here()
        room.session._update_actor()
        room.window_timer._current = None


def played(table: Table) -> list[str]:
    """Return the actions and outcomes since the position was put on the table."""
    return [entry.text for entry in table.room.session.match.entries]
