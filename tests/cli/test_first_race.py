"""First races and the coach in the terminal: played to the end, remembered, in both languages."""

import json

import pytest

import forked
from quadriga.learn.first_race import first_race


@pytest.fixture
def quadriga(tmp_path):
    """Run the program with these lines typed, in a folder of its own; return exit code, output and errors."""

    def run(typed: str, *arguments: str) -> tuple[int, str, str]:
        done = forked.run(*arguments, typed=typed, folder=tmp_path, XDG_DATA_HOME=str(tmp_path), COLUMNS="80")
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.mark.parametrize(
    ("game", "language"), [*zip(("ur", "ave-caesar", "ben-hvrt"), ("en", "fr", "en"), strict=True)]
)
def test_a_first_race_is_played_to_its_end_with_tips_and_remembered(quadriga, tmp_path, game, language):
    code, out, errors = quadriga("1\n" * 1500, "learn", game, "--race", "--seed", "3", "--lang", language)
    assert (code, errors) == (0, "")
    assert json.loads((tmp_path / "quadriga" / "lessons.json").read_text()) == {game: ["race"]}
    plain = " ".join(out.split())
    said = [tip for tip in first_race(game).tip if f"» {getattr(tip, language)}" in plain]
    assert len(said) >= 8
    assert all(plain.count(getattr(tip, language)) == 1 for tip in said)
    _, listed, _ = quadriga("", "learn", "--lang", language)
    assert "✓ --race" in listed


def test_the_first_race_follows_the_last_lesson(quadriga):
    _, out, _ = quadriga("n\n\nq\n", "learn", "ur", "opening")
    assert "Enter plays your first race now" in out
    assert "» You are Black" in out
    _, out, _ = quadriga("n\nq\n", "learn", "ur", "opening")
    assert "» You are Black" not in out


def test_a_game_without_a_first_race_is_refused(quadriga):
    code, _, errors = quadriga("", "learn", "nim", "--race")
    assert code == 2
    assert "There is no first race for 'nim'" in errors


def test_the_coach_is_off_until_it_is_asked_for_and_off_again(quadriga):
    start = ("play", "ave-caesar", "--seat", "human", "--seat", "easy", "--seat", "easy", "--seed", "3")
    _, out, _ = quadriga("q\n", *start)
    assert "to spare afterwards" not in out
    _, out, _ = quadriga("coach\ncoach\nq\n", *start)
    assert "Your cards have 84 points, and you need 80: 4 to spare." in out
    assert "to spare afterwards" in out
    assert "The coach is off." in out


def test_people_who_share_the_terminal_must_agree_to_the_coach(quadriga):
    start = ("play", "ave-caesar", "--seat", "human", "--seat", "human", "--seat", "easy", "--seed", "3")
    _, out, _ = quadriga("\ncoach\nn\nq\n", *start)
    assert "Does everybody here agree to the coach?" in out
    assert "to spare afterwards" not in out
    _, out, _ = quadriga("\ncoach\ny\nq\n", *start)
    assert "to spare afterwards" in out
