"""The events of games by days: the pace, deadlines, vacations, and seats that are lost by time.

Times are in milliseconds since 1970.
"""

from __future__ import annotations

from msgspec import Struct

from quadriga.server.protocol.parts import Days


class Event(Struct, frozen=True, forbid_unknown_fields=True):
    """An event of a log, or the set-up before it."""


class SetDays(Event, frozen=True):
    """The game goes on by days, or live."""

    days: Days | None


class Deadline(Event, frozen=True, omit_defaults=True):
    """A seat has to move until a time. The event holds until the next move, or the next event of its kind."""

    seat: int
    due: int
    warned: bool = False  # less than a quarter of the time is left, and the person is to be told


class Vacation(Event, frozen=True):
    """The person of a seat is on vacation, until a time at the latest; 0: no longer."""

    seat: int
    until: int


class TimeLost(Event, frozen=True):
    """The person of a seat has not moved in time, and loses it."""

    seat: int
