"""The log of a tournament as it is published: anyone can make all pairings again from it."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from quadriga.lab.tournament.log import Event, Pair, Plan
from quadriga.lab.tournament.pairing import first_wrong


class PublishedLog(Struct):
    """The plan, the hash that was published before anybody entered, and all events."""

    plan: Plan
    commitment: str  # hexadecimal
    events: list[Event]

    @property
    def pairings(self) -> int:
        """The number of pairings."""
        return sum(isinstance(each, Pair) for each in self.events)

    def first_wrong(self) -> int | None:
        """Return the number of the first event that does not follow from those before; None if all do."""
        try:
            return first_wrong(self.plan, bytes.fromhex(self.commitment), self.events)
        except (AssertionError, IndexError, KeyError, ValueError):  # the log contradicts itself
            return 0


def read(content: bytes) -> PublishedLog:
    """Return a log from its JSON. Raises ValueError if it is not one."""
    return msgspec.json.decode(content, type=PublishedLog)
