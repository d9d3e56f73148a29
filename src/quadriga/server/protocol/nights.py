"""Requests and answers about game nights."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from quadriga.server.protocol.fields import MOST_SEATS, Name, one_of

_ANSWER = one_of("yes", "no", "maybe")


class NightPlan(Struct, forbid_unknown_fields=True):
    """Invite to a game night."""

    game: Annotated[str, Meta(max_length=64)]
    seats: Annotated[int, Meta(ge=2, le=MOST_SEATS)]
    at: Annotated[int, Meta(ge=0, le=2**53)]
    """In milliseconds since 1970."""
    name: Name
    """One's name, for a guest."""
    title: Annotated[str, Meta(max_length=80)] = ""


class Answering(Struct, forbid_unknown_fields=True):
    """Say whether one comes to a game night."""

    answer: Literal["yes", "no", "maybe"]
    name: Name
    """One's name, for a guest."""


NIGHT_BODIES = (NightPlan, Answering)


class NightGuest(Struct):
    """Somebody who has answered the invitation to a game night."""

    name: str
    answer: Annotated[str, _ANSWER]


class Night(Struct):
    """A game night, for everybody who has its link."""

    id: str
    title: str
    by: str
    """The name of whoever invites."""
    game: str
    seats: int
    at: int
    """In milliseconds since 1970."""
    mine: bool
    """True if one has planned it oneself."""
    answer: Annotated[str, _ANSWER] | None
    """One's own answer."""
    guests: list[NightGuest]
    table: str | None
    """The table, once it is made."""


class ComingNight(Struct):
    """A game night that one has planned, or comes to, perhaps."""

    id: str
    title: str
    by: str
    game: str
    at: int
    table: str | None


NIGHT_ANSWERS = (Night,)
