"""Requests and answers about people: who one is, one's devices, and one's games."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from quadriga.server.protocol.fields import Name, one_of
from quadriga.server.protocol.ratings import PoolRating

Label = Annotated[str, Meta(max_length=64)]
Code = Annotated[str, Meta(min_length=1, max_length=64)]


class Introduction(Struct, forbid_unknown_fields=True):
    """Be known on this device from now on."""

    label: Label = ""
    """The name of the device, for the list of devices."""


class Naming(Struct, forbid_unknown_fields=True):
    """Choose a name."""

    name: Name


class Keeping(Struct, forbid_unknown_fields=True):
    """Become a member."""

    name: Name
    invitation: Label = ""
    """The code of an invitation, where the house wants one."""
    terms: Annotated[str, Meta(max_length=16)] = ""
    """The version of the terms to which one agrees, where there are terms."""


class Profiling(Struct, forbid_unknown_fields=True):
    """Let others see one's profile, or no longer."""

    public: bool


class Proof(Struct, forbid_unknown_fields=True):
    """Prove who one is by a code."""

    code: Code
    label: Label = ""
    """The name of the device."""
    merge: bool = False
    """True: if this device belongs to another member, make one account of both."""


class HostCode(Struct, forbid_unknown_fields=True):
    """The code that the server has printed at its start."""

    code: Code


class Handover(Struct, forbid_unknown_fields=True):
    """Tokens for tables, which this browser has from earlier visits."""

    tokens: Annotated[dict[str, Annotated[str, Meta(max_length=400)]], Meta(max_length=100)]
    """By table."""


class NewKey(Struct, forbid_unknown_fields=True):
    """A key for a bot that plays over the network."""

    label: Annotated[str, Meta(min_length=1, max_length=64)]
    """The bot's name, for the list of keys."""


class NewPasskey(Struct, forbid_unknown_fields=True):
    """A passkey that the browser has made."""

    credential: dict[str, Any]
    """The value of `navigator.credentials.create`, as JSON."""
    label: Label = ""


class PasskeyProof(Struct, forbid_unknown_fields=True):
    """Prove who one is by a passkey."""

    credential: dict[str, Any]
    """The value of `navigator.credentials.get`, as JSON."""
    label: Label = ""
    merge: bool = False


class Deleting(Struct, forbid_unknown_fields=True):
    """Delete one's account."""

    name: str = ""
    """One's name, typed again; empty for a guest."""


class GoingAway(Struct, forbid_unknown_fields=True):
    """Begin one's vacation, or end it."""

    on: bool


PEOPLE_BODIES = (
    Deleting,
    GoingAway,
    Handover,
    HostCode,
    Introduction,
    Keeping,
    Naming,
    NewKey,
    NewPasskey,
    PasskeyProof,
    Profiling,
    Proof,
)


class Account(Struct):
    """A person, as they see themselves."""

    id: str
    name: str | None
    """Null for a guest."""
    role: Annotated[str, one_of("guest", "member", "moderator", "host")]
    since: int
    """Milliseconds since 1970."""
    public: bool
    """True if others may see the profile."""
    recovery: bool
    """True if there is a recovery code."""


class Me(Struct):
    """The person who sends the request, as far as the server knows."""

    me: Account | None
    """Null for somebody who has done nothing here yet."""
    passkeys: Annotated[str, one_of("yes", "address", "plain")]
    """Whether this site can have passkeys: `address` says that it has no name, `plain` that it has no TLS."""
    mail: bool = False
    """True if this server sends codes by e-mail."""
    oidc: str | None = None
    """The host's name for the identity provider of this server; null if there is none."""


class OnVacation(Struct):
    """One's vacation: the time in which deadlines of one's moves stand still, in games by days."""

    until: int | None
    """The latest end of the vacation that runs, in milliseconds since 1970; null if there is none."""
    left: float
    """Days that are left of those of a year."""
    days: int
    """Days of a year."""


class Kept(Struct):
    """A member, and the recovery code, which is shown only once."""

    me: Account
    recovery: str


class LinkCode(Struct):
    """A code that signs in another device, once."""

    code: str
    expires: int


class Device(Struct):
    """A device of a person, or a key of one of their bots."""

    id: str
    kind: Annotated[str, one_of("device", "bot")]
    label: str
    created: int
    seen: int
    """When it was last used, to the day."""
    current: bool
    """True for the device that asks."""


class OwnPasskey(Struct):
    """A passkey of a person."""

    id: str
    label: str
    created: int


class Devices(Struct):
    """The devices, keys and passkeys of a person, and their e-mail address."""

    devices: list[Device]
    passkeys: list[OwnPasskey]
    mail: str | None = None
    """The e-mail address that the person has given."""
    oidc: bool = False
    """True if the person can sign in by an account at the identity provider."""


class BotKey(Struct):
    """A key for a bot. It is shown only once."""

    device: Device
    key: str


class PasskeyOptions(Struct):
    """The options with which the browser makes or uses a passkey."""

    options: dict[str, Any]


class MyGameSeat(Struct):
    """A seat in a list of games."""

    kind: Annotated[str, one_of("person", "bot", "open")]
    name: str
    bot: str | None
    mine: bool
    place: int | None
    """1 for the winner, once the game is over."""


class MyGame(Struct):
    """A game of a person."""

    table: str
    game: str
    status: Annotated[str, one_of("waiting", "playing", "paused", "over", "ended", "closed")]
    seats: list[MyGameSeat]
    turn: int | None
    """The seat to move, as everybody may know; null if only one person plays."""
    mine: bool
    """True if the game waits for the person."""
    due: int | None
    """When the time for the move is over, in a game by days; milliseconds since 1970."""
    created: int
    changed: int
    ended: int | None
    place: int | None
    """The person's place, once the game is over."""
    rating: list[float] | None = None
    """The person's rating before and after the game, if it is rated."""


class MyGames(Struct):
    """Games of a person."""

    games: list[MyGame]
    next: str | None
    """The value of `before` for the games before these."""


class Results(Struct):
    """Finished games of one kind, and how often each place was taken."""

    game: str
    seats: int
    games: int
    places: list[int]
    """By place, from the first. Games without a result count in `games` only."""
    last: int


class Month(Struct):
    """Finished and won games of one kind in 30 days."""

    game: str
    span: int
    """0 for the oldest."""
    games: int
    won: int


class Statistics(Struct):
    """A person's results."""

    results: list[Results]
    months: list[Month]
    """The last twelve spans of 30 days."""


class Profile(Struct):
    """A member, as others see them."""

    name: str
    role: Annotated[str, one_of("member", "moderator", "host")]
    since: int
    results: list[Results]
    ratings: list[PoolRating] = []
    """The person's, and those of their bots."""


class HandedOver(Struct):
    """How many tables were handed over."""

    tables: int


PEOPLE_ANSWERS = (
    BotKey,
    Devices,
    HandedOver,
    Kept,
    LinkCode,
    Me,
    MyGames,
    OnVacation,
    PasskeyOptions,
    Profile,
    Statistics,
)
