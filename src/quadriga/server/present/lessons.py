"""The lessons of a game as the page plays them: every position, every legal action, its effect and its answer.

`scripts/lessons.py` writes them when the page is built: for a lesson the page needs neither rules nor the server.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, to_builtins

from quadriga.engine.match.match import Match
from quadriga.engine.text.catalogues import LANGUAGES
from quadriga.games import find
from quadriga.learn import puzzles
from quadriga.learn.first_race import Trigger, first_race, has_first_race
from quadriga.learn.lesson import course
from quadriga.learn.unroll import OpenStep, lessons
from quadriga.server.protocol import texts
from quadriga.server.protocol.parts import Action, CatalogueMessage, Note, Texts


class LessonReply(Struct):
    """The result of an action in a lesson."""

    view: Any
    goal: bool
    answer: Texts


class LessonStep(Struct):
    """A position of a lesson, with a reply to every legal action."""

    say: Texts
    view: Any
    legal: list[Action]
    why: dict[str, list[Note]]
    replies: dict[str, LessonReply]


class Lesson(Struct):
    """A lesson, and the number of its board among those of the course."""

    id: str
    title: Texts
    board: int
    steps: list[LessonStep]


class FirstRaceTip(Struct):
    """A sentence of a first race, and what triggers it."""

    id: str
    on: Trigger
    text: Texts


class PageRace(Struct):
    """The first race of a game: how to set its table up, and what to say."""

    seats: int
    seat: int
    bot: str
    options: dict[str, Any]
    tips: list[FirstRaceTip]


class Course(Struct):
    """The lessons of a game, and its first race if it has one."""

    game: str
    seat: int
    called: list[CatalogueMessage]
    boards: list[Any]
    lessons: list[Lesson]
    race: PageRace | None


class PagePuzzle(Struct, omit_defaults=True):
    """A puzzle, with the position that each move leads to, its value and its error."""

    id: str
    grade: int
    seat: int
    seats: int
    board: int  # the number of its board among those of the game
    view: Any
    legal: list[Action]
    why: dict[str, list[Note]]
    after: dict[str, Any]
    values: dict[str, float]
    obvious: str
    errors: dict[str, float] = {}
    lead_error: float = 0.0
    playouts: int = 0


class PuzzleBoard(Struct):
    """The common part of a game's puzzles: boards, the names of seats, grades in order, and the stride by day."""

    called: list[CatalogueMessage]
    boards: list[Any]
    grades: list[int]
    stride: int


def page_puzzles(game: str) -> tuple[PuzzleBoard, list[PagePuzzle]]:
    """Return the puzzles of a game for the page."""
    known = puzzles.puzzles(game)
    boards: dict[bytes, Any] = {}  # by the tables that they draw
    called: list[CatalogueMessage] = []
    found = []
    for puzzle in known:
        match = puzzles.start(game, puzzle)
        tables = match.t.tobytes()
        if tables not in boards:
            boards[tables] = {"game": game, **to_builtins(match.game.display.board(match.t))}
        if match.seats > len(called):
            called = [texts.message(match.game.display.name_of(match.t, seat)) for seat in range(match.seats)]
        found.append(_puzzle(puzzle, match, list(boards).index(tables)))
    return PuzzleBoard(
        called, list(boards.values()), [puzzle.grade for puzzle in known], puzzles.stride(game)
    ), found


def _puzzle(puzzle: puzzles.Puzzle, match: Match, board: int) -> PagePuzzle:
    """Return a puzzle as its seat sees it."""
    seat = match.actor
    legal, after = [], {}
    for text, action in match.actions().items():
        legal.append(Action(text, texts.notes(match.game.display.explain(match.t, match.s, (action,)))))
        moved = match.copy()
        moved.push(text)
        after[text] = to_builtins(moved.view(seat))
    return PagePuzzle(
        id=puzzle.id,
        grade=puzzle.grade,
        seat=seat,
        seats=match.seats,
        board=board,
        view=to_builtins(match.view(seat)),
        legal=legal,
        why={thing: texts.notes(notes) for thing, notes in match.why_illegal(seat).items()},
        after=after,
        values=puzzle.values,
        obvious=puzzle.obvious,
        errors=puzzle.errors,
        lead_error=puzzle.lead_error,
        playouts=puzzle.playouts,
    )


def lesson_course(id: str) -> Course:
    """Return the lessons of a game for the page."""
    game, boards = find(id), list[Any]()
    found = []
    called: list[CatalogueMessage] = []
    for lesson, steps in lessons(id):
        match = steps[0].match
        board = {"game": id, **to_builtins(game.display.board(match.t))}
        if board not in boards:
            boards.append(board)
        if match.seats > len(called):
            called = [texts.message(game.display.name_of(match.t, seat)) for seat in range(match.seats)]
        found.append(
            Lesson(
                lesson.id,
                Texts(**{each: lesson.titled(each) for each in LANGUAGES}),
                boards.index(board),
                [_step(step) for step in steps],
            )
        )
    return Course(id, course(id).seat, called, boards, found, _first_race(id) if has_first_race(game) else None)


def _first_race(id: str) -> PageRace:
    race = first_race(id)
    tips = [
        FirstRaceTip(tip.id, tip.on, Texts(**{language: tip.text(language) for language in LANGUAGES}))
        for tip in race.tip
    ]
    return PageRace(race.seats, race.seat, race.bot, race.options, tips)


def _step(step: OpenStep) -> LessonStep:
    seat = step.match.actor
    reasons = step.match.why_illegal(seat)
    return LessonStep(
        Texts(**step.say),
        to_builtins(step.view),
        [Action(text, texts.notes(reply.effects)) for text, reply in step.replies.items()],
        {thing: texts.notes(notes) for thing, notes in reasons.items()},
        {
            text: LessonReply(to_builtins(reply.view), reply.is_goal, Texts(**reply.answer))
            for text, reply in step.replies.items()
        },
    )
