"""The events of a room's log: their types, the kinds they are stored under, and their JSON.

An event is stored as a kind and a JSON object. Both are part of the file format. If an attribute has a plainer
name than its stored key, `field(name=...)` gives the key.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct, field

from quadriga.engine.parts.orders import Order
from quadriga.server.protocol.fields import When
from quadriga.server.protocol.parts import Clock, Days
from quadriga.server.state.day_events import Deadline, SetDays, TimeLost, Vacation


class Setup(Struct, frozen=True, kw_only=True):
    """The set-up of a room. It is stored beside the log, and it never changes."""

    game: str
    version: int  # of the game's rules
    options: dict[str, Any]
    seats: int
    public: bool
    rolls: str
    clock: Clock | None
    pace: int
    dice: str
    seed: str  # the secret of the dice
    bot_seed: int = field(name="bots")
    host: str
    rematch_of: str | None = field(default=None, name="before")  # the id of the room before this one
    reserved_seats: dict[str, list[int]] = field(default_factory=dict, name="heirs")  # by holder, in a rematch
    beat: int | None = None  # milliseconds of a reaction window among people; 0 waits; None: as the server is set
    reserved_names: dict[int, str] = field(default_factory=dict, name="names")  # by reserved seat
    undo: bool = False  # chance waits for a moment after a person's move
    erased: bool = False  # whether a reserved name was erased, because its owner has deleted their account
    days: Days | None = None  # the pace by days at the start; None: live


class Sit(Struct, frozen=True):
    """A person or a bot takes a seat, or the seat becomes open."""

    seat: int
    kind: str
    name: str = ""
    holder: str = ""
    bot: str | None = None
    client_seed: str = field(default="", name="word")
    erased: bool = False  # whether the name was erased, because its owner has deleted their account


class ClientSeed(Struct, frozen=True):
    """A seat gives its part of the seed of the dice."""

    seat: int
    client_seed: str = field(name="word")


class Start(Struct, frozen=True):
    """The game begins, and the client seeds are fixed."""

    client_seeds: list[str] = field(name="words")
    all_windows: bool = False  # whether every reaction window asks whatever a seat holds; games of 0.1 did not
    version: int | None = None  # of the game's rules; None: that of the set-up
    options: dict[str, Any] = {}  # those that nobody has chosen, and that depend on whether a person plays


class LoggedMove(Struct, frozen=True, array_like=True):
    """One entry of a match, as the log has it."""

    seat: int | None
    text: str
    actions: tuple[int, ...]
    by: str  # "person", "bot", "dice", or "table": the server passes for a seat that is not to be asked
    is_forced: bool = False  # a pass in a window by a seat without a choice: by the rules it is not even asked


class Moves(Struct, frozen=True, omit_defaults=True):
    """Entries of the match that were made together."""

    done: list[LoggedMove]
    ref: str | None = None
    seat: int = -1
    left: list[int] | None = None  # milliseconds on the players' clocks
    answers: list[tuple[int, str]] = []  # seats and references of the answers that a timed window has kept
    released: list[int] = []  # the seats that a timed window has asked and that it asks no more


class Undo(Struct, frozen=True, omit_defaults=True):
    """A seat takes its last move back."""

    seat: int
    ref: str | None = None


class BotControl(Struct, frozen=True, omit_defaults=True):
    """A bot begins to play for a person, or ends doing so."""

    seat: int
    on: bool
    absent: bool = False  # it begins because the person is away, not because they asked for it


class Status(Struct, frozen=True):
    """The game is paused, resumed, or ended by vote."""

    status: str


class AskedWindows(Struct, frozen=True):
    """The reaction windows in which a seat wants to be asked."""

    seat: int
    windows: list[str]


class AskWhen(Struct, frozen=True):
    """The occasions on which a seat wants to be asked in reaction windows."""

    seat: int
    when: When


class React(Struct, frozen=True):
    """A seat wants to be asked in the next window in which it might play something, or no longer."""

    seat: int
    on: bool


class Deal(Struct, frozen=True):
    """A seat announces that it wants to make a deal in the next window that allows it, or no longer."""

    seat: int
    on: bool


class Pace(Struct, frozen=True):
    """Somebody has changed the time that bots take for a move, in milliseconds."""

    pace: int


class Rush(Struct, frozen=True):
    """The rest of a race, in which only bots are left, is played without waiting."""

    race: int


class WindowAnswer(Struct, frozen=True, omit_defaults=True):
    """A seat's answer in a timed window that is made when the window ends; None: the seat holds the window.

    It changes nothing in the state of the room. It tells the other processes, one of which ends the window.
    """

    seat: int
    text: str | None = None
    ref: str | None = None


class OrderGiven(Struct, frozen=True):
    """A seat gives a standing order. Only its owner may know of it."""

    seat: int
    number: int  # counts the orders of the room
    order: Order
    moment: int  # at which it was given, as the game counts moments


class OrderEnded(Struct, frozen=True):
    """A standing order has ended."""

    seat: int
    number: int
    how: str  # "cancelled", "done", "illegal" when its turn came, "over", or "undone" with the move that it made


class Mute(Struct, frozen=True):
    """A person mutes a name, or hears it again."""

    holder: str
    name: str
    on: bool


class Ballot(Struct, frozen=True):
    """Seats vote for a question, or withdraw their vote; `seat` is the target of a removal."""

    kind: str
    seat: int | None
    by: list[int]
    on: bool


class CoachAgreed(Struct, frozen=True):
    """Everybody has agreed that the coach may be asked, or somebody has taken that back."""

    on: bool


class Invite(Struct, frozen=True):
    """The host invites a newcomer to a seat that a vote has emptied; without a code the invitation is withdrawn."""

    seat: int
    code: str
    by: str


class Ask(Struct, frozen=True):
    """The former holder of a seat asks to return."""

    seat: int


class Rematch(Struct, frozen=True):
    """The room of the rematch exists."""

    table: str


RoomEvent = (
    Sit
    | ClientSeed
    | Start
    | Moves
    | Undo
    | BotControl
    | Status
    | AskedWindows
    | AskWhen
    | React
    | Deal
    | Pace
    | Rush
    | WindowAnswer
    | OrderGiven
    | OrderEnded
    | Mute
    | Ballot
    | CoachAgreed
    | Invite
    | Ask
    | Rematch
    | SetDays
    | Deadline
    | Vacation
    | TimeLost
)

# The stored kind of each event. Kinds and keys stay as they are: old stores contain them.
KINDS: dict[str, type[RoomEvent]] = {
    "sit": Sit,
    "word": ClientSeed,
    "start": Start,
    "moves": Moves,
    "undo": Undo,
    "cover": BotControl,
    "status": Status,
    "stops": AskedWindows,
    "asks": AskWhen,
    "react": React,
    "deal": Deal,
    "pace": Pace,
    "rush": Rush,
    "answer": WindowAnswer,
    "order": OrderGiven,
    "order-end": OrderEnded,
    "mute": Mute,
    "ballot": Ballot,
    "coach": CoachAgreed,
    "invite": Invite,
    "ask": Ask,
    "rematch": Rematch,
    "days": SetDays,
    "due": Deadline,
    "vacation": Vacation,
    "lost": TimeLost,
}
_KIND_OF = {event_type: kind for kind, event_type in KINDS.items()}
_ENCODER = msgspec.json.Encoder()
_DECODERS: dict[str, msgspec.json.Decoder[RoomEvent]] = {
    kind: msgspec.json.Decoder(event_type) for kind, event_type in KINDS.items()
}
_SETUP = msgspec.json.Decoder(Setup)


def encode(event: RoomEvent) -> tuple[str, bytes]:
    """Return the stored kind and the JSON of an event."""
    return _KIND_OF[type(event)], _ENCODER.encode(event)


def decode(kind: str, body: bytes) -> RoomEvent:
    """Return the event that was stored under a kind."""
    return _DECODERS[kind].decode(body)


def encode_setup(setup: Setup) -> bytes:
    """Return the JSON of a set-up."""
    return _ENCODER.encode(setup)


def decode_setup(body: bytes) -> Setup:
    """Return the set-up that was stored."""
    return _SETUP.decode(body)
