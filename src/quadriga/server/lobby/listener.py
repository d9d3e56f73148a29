"""A page outside of a table: who looks at it, and what it was sent."""

from __future__ import annotations

from quadriga.server.people.person import Visitor
from quadriga.server.seats.outbox import Outbox


class Listener(Outbox):
    """One websocket of the lobby."""

    def __init__(self, visitor: Visitor | None, address: str, most: int) -> None:
        super().__init__(most)
        self.person = None if visitor is None else visitor.person
        self.session_id = None if visitor is None else visitor.session.id
        self.address = address
        self.hidden: frozenset[str] = frozenset()  # people who are blocked, or have blocked the person
        self.shown: dict[str, bytes] = {}  # by the kind of a message: the last one about the person themselves

    def show(self, kind: str, message: bytes) -> None:
        """Send a message about the person, unless it says what the last one of its kind has said."""
        if self.shown.get(kind) != message:
            self.shown[kind] = message
            self.send(message)
