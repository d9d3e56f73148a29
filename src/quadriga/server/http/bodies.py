"""The bodies of requests in memory: at most so many bytes in all, and of one address while they are received.

Bytes count when they have arrived: a length that a client only announces takes nothing from others. Where there are
too many, the largest gives way: of the address that sends most, the largest half-received body is refused. So a
client that sends little is heard while others fill the memory. A body that is complete is worked on, and no longer
gives way; how many an address has of those, the places of `turns` limit.
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
        """Return the next part. Raises TooLargeError, and RoomError if the body has to give way."""
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
        """Receive no more of the body, and release what it holds."""
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
        """Count a part of a body. Where that is too much, bodies are refused; this may be one of them."""
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
        """Count a body only in all."""
        if body in self._incomplete:
            self._incomplete.discard(body)
            self._received[body.address] -= body.size
            if not self._received[body.address]:
                del self._received[body.address]

    def _largest(self, body: Body, address: str | None = None) -> Body:
        """Return the body that gives way, of one address or of all; among equals this one."""
        among = [body, *(each for each in self._incomplete if address is None or each.address == address)]
        return max(among, key=lambda each: (self._received[each.address], each.size))
