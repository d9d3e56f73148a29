"""Answers about finished games: replays, charts, uploaded records and reviews."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Raw, Struct

from quadriga.server.protocol.fields import encoded_as, one_of
from quadriga.server.protocol.parts import CatalogueMessage, Event, Note


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
    """The view of this viewpoint; see "Views"."""
    scores: Sequence[float]


class Replay(Struct):
    """Some steps of a finished game."""

    total: int
    """The number of all steps."""
    first: int
    """The number of the first step here."""
    steps: list[Step]


class PastOrder(Struct):
    """A standing order of a finished game."""

    seat: int
    words: CatalogueMessage
    given: int
    """The step after which it was given."""
    ended: int | None = None
    """The step with which it ended; null if it stood until the end of the game."""
    how: Annotated[str, one_of("cancelled", "done", "illegal", "over", "undone", "left")] | None = None
    """How it ended. `left`: somebody else took the seat. The others are those of `orders`."""


class PastOrders(Struct):
    """All standing orders of a finished game, in the order in which they were given."""

    orders: list[PastOrder]


class ChartPoint(Struct):
    """One position of a chart, as a spectator sees it."""

    number: int
    """The step."""
    view: Any
    scores: Sequence[float]


class Chart(Struct):
    """A finished game in 150 to 300 positions, and the counts of each public outcome of chance by seat."""

    total: int
    points: list[ChartPoint]
    outcomes: Sequence[Mapping[str, int]]


class RecordPlayer(Struct):
    """A player of an uploaded record."""

    name: str
    """Empty for a bot."""
    bot: str | None
    """The kind of bot."""


class RecordSummary(Struct):
    """The contents of an uploaded record."""

    game: str
    options: dict[str, Any]
    seats: list[CatalogueMessage]
    """The game's names for the seats."""
    players: list[RecordPlayer]
    """The player of each seat; empty if the record names none."""
    over: bool
    """True if the game was played to its end."""
    fair: bool
    """True if the dice can be checked."""
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
    """`before - after`, and 0 unless that is beyond the error of the estimate."""
    exact: bool
    """True if the chances are exact (tables of Ur); otherwise they come from playouts."""
    chances: list[float]
    """The chances of all seats after the move."""
    error: float
    """The half-width of the 95 % interval of `after`; 0 if exact."""
    lost_error: float
    """The half-width of the 95 % interval of the difference between the best move and this one; 0 if exact."""
    unjudged: bool
    """True if other offers or bribes, which are not judged, could have been made."""
    better: list[Note]
    """The effects of the best move, if at least `slip` was lost."""


class ReviewedSide(Struct):
    """A seat over the whole game: `result` is `start + luck - lost`, plus the other's `lost` with two seats."""

    seat: int
    start: float
    decisions: int
    slips: int
    """The number of decisions that lost at least the review's `slip`."""
    lost: float
    average: float
    """`lost` for each decision."""
    luck: float
    result: float
    adjusted: float
    """The result without luck: `result - luck`."""
    adjusted_error: float
    """The half-width of its 95 % interval; 0 if everything is exact."""


class Review(Struct):
    """A finished game, judged."""

    game: str
    playouts: int
    seed: int
    exact: int
    """The number of decisions that were judged exactly."""
    error: float
    """The mean of the errors of the others."""
    entries: int
    """The number of the last step."""
    moves: list[ReviewedMove]
    sides: list[ReviewedSide]
    interrupted: bool
    """True if the record ends before the game does."""
    slip: float
    """The loss from which a move is a mistake and is explained."""


class ReviewJob(Struct):
    """The progress of a review, and its result."""

    review: str
    """The id to ask again with."""
    state: Annotated[str, one_of("waiting", "running", "done", "failed", "dropped")]
    done: int
    total: int
    result: Annotated[Raw, encoded_as("Review")] | None
    fault: Annotated[Raw, encoded_as("Refusal")] | None
