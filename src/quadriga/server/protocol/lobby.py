"""Meeting people: messages of the socket that a page holds outside of a table, and requests about open tables."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from quadriga.server.protocol.client_messages import FromClient, Ping
from quadriga.server.protocol.fields import MOST_SEATS, Name, Seat, one_of
from quadriga.server.protocol.leagues import LeaguesChanged
from quadriga.server.protocol.nights import ComingNight
from quadriga.server.protocol.parts import Clock
from quadriga.server.protocol.people import MyGame
from quadriga.server.protocol.server_messages import FromServer, Pong, Refused, StandingChanged

FillSeconds = Annotated[int, Meta(ge=0, le=3600)]


class LobbySeat(Struct):
    """A seat of a listed table."""

    kind: Annotated[str, one_of("person", "bot", "open", "reserved")]
    """`reserved`: kept for somebody who plays again."""
    name: str
    bot: str | None
    rating: int | None = None
    """Of a member with a public profile, or of their bot, if it is sure: in games like this one."""


class LobbyTable(Struct):
    """A listed table: one that waits for players, or a game to watch."""

    id: str
    game: str
    status: Annotated[str, one_of("waiting", "playing", "paused")]
    seats: list[LobbySeat]
    options: dict[str, Any]
    """The options that the table has fixed, without custom files."""
    clock: Clock | None
    days: int | None
    """Days for a move, as the table was made; null: a live game."""
    rolls: Annotated[str, one_of("auto", "hand")]
    opened: int
    """When it was listed, in milliseconds since 1970."""
    fill: int | None
    """When bots take the open seats; null: never."""


class LobbyShown(FromServer, tag="lobby"):
    """All listed tables, and the number of people who are here. The first message."""

    tables: list[LobbyTable]
    present: int


class LobbyChanged(FromServer, tag="changed"):
    """Listed tables that are new or have changed, and those that are listed no more."""

    tables: list[LobbyTable]
    gone: list[str]
    present: int | UnsetType = UNSET
    """The number of people who are here, if it has changed."""


class GamesChanged(FromServer, tag="games"):
    """One's games that are not over, the last changed first."""

    games: list[MyGame]


class TableInvitation(Struct):
    """An invitation to a table that waits for players."""

    id: str
    by: str
    """The name of whoever invites."""
    table: str
    game: str
    sent: int
    """In milliseconds since 1970."""


class Circle(Struct):
    """Friends, requests, blocks and invitations of a person. Two people of whom one has blocked the other do not
    appear to each other, except in `blocks`."""

    friends: list[str]
    asks: list[str]
    """Members who ask to be friends."""
    asked: list[str]
    """Names that one has asked, as one has typed them."""
    blocks: list[str]
    invitations: list[TableInvitation]
    nights: list[ComingNight]
    """Game nights to come, the next first."""


class CompanyChanged(FromServer, tag="company"):
    """One's friends, requests, blocks and invitations."""

    company: Circle


class TournamentsChanged(FromServer, tag="tournaments"):
    """Tournaments in which something has happened: read them again."""

    ids: list[str]


class QuickChanged(FromServer, tag="quick"):
    """How one's search for a quick game stands."""

    state: Annotated[str, one_of("waiting", "alone", "paired", "idle")]
    """`alone`: nobody has come for a while, and bots could play instead. `idle`: the search has ended."""
    game: str | None = None
    seats: int | None = None
    table: str | None = None
    """The table at which one sits now, if the state is `paired`."""


class Quick(FromClient, tag="quick", kw_only=True):
    """Look for the next person who wants to play this game at a table of this size, until somebody is found, the
    search is cancelled, or the socket closes."""

    game: Annotated[str, Meta(max_length=64)]
    seats: Annotated[int, Meta(ge=2, le=MOST_SEATS)]
    name: Name
    """One's name at the table, for a guest."""


class CancelQuick(FromClient, tag="cancel"):
    """Look for a quick game no longer."""


LiveClientMessage = Quick | CancelQuick | Ping
LIVE_CLIENT_MESSAGES: tuple[type[Struct], ...] = (Quick, CancelQuick, Ping)
LIVE_SERVER_MESSAGES: tuple[type[Struct], ...] = (
    LobbyShown,
    LobbyChanged,
    GamesChanged,
    CompanyChanged,
    LeaguesChanged,
    QuickChanged,
    StandingChanged,
    TournamentsChanged,
    Refused,
    Pong,
)
LIVE_DECODER: msgspec.json.Decoder[LiveClientMessage] = msgspec.json.Decoder(LiveClientMessage)


class Opening(Struct, forbid_unknown_fields=True):
    """List a table, or no longer."""

    open: bool
    fill: FillSeconds | None = None
    """Seconds until bots take the seats that are still open, and the game starts; null: never."""


class Blocking(Struct, forbid_unknown_fields=True):
    """Block somebody: by name, or by their seat at a table."""

    name: Name | None = None
    table: Annotated[str, Meta(max_length=64)] | None = None
    seat: Seat | None = None


LOBBY_BODIES = (Opening, Blocking)


class Opened(Struct):
    """Whether a table is listed, and when bots take its open seats."""

    open: bool
    fill: int | None
    """In milliseconds since 1970."""


LOBBY_ANSWERS = (Opened, Circle)
