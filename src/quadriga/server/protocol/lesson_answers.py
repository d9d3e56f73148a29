"""Answers about learning: the lessons of a game, its first race and its puzzles.

Every legal action comes with its effect, so that a page needs neither rules nor the server to answer it.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Struct

from quadriga.server.protocol.fields import one_of
from quadriga.server.protocol.parts import Action, CatalogueMessage, Note, Texts


class LessonReply(Struct):
    """The result of an action in a lesson."""

    view: Any
    goal: bool
    """True if the action is what the step asks for."""
    answer: Texts


class LessonStep(Struct):
    """A position of a lesson, with a reply to every legal action."""

    say: Texts
    view: Any
    legal: list[Action]
    why: dict[str, list[Note]]
    """Why cards or pieces cannot be played, by name."""
    replies: dict[str, LessonReply]
    """By action."""


class Lesson(Struct):
    """A lesson."""

    id: str
    title: Texts
    board: int
    """The number of its board among those of the course."""
    steps: list[LessonStep]


class Trigger(Struct):
    """The condition under which a sentence of a first race is said. Without `note` it is about a position."""

    note: str
    """An effect of what has just happened: the last part of its message id."""
    by: Annotated[str, one_of("", "you", "other")]
    """The seat that did it; empty for any."""
    legal: str
    """One of the learner's legal actions; `*` stands for anything."""
    view: dict[str, Any]
    """Values in the learner's view, by their paths."""


class FirstRaceTip(Struct):
    """A sentence of a first race, and what triggers it."""

    id: str
    on: Trigger
    text: Texts


class FirstRace(Struct):
    """The first race of a game: how to set its table up, and what to say."""

    seats: int
    seat: int
    """The learner's."""
    bot: str
    options: dict[str, Any]
    tips: list[FirstRaceTip]


class Course(Struct):
    """The lessons of a game, and its first race if it has one."""

    game: str
    seat: int
    """The learner's."""
    called: list[CatalogueMessage]
    """The game's names of the seats."""
    boards: list[Any]
    lessons: list[Lesson]
    race: FirstRace | None


class Puzzle(Struct, omit_defaults=True):
    """A puzzle, with the position that each move leads to, its value and its error."""

    id: str
    grade: int
    """1 easy, 2 medium, 3 hard."""
    seat: int
    """The seat that is to move."""
    seats: int
    board: int
    """The number of its board among those of the game's puzzles."""
    view: Any
    legal: list[Action]
    why: dict[str, list[Note]]
    """Why cards or pieces cannot be played, by name."""
    after: dict[str, Any]
    """The view after each move."""
    values: dict[str, float]
    """By move: the chance to win, or with more than two seats the share of the result."""
    obvious: str
    """The move that rules of thumb make."""
    coach: dict[str, list[CatalogueMessage]] = {}
    """The coach's words about each move."""
    errors: dict[str, float] = {}
    """Half-widths of 95 % intervals; exact values have none."""
    lead_error: float = 0.0
    """The error of the lead of the best move over the next one."""
    playouts: int = 0
    """Playouts behind each value."""


class Puzzles(Struct):
    """The common part of a game's puzzles."""

    part: int
    """The number of puzzles in a part."""
    called: list[CatalogueMessage]
    """The game's names of the seats."""
    boards: list[Any]
    grades: list[int]
    """The grade of each puzzle, in their order."""
    stride: int
    """The number of puzzles from one day's to the next day's."""


class PuzzlePart(Struct):
    """Some of a game's puzzles."""

    puzzles: list[Puzzle]
