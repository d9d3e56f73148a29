"""Viewers: whoever looks at a table through a socket, and who of the people at the table is here."""

from __future__ import annotations

import asyncio
import time
from collections import deque

from quadriga.engine.game import NOBODY
from quadriga.server.present.frames import encoded
from quadriga.server.protocol.messages import Sent
from quadriga.server.ws.transport import Push

SLOW = 4408


class Viewer:
    """One socket: who it belongs to, from which seat it looks, and what is still to be sent to it."""

    def __init__(
        self,
        holder: str | None,
        seats: list[int],
        seat: int,
        *,
        explain: bool,
        name: str,
        most: int,
        push: Push | None = None,
    ) -> None:
        self.holder = holder
        self.seats = seats
        self.seat = seat
        self.explain = explain
        self.name = name  # as its owner wants to be called while watching,
        self.watches_as = ""  # ... and as it is called
        self.address = ""  # where it comes from
        self.muted: set[str] = set()
        self.wanted: list[int] = []
        self.close_code: int | None = None
        self._most = most
        self._push = push
        self._held: list[bytes] | None = None
        self._queue: deque[bytes] = deque()
        self._some = asyncio.Event()

    def send(self, frame: bytes) -> None:
        """Send a frame, at once or in its turn; who reads too slowly is cut off, and may come again."""
        if self.close_code is not None:
            return
        if self._held is not None:
            self._held.append(frame)
        elif self._queue or self._push is None or not self._push(frame):
            self._put(frame)

    def _put(self, frame: bytes) -> None:
        if len(self._queue) >= self._most:
            self.close(SLOW)
        elif self.close_code is None:
            self._queue.append(frame)
            self._some.set()

    def hold(self) -> None:
        """Keep what comes until `release`: it goes out in one go then."""
        self._held = []

    def release(self) -> None:
        """Send what was held."""
        held, self._held = self._held or [], None
        if held and self.close_code is None and (self._queue or self._push is None or not self._push(*held)):
            for frame in held:
                self._put(frame)

    def send_message(self, message: Sent) -> None:
        """Send a message."""
        self.send(encoded(message))

    def close(self, code: int) -> None:
        """End the connection after what is in the queue; a slow reader's queue is dropped."""
        self.release()
        if code == SLOW:
            self._queue.clear()
        self.close_code = code
        self._some.set()

    async def next(self) -> bytes | None:
        """The next frame, which stays in the queue until it is `sent`; None when the connection is to end."""
        while not self._queue:
            if self.close_code is not None:
                return None
            self._some.clear()
            await self._some.wait()
        return self._queue[0]

    def sent(self) -> None:
        """The next frame is on its way: what comes after it cannot overtake it."""
        if self._queue:
            self._queue.popleft()

    def take(self, seats: list[int]) -> bool:
        """Have these seats from now on; return whether that changes from where the socket looks."""
        self.seats, self.wanted, before = seats, [], self.seat
        if self.seat not in seats:
            self.seat = seats[0] if seats else NOBODY
        return self.seat != before

    @property
    def plays(self) -> bool:
        """Whether this is somebody with a seat."""
        return bool(self.seats)


class Presence:
    """Who is here, and since when the others are not."""

    def __init__(self, long_gone: float) -> None:
        self.long_gone = long_gone
        self.viewers: set[Viewer] = set()
        self._gone: dict[str, float] = {}
        self.empty_since: float | None = time.monotonic()

    def here(self, holder: str) -> bool:
        """Whether somebody has a socket open."""
        return any(viewer.holder == holder for viewer in self.viewers)

    @property
    def watching(self) -> int:
        """How many look on."""
        return sum(not viewer.seats for viewer in self.viewers)

    def come(self, viewer: Viewer) -> None:
        """Somebody opens a socket."""
        self.viewers.add(viewer)
        self.empty_since = None
        if viewer.holder is not None:
            self._gone.pop(viewer.holder, None)

    def go(self, viewer: Viewer) -> None:
        """Somebody's socket is closed."""
        self.viewers.discard(viewer)
        if viewer.holder is not None and not self.here(viewer.holder):
            self._gone[viewer.holder] = time.monotonic()
        if not self.viewers:
            self.empty_since = time.monotonic()

    def missed(self, holder: str) -> None:
        """Somebody should be here and is not, from now on."""
        if not self.here(holder):
            self._gone.setdefault(holder, time.monotonic())

    def away(self, holder: str) -> float | None:
        """For how many seconds somebody has been away; None while he is here."""
        since = self._gone.get(holder)
        return None if since is None or self.here(holder) else time.monotonic() - since

    def counts(self, holder: str) -> bool:
        """Whether somebody is here, or has not been away for long."""
        away = self.away(holder)
        return away is None or away < self.long_gone

    def looking_from(self) -> set[tuple[int, bool]]:
        """The viewpoints that somebody has, with and without explanations."""
        return {(viewer.seat, viewer.explain) for viewer in self.viewers}


def mine(viewer: Viewer, seat: int | None) -> int:
    """The seat that a message is about: the one named, if it is the viewer's, or the one looked from."""
    if seat is None:
        return viewer.seat if viewer.seats else NOBODY
    return seat if seat in viewer.seats else NOBODY
