"""Limits on each address and each guest: rates, and numbers at once. Their values are in the settings."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Container
from contextlib import asynccontextmanager

from quadriga.server.protocol import client_messages as messages
from quadriga.server.protocol.errors import RoomError
from quadriga.server.settings import Settings
from quadriga.server.turns import Turns

_COACHES = 2  # answers of the coach that are computed at once
_REMEMBERED = 10_000  # addresses or guests; the one unseen for longest is forgotten


class Bucket:
    """A token bucket: `burst` at once, `rate` per second."""

    __slots__ = ("_at", "_left", "burst", "rate")

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._left = burst
        self._at = time.monotonic()

    def take(self, cost: float = 1.0) -> bool:
        """Take `cost` from the bucket; return False if there is not enough."""
        now = time.monotonic()
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now
        if self._left < cost:
            return False
        self._left -= cost
        return True

    def drain(self, cost: float) -> None:
        """Subtract `cost`, which was spent at another process. The bucket may go negative, by at most one burst."""
        self.take(0.0)
        self._left = max(-self.burst, self._left - cost)


class Buckets:
    """A token bucket per address. Processes that share a limit tell each other what was spent."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._spent: dict[str, float] | None = None  # since other processes were told; None: they are not told

    def _bucket(self, address: str) -> Bucket:
        bucket = self._buckets.pop(address, None) or Bucket(self._rate, self._burst)
        self._buckets[address] = bucket
        if len(self._buckets) > _REMEMBERED:
            self._buckets.popitem(last=False)
        return bucket

    def take(self, address: str, cost: float = 1.0) -> bool:
        """Take `cost` from the bucket of an address; return False if there is not enough."""
        is_enough = self._bucket(address).take(cost)
        if is_enough and self._spent is not None:
            self._spent[address] = self._spent.get(address, 0.0) + cost
        return is_enough

    def share(self) -> None:
        """Start to record what is spent, for `spent_since_last`."""
        self._spent = {}

    def spent_since_last(self) -> dict[str, float]:
        """Return what was spent since the last call, by address."""
        spent, self._spent = self._spent or {}, {}
        return spent

    def drain(self, address: str, cost: float) -> None:
        """Subtract what an address has spent at another process from its bucket."""
        self._bucket(address).drain(cost)

    def check(self, address: str, cost: float = 1.0) -> None:
        """Take `cost` from the bucket of an address. Raises RoomError if there is not enough."""
        if not self.take(address, cost):
            raise RoomError("wire.rate", 429)


class ConnectionLimit:
    """Limit the connections or sockets that are open at once, in all and by address."""

    def __init__(self, most: int, each: int) -> None:
        self._most, self._each = most, each
        self._total = 0
        self._by_address: Counter[str] = Counter()

    def acquire(self, address: str | None) -> bool:
        """Count one more; return False if there are too many. Without an address only the total counts."""
        if self._total >= self._most or (address is not None and self._by_address[address] >= self._each):
            return False
        self._total += 1
        if address is not None:
            self._by_address[address] += 1
        return True

    def release(self, address: str | None) -> None:
        """Count one less."""
        self._total -= 1
        if address is not None:
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]


class GuestRates:
    """A rate limit for each guest, and a higher one for each address, which a household may share."""

    def __init__(self, rate: float, burst: float, household: float) -> None:
        self._guests = Buckets(rate, burst)
        self._addresses = Buckets(rate * household, burst * household)

    def check(self, address: str, guest: str | None) -> None:
        """Raise RoomError if a guest or their address is above the rate. Without a token the address counts."""
        self._guests.check(address if guest is None else guest)
        self._addresses.check(address)


class Limits:
    """All limits of a server."""

    def __init__(self, settings: Settings) -> None:
        s = self._settings = settings
        self.creates = Buckets(s.creates, s.create_burst)
        self.joins = Buckets(s.joins, s.join_burst)
        self.replays = Buckets(s.replays, s.replay_burst)
        self.pictures = Buckets(s.pictures, s.picture_burst)
        self.uploads = Buckets(s.uploads, s.upload_burst)
        self.records = Buckets(s.records, s.record_burst)
        self.reviews = Buckets(s.reviews, s.review_burst)
        self.guests = Buckets(s.guests, s.guest_burst)
        self.accounts = Buckets(s.accounts, s.account_burst)
        self.reports = Buckets(s.report_rate, s.report_burst)
        self.moderation = Buckets(s.moderation, s.moderation_burst)
        self._proofs = Buckets(s.proofs, s.proof_burst)
        self._proofs_in_all = Bucket(s.proofs_in_all, s.proofs_in_all)
        self._mails = Buckets(s.mails, s.mail_burst)
        self._mails_in_all = Bucket(s.mails_in_all, s.mails_in_all)
        self.sockets = ConnectionLimit(s.sockets, s.sockets_each)
        self.listeners = ConnectionLimit(s.listeners, s.listeners_each)
        self._chats = GuestRates(s.chats, s.chat_burst, s.household)
        self._new_chats = GuestRates(s.new_chats, s.new_chat_burst, s.household)
        self._looks = GuestRates(s.looks, s.look_burst, s.household)
        self._changes = GuestRates(s.changes, s.change_burst, s.household)
        self._hints = GuestRates(s.hints, s.hint_burst, s.household)
        self._hint_turns = Turns("hint", s.hint_workers, s.hint_queue, s.hint_each)
        self.coach_slots = asyncio.Semaphore(_COACHES)
        self._hint_guests: set[str] = set()  # guests that wait for a hint
        self.shared = {  # the rates of an address, which hold over all processes
            "creates": self.creates,
            "joins": self.joins,
            "replays": self.replays,
            "pictures": self.pictures,
            "uploads": self.uploads,
            "records": self.records,
            "reviews": self.reviews,
            "guests": self.guests,
            "accounts": self.accounts,
            "reports": self.reports,
            "moderation": self.moderation,
            "proofs": self._proofs,
            "mails": self._mails,
        }
        self._creators: dict[str, str] = {}  # the address that has created each table, by table id
        self._organisers: dict[str, str] = {}  # the address that has organised each tournament, by its id

    def check_message(self, address: str, guest: str | None, message: messages.ClientMessage) -> None:
        """Raise RoomError if a guest sends too many messages of this kind. The socket's own rate limits moves."""
        match message:
            case messages.Chat():
                self._chats.check(address, guest)
            case messages.Hello() | messages.Look() | messages.Coach() | messages.Why() | messages.ListOrders():
                self._looks.check(address, guest)
            case (
                messages.SetAskedWindows()
                | messages.SetAskedWhen()
                | messages.React()
                | messages.Skip()
                | messages.Hold()
                | messages.GiveOrder()
                | messages.CancelOrder()
                | messages.AnnounceDeal()
                | messages.SetPace()
                | messages.Rush()
                | messages.SetDiceWord()
                | messages.Mute()
                | messages.Vote()
                | messages.Leave()
                | messages.Back()
            ):
                self._changes.check(address, guest)
            case messages.Hint() | messages.PreviewOrder():
                self._hints.check(address, guest)

    def check_new_chat(self, address: str, guest: str | None) -> None:
        """Raise RoomError if a guest who is new chats too fast."""
        self._new_chats.check(address, guest)

    @asynccontextmanager
    async def hint(self, address: str, guest: str) -> AsyncIterator[None]:
        """Wait in a fair queue over addresses to compute a hint in the block. A guest has one hint at a time."""
        if guest in self._hint_guests:
            raise RoomError("hint.busy", 429)
        with self._hint_turns.place(address) as place:
            self._hint_guests.add(guest)
            try:
                await place.turn()
                yield
            finally:
                self._hint_guests.discard(guest)

    def check_proof(self, *tried: str) -> None:
        """Raise RoomError if an address, or somebody who tries to be a certain person, tries too many codes."""
        for each in tried:
            self._proofs.check(each)
        if not self._proofs_in_all.take():
            raise RoomError("wire.rate", 429)

    def check_mail(self, *asking: str) -> None:
        """Raise RoomError if an address, a person, or somebody for an e-mail address asks for too many codes."""
        for each in asking:
            self._mails.check(each)
        if not self._mails_in_all.take():
            raise RoomError("wire.rate", 429)

    def check_create(self, address: str, alive: Container[str]) -> None:
        """Raise RoomError if an address has too many tables in memory, or creates them too fast."""
        self._creators = {room: each for room, each in self._creators.items() if room in alive}
        if sum(each == address for each in self._creators.values()) >= self._settings.tables_each:
            raise RoomError("table.yours", 429, most=self._settings.tables_each)
        self.creates.check(address)

    def created(self, address: str, id: str) -> None:
        """Note that an address has created a table."""
        self._creators[id] = address

    def check_organise(self, address: str, alive: Container[str]) -> None:
        """Raise RoomError if an address has organised too many tournaments that are not over."""
        self._organisers = {each: by for each, by in self._organisers.items() if each in alive}
        if sum(by == address for by in self._organisers.values()) >= self._settings.tournaments_each:
            raise RoomError("tournament.yours", 429, most=self._settings.tournaments_each)

    def organised(self, address: str, id: str) -> None:
        """Note that an address has organised a tournament."""
        self._organisers[id] = address
