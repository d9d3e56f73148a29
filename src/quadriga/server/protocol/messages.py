"""Messages on the socket, from clients and from the server."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from quadriga.server.protocol.fields import Name, Number, Ref, Seat, Word, one_of
from quadriga.server.protocol.parts import Action, ChatLine, ClockFace, Event, Note, Table, Texts


class Said(Struct, tag_field="type", forbid_unknown_fields=True):
    """Any message of a client."""

    ref: Ref | None = None
    """A reference of the client's choice; the answer carries it back."""


class Hello(Said, tag="hello"):
    """The first message: who the client is, and what it has seen."""

    token: Annotated[str, Meta(max_length=400)] | None = None
    """Without a token the client watches."""
    seat: Seat | None = None
    """One of the token's seats; the first without it."""
    after: Number | None = None
    """The number of the last event that the client has seen from this seat."""
    explain: bool = True
    """Whether to send notes; bots do without."""
    name: Name | None = None
    """A spectator's name in the chat."""


class Act(Said, tag="act", kw_only=True):
    """Take an action."""

    number: Number
    """The number of the position that the action was chosen at."""
    action: Annotated[str, Meta(min_length=1, max_length=2000)]
    seat: Seat | None = None


class Roll(Said, tag="roll", kw_only=True):
    """Roll the dice, at a table where `rolls` is `hand`."""

    number: Number
    seat: Seat | None = None


class Undo(Said, tag="undo", kw_only=True):
    """Take the last move back."""

    number: Number
    seat: Seat | None = None


class Look(Said, tag="look", kw_only=True):
    """Look from another of the token's seats. A `view` follows."""

    seat: Seat
    after: Number | None = None


class Stops(Said, tag="stops", kw_only=True):
    """Choose the reaction windows in which the seat wants to be asked."""

    windows: Annotated[list[Annotated[str, Meta(max_length=8)]], Meta(max_length=16)]
    seat: Seat | None = None


class GiveWord(Said, tag="word", kw_only=True):
    """Choose the seat's word for the dice, before the start."""

    word: Word
    seat: Seat | None = None


class Chat(Said, tag="chat", kw_only=True):
    """Send a chat message to everybody."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Mute(Said, tag="mute", kw_only=True):
    """Hide somebody's chat messages, or show them again."""

    name: Name
    on: bool = True


class Vote(Said, tag="vote", kw_only=True):
    """Agree to something that needs several, or take it back."""

    kind: Literal["remove", "pause", "resume", "end"]
    seat: Seat | None = None
    """The seat to remove."""
    on: bool = True


class Hint(Said, tag="hint", kw_only=True):
    """Ask what the strongest bot would do."""

    number: Number
    seat: Seat | None = None


class Why(Said, tag="why"):
    """Ask why the seat's own things cannot be played now."""

    seat: Seat | None = None


class Leave(Said, tag="leave"):
    """Give the seats up before the start; leave them to a bot after it."""


class Back(Said, tag="back"):
    """Take the seats back from the bot. A `hello` with their token does so too."""


class Ping(Said, tag="ping"):
    """Ask whether the connection works. The answer is `pong`."""


Message = (
    Hello | Act | Roll | Undo | Look | Stops | GiveWord | Chat | Mute | Vote | Hint | Why | Leave | Back | Ping
)
MESSAGES = msgspec.json.Decoder(Message)
ENCODER = msgspec.json.Encoder()


class Sent(Struct, tag_field="type"):
    """Any message of the server."""


class Welcome(Sent, tag="welcome", kw_only=True):
    """The answer to `hello`."""

    seats: list[int]
    """The token's seats."""
    seat: int
    """The seat that the client looks from; -1 for a spectator."""
    former: list[int]
    """Seats that a vote has taken from this guest."""
    stops: list[str]
    """The windows in which the seat is asked."""
    token: str | None
    """A new token to use from now on."""
    number: int
    """The number of the last event."""
    table: Table
    chat: list[ChatLine]
    muted: list[str]


class News(Sent, tag="news"):
    """New events, and the position after them."""

    number: int
    """The number of the last event."""
    seat: int
    """The viewpoint."""
    view: Any
    """What the viewpoint sees; see "Views"."""
    legal: list[Action] | None
    """The legal actions in code-point order; null where this seat is not asked."""
    undo: bool
    """Whether this seat may take its last move back."""
    roll: bool
    """Whether this seat is to roll."""
    clock: ClockFace | None
    answer_ms: int | None
    """Milliseconds left to answer in a reaction window with a beat; then it counts as a pass."""
    events: list[Event]


class View(News, tag="view"):
    """The position, for a client that starts from nothing."""


class TableChanged(Sent, tag="table"):
    """Seats, presence, votes or status have changed."""

    table: Table


class SeatsChanged(Sent, tag="seats"):
    """The client's own seats have changed. A `view` follows where it looks from another seat now."""

    seats: list[int]
    seat: int
    former: list[int]
    stops: list[str]


class StopsChanged(Sent, tag="stops"):
    """The windows in which the seat is asked."""

    stops: list[str]


class ChatPosted(Sent, tag="chat"):
    """A new chat message."""

    chat: ChatLine


class MutedChanged(Sent, tag="muted"):
    """The names whose chat messages are hidden."""

    muted: list[str]


class Wanted(Sent, tag="wanted"):
    """Which of several seats of this token is asked now."""

    seats: list[int]


class Done(Sent, tag="done"):
    """The client's act is on disk."""

    ref: str | None
    number: int


class Refused(Sent, tag="refused", kw_only=True):
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


class ConsideredAction(Struct):
    """An action that the bot has considered."""

    text: str
    chance: float
    """Of two players the chance of winning, of more the share of the result."""
    how: Annotated[str, one_of("exact", "searched", "playouts")]
    tries: int


class HintGiven(Sent, tag="hint"):
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
    """The chances by action."""


class Reasons(Sent, tag="why"):
    """Why the seat's own things cannot be played now."""

    ref: str | None
    number: int
    seat: int
    things: dict[str, list[Note]]
    """By thing: a card, a step of Ur, or `buy`, `keep`, `accept`, `offer`, `bribe`."""


class StorageChanged(Sent, tag="storage", omit_defaults=True):
    """Whether the server can store anything, when that changes."""

    ok: bool
    code: str | UnsetType = UNSET
    """The error while nothing can be stored."""
    parameters: dict[str, Any] | UnsetType = msgspec.field(default=UNSET, name="with")
    text: Texts | UnsetType = UNSET


class Pong(Sent, tag="pong"):
    """The answer to `ping`."""

    ref: str | None


ServerMessage = (
    Welcome
    | View
    | News
    | TableChanged
    | SeatsChanged
    | StopsChanged
    | ChatPosted
    | MutedChanged
    | Wanted
    | Done
    | Refused
    | HintGiven
    | Reasons
    | StorageChanged
    | Pong
)
