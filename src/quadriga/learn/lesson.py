"""Lessons as they are written: positions, goals and texts, read from `lessons.toml` of a game's package.

A step is a position and one thing to do. Its texts are tables by language: `say` before the action, `done` after
the right one, and an answer to each other legal action under its notation, in which `*` stands for anything.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.match.match import Match
from quadriga.engine.text.catalogues import ENGLISH
from quadriga.games import find, ids

_SAY, _DONE = "say", "done"


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position with one thing to do."""

    position: dict[str, Any]
    play: list[str] = []  # decisions and outcomes that lead from the position to the one that is shown
    goal: list[str]  # the actions that succeed
    en: dict[str, str]
    fr: dict[str, str] = {}
    shows: dict[str, list[str]] = {}  # by the keys of the answers: effects that they speak of; tests check them

    def text(self, language: str, key: str) -> str:
        """Return the text of a key in a language, or in English if there is no other text."""
        texts: dict[str, str] = getattr(self, language)
        return texts.get(key, self.en[key])

    def answer_key(self, action: str) -> str:
        """Return the key of the answer to an action. Raises KeyError if there is none."""
        if action in self.goal:
            return action if action in self.en else _DONE
        if action in self.en:
            return action
        return next(key for key in self.en if key not in (_SAY, _DONE) and fnmatchcase(action, key))


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A lesson of one or more steps. `options` and `seats` are those of the course unless it has its own."""

    id: str
    title: dict[str, str]
    options: dict[str, Any] | None = None
    seats: int | None = None
    step: list[Step]

    def titled(self, language: str) -> str:
        """Return the title in a language, or in English if there is no other."""
        return self.title.get(language, self.title[ENGLISH])


class Course(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The lessons of a game, in order."""

    options: dict[str, Any] = {}
    seats: int
    seat: int = 0  # the learner's
    lesson: list[Lesson]


def has_course(game: Game) -> bool:
    """Return whether a game has lessons."""
    return bool(_file(game).is_file())


def games_with_courses() -> list[str]:
    """Return the ids of the games that have lessons."""
    return [each for each in ids() if has_course(find(each))]


@cache
def course(id: str) -> Course:
    """Return the lessons of a game. Raises OptionError if it has none."""
    game = find(id)
    if not has_course(game):
        raise OptionError("learn.none", game=id, known=games_with_courses())
    return msgspec.convert(tomllib.loads(_file(game).read_text("utf-8")), Course)


def find_lesson(id: str, lesson: str) -> Lesson:
    """Return a lesson of a game by its id. Raises OptionError if there is none."""
    lessons = {each.id: each for each in course(id).lesson}
    if lesson not in lessons:
        raise OptionError("learn.lesson", lesson=lesson, known=list(lessons))
    return lessons[lesson]


def start(id: str, lesson: Lesson, step: Step) -> Match:
    """Return the match of a step, in the position in which the learner is asked."""
    game, whole = find(id), course(id)
    options: Mapping[str, Any] = whole.options if lesson.options is None else lesson.options
    match = Match(game, options, lesson.seats or whole.seats)
    if step.position:
        set_up(match, step.position)
    for text in step.play:
        (match.push if match.actor >= 0 else match.happen)(text)
    return match


def set_up(match: Match, position: Mapping[str, Any]) -> None:
    """Set up a described position as the start of a match. Raises OptionError if the game cannot do that."""
    teaching = match.game.teaching
    if teaching is None or teaching.place is None:
        raise OptionError("position.none")
    teaching.place(match.t, match.s, position)
    match.start_here()


def _file(game: Game) -> Any:
    return resources.files(game.package).joinpath("learn", "lessons.toml")
