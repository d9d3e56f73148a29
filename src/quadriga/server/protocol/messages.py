"""What goes over the wire, as types; `docs/protocol.md` explains them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

MOST_SEATS = 12
MESSAGE_BYTES = 8 * 1024  # on the socket
FRAME_BYTES = 64 * 1024  # beyond this the connection is cut
BODY_BYTES = 256 * 1024  # of a request: somebody's own deck fits
RECORD_BYTES = 16 * 2**20  # ... and of one that brings a record: a long series of twelve fits
STEPS = 200  # of a replay at once

LONGEST_NAME = 40  # characters
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
Word = Annotated[str, Meta(max_length=200)]
Seat = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
Number = Annotated[int, Meta(ge=0, le=2**53)]
Ref = Annotated[str, Meta(max_length=64)]
Pace = Annotated[int, Meta(ge=0, le=5000)]


class SeatRequest(Struct, forbid_unknown_fields=True):
    """Who is to sit on a chair of a new table."""

    kind: Literal["me", "open", "bot"]
    name: Name | None = None
    bot: Annotated[str, Meta(max_length=40)] | None = None


class Clock(Struct, forbid_unknown_fields=True, frozen=True):
    """Time for a move, or for all moves of a player."""

    kind: Literal["move", "player"]
    seconds: Annotated[int, Meta(ge=1, le=86_400)]
    increment: Annotated[int, Meta(ge=0, le=3600)] = 0


class Dice(Struct, forbid_unknown_fields=True, frozen=True):
    """Fair dice, or seeded ones for tests."""

    kind: Literal["fair", "seeded"] = "fair"
    seed: Annotated[int, Meta(ge=0, lt=2**53)] | None = None


class Create(Struct, forbid_unknown_fields=True):
    """A new table."""

    game: Annotated[str, Meta(max_length=64)]
    seats: Annotated[list[SeatRequest], Meta(min_length=1, max_length=MOST_SEATS)]
    name: Name
    options: dict[str, Any] = {}
    public: bool = False
    rolls: Literal["auto", "hand"] = "auto"
    clock: Clock | None = None
    dice: Dice = Dice()
    word: Word = ""
    pace: Pace = 700
    start: bool = False


class Join(Struct, forbid_unknown_fields=True):
    """Take an open chair."""

    name: Name
    seat: Seat | None = None
    word: Word = ""
    invite: Annotated[str, Meta(max_length=64)] | None = None


class Inviting(Struct, forbid_unknown_fields=True):
    """The host invites somebody to a seat that a vote has emptied, or withdraws the invitation."""

    on: bool = True


class Seating(Struct, forbid_unknown_fields=True):
    """The host seats a bot, or opens a chair."""

    kind: Literal["open", "bot"]
    bot: Annotated[str, Meta(max_length=40)] | None = None


class File(Struct, forbid_unknown_fields=True):
    """A file of somebody's own: a deck, a track, courses."""

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    text: str


class Upload(Struct, forbid_unknown_fields=True):
    """Somebody's record: the text of its file."""

    record: Annotated[str, Meta(min_length=1, max_length=RECORD_BYTES)]


class Part(Upload, forbid_unknown_fields=True):
    """Somebody's record, and which of its positions are wanted."""

    seat: Annotated[int, Meta(ge=-1, lt=MOST_SEATS)] = -1
    first: Number = 0
    count: Annotated[int, Meta(ge=1, le=STEPS)] = 100


class Nothing(Struct, forbid_unknown_fields=True):
    """A body that says nothing."""


class Said(Struct, tag_field="type", forbid_unknown_fields=True):
    """Anything that a client says; the answer carries `ref` back."""

    ref: Ref | None = None


class Hello(Said, tag="hello"):
    """The first message."""

    token: Annotated[str, Meta(max_length=400)] | None = None
    seat: Seat | None = None
    after: Number | None = None
    explain: bool = True
    name: Name | None = None


class Act(Said, tag="act", kw_only=True):
    """An action, and the number that it was chosen at."""

    number: Number
    action: Annotated[str, Meta(min_length=1, max_length=2000)]
    seat: Seat | None = None


class Roll(Said, tag="roll", kw_only=True):
    """Throw the dice."""

    number: Number
    seat: Seat | None = None


class Undo(Said, tag="undo", kw_only=True):
    """Take the last move back."""

    number: Number
    seat: Seat | None = None


class Look(Said, tag="look", kw_only=True):
    """Look from another seat of one's own."""

    seat: Seat
    after: Number | None = None


class Stops(Said, tag="stops", kw_only=True):
    """The windows in which one wants to be asked."""

    windows: Annotated[list[Annotated[str, Meta(max_length=8)]], Meta(max_length=16)]
    seat: Seat | None = None


class GiveWord(Said, tag="word", kw_only=True):
    """A word for the dice."""

    word: Word
    seat: Seat | None = None


class Chat(Said, tag="chat", kw_only=True):
    """Something to say to all."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Mute(Said, tag="mute", kw_only=True):
    """Hear somebody no more, or again."""

    name: Name
    on: bool = True


class Vote(Said, tag="vote", kw_only=True):
    """For or against something that needs several."""

    kind: Literal["remove", "pause", "resume", "end"]
    seat: Seat | None = None
    on: bool = True


class Hint(Said, tag="hint", kw_only=True):
    """Ask what the strongest bot would do."""

    number: Number
    seat: Seat | None = None


class Why(Said, tag="why"):
    """Ask why things of one's own cannot be played now."""

    seat: Seat | None = None


class Leave(Said, tag="leave"):
    """Give one's seats up, or to a bot."""


class Back(Said, tag="back"):
    """Take them back."""


class Ping(Said, tag="ping"):
    """Ask whether anybody is there."""


Message = (
    Hello | Act | Roll | Undo | Look | Stops | GiveWord | Chat | Mute | Vote | Hint | Why | Leave | Back | Ping
)
MESSAGES = msgspec.json.Decoder(Message)
ENCODER = msgspec.json.Encoder()


class Note(Struct, frozen=True):
    """One thing that an action does; its text is in the catalogues."""

    rule: str
    id: str
    parameters: dict[str, Any] = msgspec.field(name="with")


class Action(Struct, omit_defaults=True):
    """A legal action."""

    text: str
    notes: list[Note] | UnsetType = UNSET
    family: bool = False


class Event(Struct, omit_defaults=True):
    """What a viewpoint notices of something that has happened."""

    number: int
    kind: str
    seat: int | UnsetType | None = UNSET
    text: str | UnsetType | None = UNSET
    notes: list[Note] | UnsetType = UNSET
    by: str | UnsetType = UNSET
    ref: str | UnsetType | None = UNSET
    section: dict[str, Any] | UnsetType | None = UNSET


class ClockFace(Struct):
    """How the clocks stand."""

    left: list[int]
    runs: int | None
    mine: int | None


class News(Struct, tag_field="type", tag="news"):
    """What has happened, and how things stand."""

    number: int
    seat: int
    view: Any
    legal: list[Action] | None
    undo: bool
    roll: bool
    clock: ClockFace | None
    answer_ms: int | None  # left to answer in a reaction window; then it counts as a pass
    events: list[Event]


class Done(Struct, tag_field="type", tag="done"):
    """That a move stands."""

    ref: str | None
    number: int


class View(News, tag="view"):
    """How things stand."""
