"""The events of a room's log: their types, the kinds they are stored under, and their JSON.

An event is stored as a kind and a JSON object. Both are part of the file format. If an attribute has a plainer
name than its stored key, `field(name=...)` gives the key. A kind, a key or a value that is not known here comes
from a newer version: such a room is refused, because nobody knows what this version would leave out.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import field

from quadriga.engine.parts.orders import Order
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.fields import When
from quadriga.server.protocol.parts import Clock, Days
from quadriga.server.state.day_events import Deadline, Event, SetDays, TimeLost, Vacation


class Setup(Event, frozen=True, kw_only=True):
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
    tournament: str | None = None  # the id of the tournament that the room belongs to


class Sit(Event, frozen=True):
    """A person or a bot takes a seat, or the seat becomes open."""

    seat: int
    kind: str
    name: str = ""
    holder: str = ""
    bot: str | None = None
    client_seed: str = field(default="", name="word")
    erased: bool = False  # whether the name was erased, because its owner has deleted their account


class ClientSeed(Event, frozen=True):
    """A seat gives its part of the seed of the dice."""

    seat: int
    client_seed: str = field(name="word")


class Start(Event, frozen=True):
    """The game begins, and the client seeds are fixed."""

    client_seeds: list[str] = field(name="words")
    all_windows: bool = False  # whether every reaction window asks whatever a seat holds; games of 0.1 did not
    version: int | None = None  # of the game's rules; None: that of the set-up
    options: dict[str, Any] = field(default_factory=dict)  # not chosen, they depend on who plays


class LoggedMove(Event, frozen=True, array_like=True):
    """One entry of a match, as the log has it."""

    seat: int | None
    text: str
    actions: tuple[int, ...]
    by: str  # "person", "bot", "dice", or "table": the server passes for a seat that is not to be asked
    is_forced: bool = False  # a pass in a window by a seat without a choice: by the rules it is not even asked


class Moves(Event, frozen=True, omit_defaults=True):
    """Entries of the match that were made together."""

    done: list[LoggedMove]
    ref: str | None = None
    seat: int = -1
    left: list[int] | None = None  # milliseconds on the players' clocks
    answers: list[tuple[int, str]] = field(default_factory=list)  # seats and references of answers in a window
    released: list[int] = field(default_factory=list)  # seats that a timed window asks no more


class Undo(Event, frozen=True, omit_defaults=True):
    """A seat takes its last move back."""

    seat: int
    ref: str | None = None


class BotControl(Event, frozen=True, omit_defaults=True):
    """A bot begins to play for a person, or ends doing so."""

    seat: int
    on: bool
    absent: bool = False  # it begins because the person is away, not because they asked for it


class Status(Event, frozen=True):
    """The game is paused, resumed, or ended by vote."""

    status: str


class AskedWindows(Event, frozen=True):
    """The reaction windows in which a seat wants to be asked."""

    seat: int
    windows: list[str]


class AskWhen(Event, frozen=True):
    """The occasions on which a seat wants to be asked in reaction windows."""

    seat: int
    when: When


class React(Event, frozen=True):
    """A seat wants to be asked in the next window in which it might play something, or no longer."""

    seat: int
    on: bool


class Deal(Event, frozen=True):
    """A seat announces that it wants to make a deal in the next window that allows it, or no longer."""

    seat: int
    on: bool


class Pace(Event, frozen=True):
    """Somebody has changed the time that bots take for a move, in milliseconds."""

    pace: int


class Rush(Event, frozen=True):
    """The rest of a race, in which only bots are left, is played without waiting."""

    race: int


class WindowAnswer(Event, frozen=True, omit_defaults=True):
    """A seat's answer in a timed window that is made when the window ends; None: the seat holds the window.

    It changes nothing in the state of the room. It tells the other processes, one of which ends the window.
    """

    seat: int
    text: str | None = None
    ref: str | None = None


class OrderGiven(Event, frozen=True):
    """A seat gives a standing order. Only its owner may know of it."""

    seat: int
    number: int  # counts the orders of the room
    order: Order
    moment: int  # at which it was given, as the game counts moments


class OrderEnded(Event, frozen=True):
    """A standing order has ended."""

    seat: int
    number: int
    how: str  # "cancelled", "done", "illegal" when its turn came, "over", or "undone" with the move that it made


class Mute(Event, frozen=True):
    """A person mutes a name, or hears it again."""

    holder: str
    name: str
    on: bool


class Ballot(Event, frozen=True):
    """Seats vote for a question, or withdraw their vote; `seat` is the target of a removal."""

    kind: str
    seat: int | None
    by: list[int]
    on: bool


class CoachAgreed(Event, frozen=True):
    """Everybody has agreed that the coach may be asked, or somebody has taken that back."""

    on: bool


class HintTaken(Event, frozen=True):
    """A seat has asked for a hint, for the first time. Nobody is told."""

    seat: int


class Invite(Event, frozen=True):
    """The host invites a newcomer to a seat that a vote has emptied; without a code the invitation is withdrawn."""

    seat: int
    code: str
    by: str


class Ask(Event, frozen=True):
    """The former holder of a seat asks to return."""

    seat: int


class Rematch(Event, frozen=True):
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
    | HintTaken
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
    "hint": HintTaken,
    "invite": Invite,
    "ask": Ask,
    "rematch": Rematch,
    "days": SetDays,
    "due": Deadline,
    "vacation": Vacation,
    "lost": TimeLost,
}
NEWER = "table.newer"  # the code of the refusal
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
    """Return the event that was stored under a kind. Raises RoomError `table.newer` if a newer version wrote it."""
    try:
        return _DECODERS[kind].decode(body)
    except (KeyError, msgspec.ValidationError):
        raise RoomError(NEWER, 503) from None


def encode_setup(setup: Setup) -> bytes:
    """Return the JSON of a set-up."""
    return _ENCODER.encode(setup)


def decode_setup(body: bytes) -> Setup:
    """Return the set-up that was stored. Raises RoomError `table.newer` if a newer version wrote it."""
    try:
        return _SETUP.decode(body)
    except msgspec.ValidationError:
        raise RoomError(NEWER, 503) from None
