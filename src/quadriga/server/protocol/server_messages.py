"""Messages that the server sends over the socket."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from quadriga.server.protocol.fields import one_of
from quadriga.server.protocol.parts import (
    Action,
    CatalogueMessage,
    ChatLine,
    ClockFace,
    EndedOrder,
    Event,
    Note,
    OrderForm,
    StandingOrder,
    Table,
    Texts,
)

ENCODER = msgspec.json.Encoder()


class FromServer(Struct, tag_field="type"):
    """Any message from the server."""


class Welcome(FromServer, tag="welcome", kw_only=True):
    """The answer to `hello`."""

    seats: list[int]
    """The token's seats."""
    seat: int
    """The seat that the client looks from; -1 for a spectator."""
    former: list[int]
    """Seats that a vote has taken from this guest."""
    stops: list[str]
    """The windows in which the seat is asked."""
    skip: Annotated[str, one_of("move", "race")] | None
    """The end of the seat's passing: its own move, or the next race; null if it is asked."""
    deal: bool
    """True if the seat is asked in the next window in which it can make a deal."""
    asks: Annotated[str, one_of("concerns", "could", "always")] | None
    """The occasions on which the seat is asked (message `asks`); null if it has not chosen: then as `could`."""
    react: bool
    """True if the seat is asked in the next window in which it might play something."""
    token: str | None
    """A new token to use from now on."""
    number: int
    """The number of the last event."""
    table: Table
    chat: list[ChatLine]
    muted: list[str]


class News(FromServer, tag="news"):
    """The position, and the new events that have led to it, if any."""

    number: int
    """The number of the last event."""
    seat: int
    """The viewpoint."""
    view: Any
    """The view of this viewpoint; see "Views"."""
    legal: list[Action] | None
    """The legal actions in code-point order; null if this seat is not asked."""
    undo: bool
    """True if this seat may take its last move back."""
    roll: bool
    """True if this seat is to roll."""
    clock: ClockFace | None
    answer_ms: int | None
    """Milliseconds left to answer in a reaction window with a beat; then it counts as a pass, and `legal` is void.
    `legal` is null if the seat could only pass, or only make a deal; it may `hold` the window all the same."""
    events: list[Event]


class View(News, tag="view"):
    """The position, for a client that starts from nothing, and at most the last 100 events before it."""


class TableChanged(FromServer, tag="table"):
    """Seats, presence, votes or status have changed."""

    table: Table


class SeatsChanged(FromServer, tag="seats"):
    """The client's own seats have changed. A `view` follows if it looks from another seat now."""

    seats: list[int]
    seat: int
    former: list[int]
    stops: list[str]
    skip: Annotated[str, one_of("move", "race")] | None
    deal: bool
    asks: Annotated[str, one_of("concerns", "could", "always")] | None
    react: bool


class AskedWindowsChanged(FromServer, tag="stops"):
    """The windows and occasions in which the seat is asked, what it passes until, and what it has announced."""

    stops: list[str]
    skip: Annotated[str, one_of("move", "race")] | None
    deal: bool
    asks: Annotated[str, one_of("concerns", "could", "always")] | None
    react: bool


class Held(FromServer, tag="held"):
    """The seat holds the open window. Nobody else is told."""

    ref: str | None
    answer_ms: int
    """Milliseconds that the seat has to answer."""


class OrdersChanged(FromServer, tag="orders"):
    """The standing orders of the client's seat: they have changed, or the client has asked. Nobody else is told."""

    ref: str | None
    seat: int
    orders: list[StandingOrder]
    ended: list[EndedOrder]
    """Those that have just ended."""
    forms: list[OrderForm] | None
    """Those that the seat can give now; null unless the client has asked."""


class OrderPreview(FromServer, tag="preview"):
    """The actions that a standing order would have given in the seat's last decisions."""

    ref: str | None
    decisions: int
    """The number of decisions that were looked at."""
    would: list[list[Note]]
    """The effects of each action that it would have taken, the oldest first."""


class ChatPosted(FromServer, tag="chat"):
    """A new chat message."""

    chat: ChatLine


class MutedChanged(FromServer, tag="muted"):
    """The names whose chat messages are hidden."""

    muted: list[str]


class Wanted(FromServer, tag="wanted"):
    """The seat that is asked now, for a client with several seats."""

    seats: list[int]


class Done(FromServer, tag="done"):
    """The client's act is on disk."""

    ref: str | None
    number: int


class Refused(FromServer, tag="refused", kw_only=True):
    """The client's message is refused."""

    ref: str | None
    code: str
    parameters: dict[str, Any] = msgspec.field(name="with")
    """Details of the error."""
    text: Texts
    number: int | UnsetType = UNSET
    """The number of the last event, after `welcome`."""
    legal: list[Action] | UnsetType | None = UNSET
    """The legal actions now, after `welcome`."""
    roll: bool | UnsetType = UNSET
    """True if this seat is to roll, after `welcome`."""


class ConsideredAction(Struct):
    """An action that the bot has considered."""

    text: str
    chance: float
    """With two players the chance of winning, with more the share of the result."""
    how: Annotated[str, one_of("exact", "searched", "playouts")]
    tries: int
    error: float
    """The half-width of the 95 % interval of `chance`."""
    close: bool
    """True if it differs from the first action by no more than the error of the estimates."""


class HintGiven(FromServer, tag="hint"):
    """The action that the strongest bot would take by what the seat sees."""

    ref: str | None
    text: str
    """The action."""
    bot: str
    meanwhile: bool
    """True while the strongest bot is being compiled: `greedy` answers, without chances."""
    reason: list[Note]
    considered: list[ConsideredAction]
    """The actions that the bot has looked at: the chosen one first, then the others, best first."""
    values: dict[str, float]
    """The chances by action, of the first and of those that differ from it by more than the error."""


class Coaching(FromServer, tag="coach"):
    """The facts that matter to the seat now, in numbers, from what the seat sees."""

    ref: str | None
    number: int
    seat: int
    position: list[CatalogueMessage]
    actions: dict[str, list[CatalogueMessage]]
    """By action: what it leads to. Actions about which there is nothing to say are missing."""


class Reasons(FromServer, tag="why"):
    """The reasons why the seat's cards, pieces or other options cannot be played now."""

    ref: str | None
    number: int
    seat: int
    things: dict[str, list[Note]]
    """By thing: a card, a step of Ur, or `buy`, `keep`, `accept`, `offer`, `bribe`."""


class StorageChanged(FromServer, tag="storage", omit_defaults=True):
    """The store has failed, or it works again."""

    ok: bool
    code: str | UnsetType = UNSET
    """The error while nothing can be stored."""
    parameters: dict[str, Any] | UnsetType = msgspec.field(default=UNSET, name="with")
    text: Texts | UnsetType = UNSET


class Pong(FromServer, tag="pong"):
    """The answer to `ping`."""

    ref: str | None


class StandingChanged(FromServer, tag="standing"):
    """A moderator has done something that may concern one: `GET /api/me/standing` says what."""


ServerMessage = (
    Welcome
    | View
    | News
    | TableChanged
    | SeatsChanged
    | AskedWindowsChanged
    | Held
    | OrdersChanged
    | OrderPreview
    | ChatPosted
    | MutedChanged
    | Wanted
    | Done
    | Refused
    | HintGiven
    | Coaching
    | Reasons
    | StandingChanged
    | StorageChanged
    | Pong
)
