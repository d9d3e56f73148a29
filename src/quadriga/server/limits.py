"""How often and how much: what each address, and each guest, may ask for. The numbers are in the settings."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Container
from contextlib import asynccontextmanager

from quadriga.server.protocol import messages
from quadriga.server.protocol.errors import RoomError
from quadriga.server.settings import Settings

_REMEMBERED = 10_000  # addresses, and guests


class Bucket:
    """So many at once, and so many a second."""

    __slots__ = ("_at", "_left", "burst", "rate")

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._left = burst
        self._at = time.monotonic()

    def take(self, cost: float = 1.0) -> bool:
        """Whether there is one left."""
        moment = time.monotonic()
        self._left = min(self.burst, self._left + (moment - self._at) * self.rate)
        self._at = moment
        if self._left < cost:
            return False
        self._left -= cost
        return True


class Buckets:
    """One bucket an address; the longest unseen is forgotten."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._by: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, cost: float = 1.0) -> bool:
        """Whether this address may."""
        bucket = self._by.pop(address, None) or Bucket(self._rate, self._burst)
        self._by[address] = bucket
        if len(self._by) > _REMEMBERED:
            self._by.popitem(last=False)
        return bucket.take(cost)

    def check(self, address: str, cost: float = 1.0) -> None:
        """Refuse an address that may not."""
        if not self.take(address, cost):
            raise RoomError("wire.rate", 429)


class Crowd:
    """How many there are at once, in all and from one address."""

    def __init__(self, most: int, each: int) -> None:
        self._most, self._each = most, each
        self._all = 0
        self._from: Counter[str] = Counter()

    def come(self, address: str | None) -> bool:
        """Whether there is room for one more; without an address only the total counts."""
        if self._all >= self._most or (address is not None and self._from[address] >= self._each):
            return False
        self._all += 1
        if address is not None:
            self._from[address] += 1
        return True

    def go(self, address: str | None) -> None:
        """One has left."""
        self._all -= 1
        if address is not None:
            self._from[address] -= 1
            if not self._from[address]:
                del self._from[address]


class Shares:
    """A rate for each guest, and as much for an address as for several guests."""

    def __init__(self, rate: float, burst: float, household: float) -> None:
        self._guests = Buckets(rate, burst)
        self._addresses = Buckets(rate * household, burst * household)

    def check(self, address: str, guest: str | None) -> None:
        """Refuse who may not; somebody without a token is a guest by his address."""
        self._guests.check(address if guest is None else guest)
        self._addresses.check(address)


class Limits:
    """What is counted for a whole server."""

    def __init__(self, settings: Settings) -> None:
        s = self._settings = settings
        self.creates = Buckets(s.creates, s.create_burst)
        self.joins = Buckets(s.joins, s.join_burst)
        self.replays = Buckets(s.replays, s.replay_burst)
        self.uploads = Buckets(s.uploads, s.upload_burst)
        self.records = Buckets(s.records, s.record_burst)
        self.reviews = Buckets(s.reviews, s.review_burst)
        self.sockets = Crowd(s.sockets, s.sockets_each)
        self._chats = Shares(s.chats, s.chat_burst, s.household)
        self._looks = Shares(s.looks, s.look_burst, s.household)
        self._changes = Shares(s.changes, s.change_burst, s.household)
        self._hints = Shares(s.hints, s.hint_burst, s.household)
        self._thinking = asyncio.Semaphore(s.hint_workers)
        self._asking: set[str] = set()  # guests who wait for a hint
        self._creators: dict[str, str] = {}  # addresses by the ids of the tables that they have created

    def check_message(self, address: str, guest: str | None, said: messages.Message) -> None:
        """Refuse a message of who sends too many of its kind; moves are limited by the socket alone."""
        match said:
            case messages.Chat():
                self._chats.check(address, guest)
            case messages.Hello() | messages.Look() | messages.Why():
                self._looks.check(address, guest)
            case (
                messages.Stops()
                | messages.GiveWord()
                | messages.Mute()
                | messages.Vote()
                | messages.Leave()
                | messages.Back()
            ):
                self._changes.check(address, guest)
            case messages.Hint():
                self._hints.check(address, guest)

    @asynccontextmanager
    async def hint(self, guest: str) -> AsyncIterator[None]:
        """A turn to think about a hint; a guest waits for one at a time."""
        if guest in self._asking or len(self._asking) >= self._settings.hint_workers + self._settings.hint_queue:
            raise RoomError("hint.busy", 429)
        self._asking.add(guest)
        try:
            async with self._thinking:
                yield
        finally:
            self._asking.discard(guest)

    def check_create(self, address: str, alive: Container[str]) -> None:
        """Refuse a new table to an address that has too many, or makes too many."""
        self._creators = {room: each for room, each in self._creators.items() if room in alive}
        if sum(each == address for each in self._creators.values()) >= self._settings.tables_each:
            raise RoomError("table.yours", 429, most=self._settings.tables_each)
        self.creates.check(address)

    def created(self, address: str, id: str) -> None:
        """An address has created a table."""
        self._creators[id] = address
