"""Viewers: the websockets through which people look at a room, and the messages that they are still to be sent."""

from __future__ import annotations

from quadriga.engine.game import NOBODY
from quadriga.server.seats.known import Known
from quadriga.server.seats.outbox import Outbox


class Viewer(Outbox):
    """One websocket: its owner, the seat it looks from, and its queue of messages."""

    def __init__(
        self,
        holder: str | None,
        seats: list[int],
        seat: int,
        *,
        explain: bool,
        name: str,
        most: int,
    ) -> None:
        super().__init__(most)
        self.holder = holder
        self.seats = seats
        self.seat = seat
        self.explain = explain
        self.name = name  # the name that its owner wants to have as a watcher
        self.watcher_name = ""  # the name that its owner has as a watcher, once they have spoken
        self.address = ""
        self.person: Known | None = None  # who its owner is, if they have a device here
        self.muted: set[str] = set()
        self.hidden_seats: frozenset[int] = frozenset()  # of people who have blocked, or are blocked by, its owner
        self.position: object = None  # the key of the position that it was sent last
        self.wanted: list[int] = []  # the seats on a shared device that are asked now

    def take(self, seats: list[int]) -> bool:
        """Set the seats of the owner; return whether the viewer looks from another seat now."""
        self.seats, self.wanted, before = seats, [], self.seat
        if self.seat not in seats:
            self.seat = seats[0] if seats else NOBODY
        return self.seat != before

    @property
    def author(self) -> str:
        """Whose a chat message of the viewer is: the person, or their part in the room; empty for a stranger."""
        return self.person.id if self.person is not None else self.holder or ""

    def hears(self, seat: int, name: str) -> bool:
        """Return whether the owner wants to read what somebody has written."""
        return name not in self.muted and seat not in self.hidden_seats

    @property
    def plays(self) -> bool:
        """True if the owner has a seat."""
        return bool(self.seats)

    def own_seat(self, seat: int | None) -> int:
        """Return the seat that a message is about: the given one, or the one looked from; NOBODY if not theirs."""
        if seat is None:
            return self.seat if self.seats else NOBODY
        return seat if seat in self.seats else NOBODY
