"""Every lesson on the engine: its goal can be reached, every action has an answer, and all claims are true."""

import re

import pytest

from quadriga.engine.errors import OptionError
from quadriga.engine.match.entry import FAMILY
from quadriga.engine.text.catalogues import LANGUAGES
from quadriga.learn import unroll
from quadriga.learn.lesson import Lesson, Step, course, find_lesson, games_with_courses, start

STEPS = [
    pytest.param(game, lesson, step, id=f"{game}-{lesson.id}-{number}")
    for game in games_with_courses()
    for lesson in course(game).lesson
    for number, step in enumerate(lesson.step, 1)
]


_OPENED: dict[int, unroll.OpenStep] = {}


def open_step(game: str, lesson: Lesson, step: Step) -> unroll.OpenStep:
    """Return a step with its replies, computed once."""
    if id(step) not in _OPENED:
        _OPENED[id(step)] = unroll.open_step(game, lesson, step)
    return _OPENED[id(step)]


@pytest.mark.parametrize("game", ["ur", "ave-caesar", "ben-hvrt"])
def test_a_course_has_8_to_12_lessons_with_their_own_ids(game):
    ids = [lesson.id for lesson in course(game).lesson]
    assert 8 <= len(ids) <= 12
    assert len(set(ids)) == len(ids)
    assert all(set(lesson.title) == set(LANGUAGES) for lesson in course(game).lesson)


@pytest.mark.parametrize(("game", "lesson", "step"), STEPS)
def test_the_learner_is_asked_and_can_reach_the_goal(game, lesson, step):
    match = start(game, lesson, step)
    assert match.actor == course(game).seat
    opened = open_step(game, lesson, step)
    assert opened.goal
    assert set(opened.goal) <= set(opened.replies)
    assert [text for text, reply in opened.replies.items() if reply.is_goal] == [
        text for text in opened.replies if text in step.goal
    ]


PRAISE = r"(Right|Good|Yes|Exactly|Well done|Bien|Bon|Oui|Bravo|Exactement)\b[ ]?[.,:!]"


@pytest.mark.parametrize(("game", "lesson", "step"), STEPS)
def test_an_answer_leaves_the_praise_to_the_page(game, lesson, step):
    """The page and the terminal say "Right!" before it."""
    for reply in open_step(game, lesson, step).replies.values():
        assert not any(re.match(PRAISE, text) for text in reply.answer.values())


@pytest.mark.parametrize(("game", "lesson", "step"), STEPS)
def test_every_legal_action_has_an_answer_of_its_own(game, lesson, step):
    match = start(game, lesson, step)
    opened = open_step(game, lesson, step)
    listed = {text for text in match.actions() if not text.endswith(FAMILY)}
    assert listed <= set(opened.replies)
    for text, reply in opened.replies.items():
        for language in LANGUAGES:
            assert reply.answer[language]
            assert not re.search(r"[{}]", reply.answer[language]), text
        if not reply.is_goal:
            assert reply.answer not in [opened.replies[goal].answer for goal in step.goal]


@pytest.mark.parametrize(("game", "lesson", "step"), STEPS)
def test_what_an_answer_claims_happens(game, lesson, step):
    opened = open_step(game, lesson, step)
    assert set(step.shows) == set(step.en) - {"say"}, "every answer names the effects that it speaks of"
    for text, reply in opened.replies.items():
        effects = [note.message.id.rpartition(".")[2] for note in reply.effects]
        assert set(step.shows[step.answer_key(text)]) <= set(effects), text


@pytest.mark.parametrize(("game", "lesson", "step"), STEPS)
def test_texts_are_complete_in_both_languages_and_none_is_unused(game, lesson, step):
    assert set(step.en) == set(step.fr)
    opened = open_step(game, lesson, step)
    used = {step.answer_key(text) for text in opened.replies} | {"say"}
    assert used == set(step.en)
    for key in step.en:
        assert set(re.findall(r"{\w+}", step.en[key])) == set(re.findall(r"{\w+}", step.fr[key])), key
        assert len(step.en[key]) <= 330, "short enough to read at a glance"
    for text in step.fr.values():
        assert not re.search(r"\S[:;!?](\s|$)", text), "French puts a space before these signs"


@pytest.mark.parametrize(("game", "lesson", "step"), STEPS)
def test_a_chance_that_is_named_says_something(game, lesson, step):
    """A text names a chance only where it is neither nothing nor certain."""
    for reply in open_step(game, lesson, step).replies.values():
        assert not re.search(r"(?<!\d)(0|100)%", reply.answer["en"])


def test_an_unknown_lesson_is_refused_with_those_that_there_are():
    with pytest.raises(OptionError) as refused:
        find_lesson("ur", "castling")
    assert refused.value.code == "learn.lesson"
    assert "path" in refused.value.text("en")


def test_a_game_without_lessons_is_refused_with_those_that_have_some():
    with pytest.raises(OptionError) as refused:
        course("nim")
    assert refused.value.code == "learn.none"
    assert "ur" in refused.value.text("fr")
