"""Bodies of requests."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from quadriga.server.protocol.fields import (
    MOST_SEATS,
    RECORD_BYTES,
    STEPS,
    Beat,
    BotKind,
    Name,
    Number,
    Pace,
    Ref,
    Seat,
    Word,
)
from quadriga.server.protocol.leagues import LEAGUE_BODIES
from quadriga.server.protocol.lobby import LOBBY_BODIES, FillSeconds
from quadriga.server.protocol.mail import MAIL_BODIES
from quadriga.server.protocol.moderation import MODERATION_BODIES
from quadriga.server.protocol.nights import NIGHT_BODIES
from quadriga.server.protocol.notices import NOTICE_BODIES
from quadriga.server.protocol.oidc import OIDC_BODIES
from quadriga.server.protocol.parts import Clock, Days
from quadriga.server.protocol.people import PEOPLE_BODIES
from quadriga.server.protocol.tournaments import TOURNAMENT_BODIES


class SeatRequest(Struct, forbid_unknown_fields=True):
    """A seat of a new table."""

    kind: Literal["me", "open", "bot"]
    """Several seats of kind `me` are people who share this device and its token."""
    name: Name | None = None
    bot: BotKind | None = None


class Dice(Struct, forbid_unknown_fields=True, frozen=True):
    """Fair dice, or seeded dice for tests."""

    kind: Literal["fair", "seeded"] = "fair"
    seed: Annotated[int, Meta(ge=0, lt=2**53)] | None = None
    """For seeded dice."""


class Create(Struct, forbid_unknown_fields=True):
    """A new table."""

    game: Annotated[str, Meta(max_length=64)]
    seats: Annotated[list[SeatRequest], Meta(min_length=1, max_length=MOST_SEATS)]
    """The seats in order. The creator is host even if no seat is `me`."""
    name: Name
    """The host's name."""
    options: dict[str, Any] = {}
    """Options of the game (`GET /api/games`); the others get their defaults."""
    public: bool = False
    """True: list the table."""
    fill: FillSeconds | None = None
    """With `public`: seconds until bots take the open seats and the game starts; without it never."""
    rolls: Literal["auto", "hand"] = "auto"
    """With `hand` the player rolls (message `roll`), and can take back the last move until then."""
    clock: Clock | None = None
    days: Days | None = None
    """Play by days; without it, live. Not with a clock."""
    dice: Dice = Dice()
    word: Word = ""
    """The host's word for the dice."""
    pace: Pace = 700
    """Milliseconds that a bot takes for a move that everybody sees."""
    beat: Beat | None = None
    """Milliseconds that each reaction window lasts among people; without it, as the server is set. With 0 every
    window asks every player, also alone against bots and with nothing to play, and waits for the answer."""
    undo: bool = False
    """Dice and cards wait after a person's move, so that it can be taken back. Not with reaction windows."""
    start: bool = False
    """Start at once; needs every seat taken."""
    league: Ref | None = None
    """The league that the game belongs to, for a member of it. The options of the league hold. Only members may sit
    down, unless the table is listed."""


class Join(Struct, forbid_unknown_fields=True):
    """Take an open seat."""

    name: Name
    seat: Seat | None = None
    """The wanted seat; the first open one without it."""
    word: Word = ""
    """A word for the dice."""
    invite: Annotated[str, Meta(max_length=64)] | None = None
    """The code of the host's invitation, for the seat of a removed player."""


class Inviting(Struct, forbid_unknown_fields=True):
    """Invite a newcomer to the seat of a removed player, or withdraw the invitation."""

    on: bool = True


class Seating(Struct, forbid_unknown_fields=True):
    """Put a bot on a seat, or open the seat."""

    kind: Literal["open", "bot"]
    bot: BotKind | None = None


class File(Struct, forbid_unknown_fields=True):
    """A custom file: a deck, a track, courses."""

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    """The file's name. TOML if it ends with `.toml`, else JSON."""
    text: str


class Upload(Struct, forbid_unknown_fields=True):
    """An uploaded record."""

    record: Annotated[str, Meta(min_length=1, max_length=RECORD_BYTES)]
    """The text of the file."""


class Part(Upload, forbid_unknown_fields=True):
    """An uploaded record, and the steps that are wanted."""

    seat: Annotated[int, Meta(ge=-1, lt=MOST_SEATS)] = -1
    first: Number = 0
    count: Annotated[int, Meta(ge=1, le=STEPS)] = 100


class PlayOn(Struct, forbid_unknown_fields=True):
    """Play on from a moment of a finished game, against bots."""

    name: Name
    step: Number
    """The step of the replay."""
    seat: Seat
    """The seat to play from."""


class Nothing(Struct, forbid_unknown_fields=True):
    """An empty body."""


BODIES = (
    *MAIL_BODIES,
    *MODERATION_BODIES,
    *NOTICE_BODIES,
    *OIDC_BODIES,
    *PEOPLE_BODIES,
    *LOBBY_BODIES,
    *NIGHT_BODIES,
    *LEAGUE_BODIES,
    *TOURNAMENT_BODIES,
    Create,
    File,
    Inviting,
    Join,
    Nothing,
    Part,
    PlayOn,
    Seating,
    Upload,
)
"""All bodies of requests."""
