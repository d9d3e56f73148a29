"""Limit the memory of request bodies: in all, and per address while they are received.

Bytes count when they have arrived: a length that a client only announces takes nothing from others. Beyond a limit,
the largest incomplete body of the address that sends most is refused. So a client that sends little is served while
others fill the memory. A complete body is being processed and is not refused any more; the places of `turns` limit
how many of those an address has.
"""

from __future__ import annotations

import asyncio
from collections import Counter

from starlette.types import Message, Receive

from quadriga.server import metrics
from quadriga.server.protocol.errors import RoomError


class TooLargeError(Exception):
    """A body without a length has become too large."""


class Body:
    """The body of one request, of which at most `most` bytes are received."""

    def __init__(self, bodies: Bodies, address: str, receive: Receive, most: int) -> None:
        self._bodies, self.address, self._receive, self._most = bodies, address, receive, most
        self.size = 0
        self._refusal: tuple[str, int, int] | None = None  # no exception, whose frames would keep what was received
        self._next_part: asyncio.Timeout | None = None  # while it is waited for

    async def receive(self) -> Message:
        """Return the next part. Raises TooLargeError, and RoomError if the body was refused for lack of memory."""
        try:
            async with asyncio.timeout(None) as self._next_part:
                message = await self._receive()
        except TimeoutError:
            message = {}
        finally:
            self._next_part = None
        part = len(message.get("body", b""))
        if self.size + part > self._most:
            raise TooLargeError
        if part and self._refusal is None:
            self._bodies.add(self, part, is_last=not message.get("more_body", False))
        if self._refusal is not None:
            code, status, most = self._refusal
            raise RoomError(code, status, most=most)
        return message

    def refuse(self, code: str, status: int, most: int) -> None:
        """Refuse the rest of the body with an error, and stop counting it."""
        self._refusal = code, status, most
        self.release()
        if self._next_part is not None:
            self._next_part.reschedule(asyncio.get_running_loop().time())  # `receive` waits no longer

    def release(self) -> None:
        """Stop counting the body."""
        self._bodies.remove(self)


class Bodies:
    """The bodies in the memory of a server: `most` bytes, and `each` that are received from one address."""

    def __init__(self, most: int, each: int) -> None:
        self._most, self._each = most, each
        self._total = 0
        self._incomplete: set[Body] = set()
        self._received: Counter[str] = Counter()  # bytes of incomplete bodies, by address

    def add(self, body: Body, part: int, is_last: bool) -> None:
        """Count a part of a body. Beyond a limit, refuse bodies; this may be one of them."""
        self._incomplete.add(body)
        body.size += part
        self._total += part
        self._received[body.address] += part
        while self._total > self._most:
            self._largest(body).refuse("body.crowded", 503, self._most)
        if is_last:
            self._complete(body)
        while self._received[body.address] > self._each and body in self._incomplete:
            self._largest(body, body.address).refuse("body.yours", 429, self._each)
        metrics.body_bytes.set(self._total)

    def remove(self, body: Body) -> None:
        """Stop counting a body."""
        self._complete(body)
        self._total -= body.size
        body.size = 0
        metrics.body_bytes.set(self._total)

    def _complete(self, body: Body) -> None:
        """Stop counting a body for its address, which counts only incomplete ones; the total still includes it."""
        if body in self._incomplete:
            self._incomplete.discard(body)
            self._received[body.address] -= body.size
            if not self._received[body.address]:
                del self._received[body.address]

    def _largest(self, body: Body, address: str | None = None) -> Body:
        """Return the body to refuse: the largest of the address that sends most; among equals, this one."""
        among = [body, *(each for each in self._incomplete if address is None or each.address == address)]
        return max(among, key=lambda each: (self._received[each.address], each.size))
