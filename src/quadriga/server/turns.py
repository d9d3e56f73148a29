"""Fair queues for scarce resources: reviews, worker processes, hints. Addresses get their turns in rotation.

A client takes a place before it sends what the turn is for, and waits for its turn afterwards. So an address cannot
make the server receive more than it would ever work on, and a client that sends slowly keeps nobody waiting.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from types import TracebackType

from quadriga.server.protocol.errors import RoomError

_REMEMBERED = 10_000  # addresses; the one whose last turn was longest ago is forgotten


class Place:
    """A reservation of an address in a queue. The end of its `with` block releases it, and its turn."""

    def __init__(self, turns: Turns, address: str) -> None:
        self._turns, self.address = turns, address
        self.granted: asyncio.Future[None] | None = None  # while it waits
        self.is_left = False

    async def turn(self) -> None:
        """Wait for the turn. Raises RoomError if the queue is full, or if the place is evicted from it."""
        await self._turns.wait(self)

    def hand_over(self) -> Place:
        """Transfer the reservation: return a new place, which its owner has to leave. This one ends."""
        self.is_left = True
        return Place(self._turns, self.address)

    def leave(self) -> None:
        """Release the reservation, whether it waits, has its turn, or neither."""
        if not self.is_left:
            self.is_left = True
            self._turns.leave(self)

    def __enter__(self) -> Place:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()


class Turns:
    """A fair queue: at most `count` turns at once, `waiting` places in the queue, and `each` places per address.

    A turn goes to the address with the fewest turns under way, and among these to the one whose last turn was
    longest ago. If too many wait, the newest place of the address that waits with most is given up for an address
    that waits with fewer.
    """

    def __init__(self, kind: str, count: int, waiting: int, each: int) -> None:
        self._kind = kind  # of the refusals: `kind.busy` and `kind.yours`
        self._count, self._most_waiting, self._each = count, waiting, each
        self._places: Counter[str] = Counter()  # by address
        self._running: set[Place] = set()
        self._waiting: list[Place] = []  # the first to come first
        self._last: OrderedDict[str, int] = OrderedDict()  # the number of the last turn of each address
        self._number = 0

    def place(self, address: str) -> Place:
        """Reserve a place for an address. Raises RoomError if it has too many, or if the queue is full for it."""
        if self._places[address] >= self._each:
            raise RoomError(f"{self._kind}.yours", 429, most=self._each)
        if self._is_full:
            self._displaced(address)
        self._places[address] += 1
        return Place(self, address)

    async def wait(self, place: Place) -> None:
        """Wait for the turn of a place. Raises RoomError if too many wait."""
        if len(self._running) < self._count:
            self._begin(place)
            return
        if self._is_full:
            self._refuse(self._displaced(place.address))
        place.granted = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        await place.granted

    def leave(self, place: Place) -> None:
        """End a place and its turn, and give the turn to the next."""
        self._places[place.address] -= 1
        if not self._places[place.address]:
            del self._places[place.address]
        self._running.discard(place)
        if place in self._waiting:
            self._waiting.remove(place)
            if place.granted is not None:
                place.granted.cancel()  # if somebody else gives it up
        while self._waiting and len(self._running) < self._count:
            self._begin(self._next())

    @property
    def _is_full(self) -> bool:
        return len(self._running) >= self._count and len(self._waiting) >= self._most_waiting

    def _begin(self, place: Place) -> None:
        self._number += 1
        self._last[place.address] = self._number
        self._last.move_to_end(place.address)
        if len(self._last) > _REMEMBERED:
            self._last.popitem(last=False)
        self._running.add(place)
        if place.granted is not None and not place.granted.done():  # a cancelled one leaves by itself
            place.granted.set_result(None)

    def _next(self) -> Place:
        """Remove and return the waiting place whose turn is next."""
        running = Counter(each.address for each in self._running)
        found = min(self._waiting, key=lambda each: (running[each.address], self._last.get(each.address, 0)))
        self._waiting.remove(found)
        return found

    def _displaced(self, address: str) -> Place:
        """Return the waiting place to evict in favour of an address. Raises RoomError if there is none."""
        waiting = Counter(each.address for each in self._waiting)
        found = max(reversed(self._waiting), key=lambda each: waiting[each.address], default=None)
        if found is None or waiting[found.address] <= waiting[address] + 1:
            raise RoomError(f"{self._kind}.busy", 429)
        return found

    def _refuse(self, place: Place) -> None:
        self._waiting.remove(place)
        if place.granted is not None and not place.granted.done():
            place.granted.set_exception(RoomError(f"{self._kind}.busy", 429))
