"""Viewers: the websockets through which people look at a room, and the messages that they are still to be sent."""

from __future__ import annotations

import asyncio

from quadriga.engine.game import NOBODY
from quadriga.server.protocol.server_messages import ENCODER

SLOW = 4408  # the close code for a client that reads too slowly


class Viewer:
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
        self.holder = holder
        self.seats = seats
        self.seat = seat
        self.explain = explain
        self.name = name  # the name that its owner wants to have as a watcher
        self.watcher_name = ""  # the name that its owner has as a watcher, once they have spoken
        self.address = ""
        self.muted: set[str] = set()
        self.position: object = None  # the key of the position that it was sent last
        self.wanted: list[int] = []  # the seats on a shared device that are asked now
        self.close_code: int | None = None
        self._most = most
        self._queue: list[bytes] = []  # nearly always empty, and much smaller than a deque
        self._waiter: asyncio.Future[None] | None = None  # of `next`

    def send(self, message: bytes) -> None:
        """Queue a message; a client that reads too slowly is disconnected."""
        if self.close_code is not None:
            return
        if len(self._queue) >= self._most:
            self.close(SLOW)
        else:
            self._queue.append(message)
            self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def send_message(self, message: object) -> None:
        """Encode a message and send it."""
        self.send(ENCODER.encode(message))

    def close(self, code: int) -> None:
        """Close the connection after the queued messages; the queue of a slow reader is dropped."""
        if code == SLOW:
            self._queue.clear()
        self.close_code = code
        self._wake()

    async def next(self) -> bytes | None:
        """Return the next message, which stays queued until `sent`; return None when the connection is to close."""
        while not self._queue:
            if self.close_code is not None:
                return None
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self._queue[0]

    def sent(self) -> None:
        """Remove the message that `next` has returned: it is written, so later messages cannot overtake it."""
        if self._queue:
            self._queue.pop(0)

    def take(self, seats: list[int]) -> bool:
        """Set the seats of the owner; return whether the viewer looks from another seat now."""
        self.seats, self.wanted, before = seats, [], self.seat
        if self.seat not in seats:
            self.seat = seats[0] if seats else NOBODY
        return self.seat != before

    @property
    def plays(self) -> bool:
        """True if the owner has a seat."""
        return bool(self.seats)

    def own_seat(self, seat: int | None) -> int:
        """Return the seat that a message is about: the given one, or the one looked from; NOBODY if not theirs."""
        if seat is None:
            return self.seat if self.seats else NOBODY
        return seat if seat in self.seats else NOBODY
