"""The lessons and puzzles of a game as the page plays them: every position, every legal action and its effect.

They depend on what is installed alone, so each is made when it is first asked for, and kept.
"""

from __future__ import annotations

import hashlib
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

import msgspec
from msgspec import to_builtins
from msgspec.structs import asdict

from quadriga.engine.match.match import Match
from quadriga.engine.text.catalogues import LANGUAGES
from quadriga.games import find
from quadriga.learn import puzzles
from quadriga.learn.coach import coaching
from quadriga.learn.first_race import first_race, has_first_race
from quadriga.learn.lesson import course
from quadriga.learn.unroll import OpenStep, lessons
from quadriga.server.protocol import texts
from quadriga.server.protocol.lesson_answers import (
    Course,
    FirstRace,
    FirstRaceTip,
    Lesson,
    LessonReply,
    LessonStep,
    Puzzle,
    PuzzlePart,
    Puzzles,
    Trigger,
)
from quadriga.server.protocol.parts import Action, CatalogueMessage, Texts

PART = 30  # puzzles in an answer; a page asks for one part at a time
_MAKING = Lock()  # requests for the same lessons wait for the first of them


class Made(NamedTuple):
    """An answer as JSON, and the tag that a browser compares its copy with."""

    body: bytes
    tag: str


def encoded_course(game: str) -> Made:
    """Return the lessons of a game. Raises OptionError if it has none."""
    with _MAKING:
        return _encoded_course(game)


def encoded_puzzles(game: str) -> list[Made]:
    """Return the common part of a game's puzzles, then the puzzles in parts. Raises OptionError if it has none."""
    with _MAKING:
        return _encoded_puzzles(game)


@cache
def _encoded_course(game: str) -> Made:
    return _made(lesson_course(game))


@cache
def _encoded_puzzles(game: str) -> list[Made]:
    shared, known = page_puzzles(game)
    parts = [PuzzlePart(known[first : first + PART]) for first in range(0, len(known), PART)]
    return [_made(shared), *map(_made, parts)]


def _made(answer: msgspec.Struct) -> Made:
    body = msgspec.json.encode(answer)
    return Made(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"')


def page_puzzles(game: str) -> tuple[Puzzles, list[Puzzle]]:
    """Return the common part of a game's puzzles, and the puzzles."""
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
    grades = [puzzle.grade for puzzle in known]
    return Puzzles(PART, called, list(boards.values()), grades, puzzles.stride(game)), found


def _puzzle(puzzle: puzzles.Puzzle, match: Match, board: int) -> Puzzle:
    """Return a puzzle as its seat sees it."""
    seat = match.actor
    legal, after = [], {}
    for text, action in match.actions().items():
        legal.append(Action(text, texts.notes(match.game.display.explain(match.t, match.s, (action,)))))
        moved = match.copy()
        moved.push(text)
        after[text] = to_builtins(moved.view(seat))
    return Puzzle(
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
        coach={
            text: [texts.message(each) for each in said] for text, said in coaching(match, seat).actions.items()
        },
        errors=puzzle.errors,
        lead_error=puzzle.lead_error,
        playouts=puzzle.playouts,
    )


def lesson_course(id: str) -> Course:
    """Return the lessons of a game."""
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


def _first_race(id: str) -> FirstRace:
    race = first_race(id)
    tips = [
        FirstRaceTip(
            tip.id, Trigger(**asdict(tip.on)), Texts(**{language: tip.text(language) for language in LANGUAGES})
        )
        for tip in race.tip
    ]
    return FirstRace(race.seats, race.seat, race.bot, race.options, tips)


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
