"""Outboxes: the messages that a websocket is still to be sent."""

from __future__ import annotations

import asyncio

from quadriga.server.protocol.server_messages import ENCODER

CLOSED = 4403  # the close code for somebody to whom the house is closed
SLOW = 4408  # the close code for a client that reads too slowly


class Outbox:
    """The queue of messages of one websocket."""

    def __init__(self, most: int) -> None:
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
