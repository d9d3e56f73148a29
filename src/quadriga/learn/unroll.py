"""Play every legal action of a lesson's step, so that a page can answer without knowing the rules."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from quadriga.engine.match.entry import FAMILY
from quadriga.engine.match.match import Match
from quadriga.engine.parts.display import Note
from quadriga.engine.text.catalogues import LANGUAGES, Words, of
from quadriga.learn.lesson import Course, Lesson, Step, course, start

Texts = dict[str, str]
"""A text by language."""


class Reply(NamedTuple):
    """The effect of an action, and the answer to it."""

    effects: list[Note]
    view: msgspec.Struct
    is_goal: bool
    answer: Texts


class OpenStep(NamedTuple):
    """A lesson's step with the reply to every legal action."""

    match: Match
    say: Texts
    view: msgspec.Struct
    replies: dict[str, Reply]  # by action, as a match lists them
    goal: list[str]


def open_step(id: str, lesson: Lesson, step: Step) -> OpenStep:
    """Return a step with the reply to every legal action."""
    match = start(id, lesson, step)
    seat = course(id).seat
    replies = {text: _reply(match, step, text, seat) for text in _actions(match, step)}
    say = {language: step.text(language, "say") for language in LANGUAGES}
    return OpenStep(match, say, match.view(seat), replies, step.goal)


def _actions(match: Match, step: Step) -> list[str]:
    """Return the legal actions; of a family those that the step names."""
    named = [text for text in {**step.en, **dict.fromkeys(step.goal)} if " " in text and "*" not in text]
    families = [text.removesuffix(FAMILY) for text in match.actions() if text.endswith(FAMILY)]
    composed = [text for text in named if text.split(" ")[0] in families and text not in match.actions()]
    return [text for text in match.actions() if not text.endswith(FAMILY)] + composed


def _reply(match: Match, step: Step, text: str, seat: int) -> Reply:
    after = match.copy()
    entry = after.push(text)
    game = match.game
    effects = game.display.explain(match.t, match.s, entry.actions)
    teaching, facts = game.teaching, {}
    if teaching is not None and teaching.facts is not None:
        facts = teaching.facts(match.t, match.s, after.s, seat, entry.actions[-1])
    key = step.answer_key(text)
    answer = {
        language: _fill(step.text(language, key), facts, of(language, game.package)) for language in LANGUAGES
    }
    return Reply(effects, after.view(seat), text in step.goal, answer)


def _fill(text: str, facts: dict[str, int | float], say: Words) -> str:
    """Return a text with its facts: chances as per cent, whole numbers as they are."""
    return text.format_map(
        {name: say.percent(fact) if isinstance(fact, float) else fact for name, fact in facts.items()}
    )


def lessons(id: str) -> list[tuple[Lesson, list[OpenStep]]]:
    """Return all lessons of a game with their steps."""
    found: Course = course(id)
    return [(lesson, [open_step(id, lesson, step) for step in lesson.step]) for lesson in found.lesson]
