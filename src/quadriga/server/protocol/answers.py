"""Answers to requests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from quadriga.server.protocol.fields import encoded_as, one_of
from quadriga.server.protocol.parts import CatalogueMessage, Event, Note, Refusal, Table, Texts


class Health(Struct, omit_defaults=True):
    """The state of the server. While nothing can be stored the status of the answer is 503."""

    status: Annotated[str, one_of("ok", "failing")]
    version: str
    tables: int
    """Rooms in memory."""
    sockets: int
    """Open sockets."""
    code: str | UnsetType = UNSET
    """The error while nothing can be stored: `store.full` or `store.failing`."""
    parameters: dict[str, Any] | UnsetType = msgspec.field(default=UNSET, name="with")
    text: Texts | UnsetType = UNSET


class NumberList(Struct):
    """The allowed lists of whole numbers: from `least` to `most` numbers, each from `low` to `high`."""

    low: int
    high: int
    least: int
    most: int


class Option(Struct, omit_defaults=True):
    """An option of a game."""

    name: str
    type: Annotated[str, one_of("choice", "whole", "flag", "several", "other", "document")]
    default: Any
    """The default for the least number of seats."""
    allowed: Any
    """The allowed values in words, for error messages."""
    defaults: list[Any] | UnsetType = UNSET
    """By the number of seats, from the least, where they differ."""
    choices: list[str] | UnsetType = UNSET
    low: int | UnsetType = UNSET
    high: int | UnsetType = UNSET
    least: int | UnsetType = UNSET
    """Of type `several`: the least number of values."""
    most: int | UnsetType | None = UNSET
    repeats: bool | UnsetType = UNSET
    """Of type `several`: whether a value may occur twice."""
    numbers: NumberList | UnsetType = UNSET
    """Of type `other`: a list of whole numbers is allowed as well as one of `choices`."""


class Game(Struct):
    """A game, and how it can be set up."""

    id: str
    title: Texts
    about: Texts
    least: int
    """The least number of seats."""
    most: int
    usual: int
    """The number of seats of a new table if nobody chooses."""
    hidden: bool
    """Whether seats see different things."""
    windows: list[str]
    """The reaction windows that one can set stops for."""
    bots: list[str]
    """The kinds of bots, weakest first."""
    rules: bool
    """Whether there is a page of rules."""
    options: list[Option]


class Games(Struct):
    """All games."""

    games: list[Game]


class Geometry(Struct):
    """The boards and cards of a game. Further fields depend on the game."""

    game: str


class Document(Struct):
    """A custom file, read: send `document` as the option's value."""

    document: Any


class Rules(Struct):
    """The rules of a game."""

    markdown: str


class Words(Struct):
    """The texts of all messages in one language."""

    messages: Mapping[str, Any]
    """By id: a string, or `{"one": …, "other": …}` chosen by the parameter `n`."""


class Home(Struct):
    """The addresses of the server on the home network."""

    addresses: list[str]
    shared: bool
    """Whether the server listens there."""


class Tables(Struct):
    """Public tables that are waiting or playing."""

    tables: list[Table]


class Seated(Struct):
    """A table, and the token for it."""

    table: Table
    token: str


class Joined(Struct):
    """The token for a table, and the seats that it holds."""

    token: str
    seats: list[int]
    table: Table


class Invitation(Struct):
    """The code of an invitation; null after it was withdrawn."""

    invite: str | None
    table: Table


class ChanceEvent(Struct):
    """An outcome of chance, and the outcomes it was picked from."""

    seat: int | None
    text: str
    outcomes: list[tuple[str, int]]
    """Every possible outcome with its weight."""


class Fairness(Struct):
    """Everything that is needed to check the dice of a finished game."""

    commitment: str
    seed: str
    words: list[str]
    events: list[ChanceEvent]


class Step(Struct):
    """A position of a finished game, and the event that led to it."""

    event: Event | None
    """Null for step 0, the beginning."""
    view: Any
    """What the viewpoint sees; see "Views"."""
    scores: Sequence[float]


class Replay(Struct):
    """Some steps of a finished game."""

    total: int
    """The number of all steps."""
    first: int
    """The number of the first step here."""
    steps: list[Step]


class ChartPoint(Struct):
    """One position of a chart, as a spectator sees it."""

    number: int
    """The step."""
    view: Any
    scores: Sequence[float]


class Chart(Struct):
    """A finished game in 150 to 300 positions, and how often which public outcome of chance came to each seat."""

    total: int
    points: list[ChartPoint]
    outcomes: Sequence[Mapping[str, int]]


class RecordSummary(Struct):
    """The contents of an uploaded record."""

    game: str
    options: dict[str, Any]
    seats: list[CatalogueMessage]
    """The game's names for the seats."""
    over: bool
    """Whether the game was played to its end."""
    fair: bool
    """Whether the dice can be checked."""
    total: int
    """The number of steps."""
    games: list[tuple[int, int]]
    """The first and the last line of every game in the file. The first game is shown."""
    geometry: Annotated[Raw, encoded_as("Geometry")]


class ReviewedMove(Struct):
    """A decision, judged."""

    number: int
    """The step of the replay that the decision leads to."""
    seat: int
    text: str
    before: float
    """The mover's chance with the best move."""
    after: float
    """Their chance with the move they made."""
    best: str
    lost: float
    """`before - after`."""
    exact: bool
    """Whether the chances are exact (tables of Ur) or come from playouts."""
    chances: list[float]
    """The chances of all seats after the move."""
    unjudged: bool
    """Whether other offers or bribes, which are not judged, could have been made."""
    better: list[Note]
    """The effects of the best move, where at least `slip` was lost."""


class ReviewedSide(Struct):
    """A seat over the whole game: `result` is `start + luck - lost`, plus the other's `lost` of two seats."""

    seat: int
    start: float
    decisions: int
    lost: float
    luck: float
    result: float


class Review(Struct):
    """A finished game, judged."""

    game: str
    playouts: int
    seed: int
    exact: int
    """The number of decisions that were judged exactly."""
    moves: list[ReviewedMove]
    sides: list[ReviewedSide]
    interrupted: bool
    """Whether the record ends before the game does."""
    slip: float
    """The loss from which on a move is explained."""


class ReviewJob(Struct):
    """The progress of a review, and its result."""

    review: str
    """The id to ask again with."""
    state: Annotated[str, one_of("waiting", "running", "done", "failed", "dropped")]
    done: int
    total: int
    result: Annotated[Raw, encoded_as("Review")] | None
    fault: Annotated[Raw, encoded_as("Refusal")] | None


ANSWERS = (
    Chart,
    Document,
    Fairness,
    Games,
    Geometry,
    Health,
    Home,
    Invitation,
    Joined,
    RecordSummary,
    Refusal,
    Replay,
    Review,
    ReviewJob,
    Rules,
    Seated,
    Table,
    Tables,
    Words,
)
"""All answers to requests."""
