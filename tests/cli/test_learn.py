"""Lessons in the terminal: every course played through, wrong answers on the way, progress that is remembered."""

import json

import pytest

import forked
from quadriga.learn.lesson import course, games_with_courses
from quadriga.learn.unroll import open_step
from soak import crossed


@pytest.fixture
def learn(tmp_path):
    """Run `quadriga learn` with these lines typed; return exit code, output and errors."""

    def run(typed: str, *arguments: str) -> tuple[int, str, str]:
        done = forked.run(
            "learn", *arguments, typed=typed, folder=tmp_path, XDG_DATA_HOME=str(tmp_path), COLUMNS="80"
        )
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.mark.parametrize(("game", "language"), crossed(games_with_courses(), ["en", "fr"]))
def test_a_course_is_played_through_and_remembered(learn, tmp_path, game, language):
    """Every wrong action first, then the right one, in every step of every lesson."""
    typed, answers = [], []
    for lesson in course(game).lesson:
        for step in lesson.step:
            replies = open_step(game, lesson, step).replies
            wrong = [text for text, reply in replies.items() if not reply.is_goal]
            typed += [*wrong, step.goal[0]]
            answers += [replies[text].answer[language] for text in [*wrong, step.goal[0]]]
    code, out, errors = learn("\n".join(typed) + "\n", game, "--lang", language)
    assert (code, errors) == (0, "")
    plain = " ".join(out.split())
    for answer in answers:
        assert " ".join(answer.split()) in plain
    assert f"quadriga play {game}" in plain
    assert json.loads((tmp_path / "quadriga" / "lessons.json").read_text())[game] == [
        lesson.id for lesson in course(game).lesson
    ]


def test_the_next_session_begins_with_the_first_lesson_that_is_not_finished(learn):
    code, out, _ = learn("1\n1\n1\nq\n", "ur")
    assert code == 0
    assert "Lesson 2 of 10" in out
    _, out, _ = learn("q\n", "ur")
    assert "Lesson 2 of 10" in out
    _, out, _ = learn("q\n", "ur", "--again")
    assert "Lesson 1 of 10" in out
    _, out, _ = learn("")
    assert "✓ path" in out
    assert "✓ roll" not in out


def test_a_lesson_is_skipped_repeated_and_left(learn):
    code, out, _ = learn("r\nn\nq\n", "ur", "eyes")
    assert code == 0
    assert out.count("Lesson 4 of 10") == 1
    assert out.count("Whoever lands on the 4-Eyes rolls again at once.") == 2
    assert "Lesson 5 of 10" in out
    _, out, _ = learn("")
    assert "✓" not in out


def test_what_is_not_a_move_is_refused_with_what_would_be_right(learn):
    _, out, _ = learn("9\nhello\nq\n", "ur", "rosette")
    assert out.count("Enter a number from 1 to 3.") == 2


def test_an_unknown_lesson_or_game_is_one_line(learn):
    code, _, errors = learn("", "ur", "castling")
    assert code == 2
    assert errors == (
        "quadriga: There is no lesson 'castling'. There are: path, roll, rosette, eyes, capture, conversion, "
        "passage, jump, off, opening.\n"
    )
    code, _, errors = learn("", "chess")
    assert code == 2
    assert "There is no game 'chess'" in errors


def test_progress_that_cannot_be_stored_costs_only_the_memory(learn, tmp_path):
    (tmp_path / "quadriga").write_text("a file where the folder should be")
    code, out, errors = learn("1\n1\n1\nq\n", "ur")
    assert (code, errors) == (0, "")
    assert "Your progress cannot be stored" in out
    assert "Lesson 2 of 10" in out
