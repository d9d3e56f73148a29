"""Puzzles and the glossary in the terminal."""

from __future__ import annotations

import io

import pytest

import soak
from quadriga.cli import main
from quadriga.engine.text.catalogues import LANGUAGES
from quadriga.engine.text.glossary import glossary
from quadriga.games import find
from quadriga.learn.puzzles import games_with_puzzles, puzzles

GAMES = games_with_puzzles()


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run a command with these lines typed; return exit code, output and errors."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("QUADRIGA_LANG", raising=False)
    monkeypatch.chdir(tmp_path)  # a game that is left is saved here

    def command(typed: str, *arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as left:
            main(["--lang", "en", *arguments] if "--lang" not in arguments else list(arguments))
        said = capsys.readouterr()
        return int(left.value.code or 0), said.out, said.err

    return command


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("game", GAMES)
def test_puzzles_are_played_through(run, game):
    """Every second one is solved, the others missed; every value has its error. `make soak` plays all."""
    known = puzzles(game)[: soak.count(30, len(puzzles(game)))]
    typed = [puzzle.best if number % 2 else puzzle.obvious for number, puzzle in enumerate(known)]
    code, out, errors = run("\n".join([*typed, "q"]) + "\n", "puzzles", game, known[0].id)
    assert (code, errors) == (0, "")
    said = plain(out)
    assert said.count("Right! ") == len(known) // 2
    assert said.count(" is better by ") == len(known) - len(known) // 2
    for puzzle in known:
        assert f"Puzzle {puzzle.id} " in said
        for text, value in puzzle.values.items():
            error = "" if puzzle.is_exact else f" ± {100 * puzzle.errors[text]:.1f}%"
            assert f"{100 * value:.1f}%{error} {text} " in said, (puzzle.id, text)
        if not puzzle.is_exact:
            assert f"by {100 * puzzle.lead:.1f}% ± {100 * puzzle.lead_error:.1f}%" in said


def test_a_number_alone_is_a_puzzle_of_ur_and_no_number_is_the_puzzle_of_the_day(run):
    code, out, _ = run("q\n", "puzzles", "017")
    assert code == 0
    assert "Puzzle 017 (easy): Black to move" in out
    for game in GAMES:
        assert "le problème du jour" in run("q\n", "puzzles", game, "--lang", "fr")[1]


def test_what_cannot_be_is_refused_in_one_line(run):
    code, _, errors = run("", "puzzles", "ben-hvrt", "999")
    assert (code, errors) == (2, "quadriga: There is no puzzle '999'. They are numbered from 001 to 060.\n")
    code, _, errors = run("", "puzzles", "chess")
    assert code == 2
    assert "There is no game 'chess'" in errors
    code, _, errors = run("", "puzzles", "ur", "--make", "0")
    assert code == 2
    assert "1..100000" in errors


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_end_with_the_glossary(run, game, language):
    code, out, _ = run("", "rules", game, "--lang", language)
    assert code == 0
    said = plain(out)
    for entry in glossary(find(game).package)[game].values():
        assert plain(f"{entry.term(language).name}: {entry.term(language).text}") in said


def test_a_word_is_explained_by_its_name_in_either_language_or_by_its_beginning(run):
    rosette = "Rosette: Holds two markers of any side, and a marker on it cannot be captured.\n"
    assert run("", "rules", "ur", "rosette") == (0, rosette, "")
    assert run("", "rules", "ur", "ROSETTE")[1] == rosette
    assert run("", "rules", "ben-hvrt", "quick", "sale")[1].startswith("Quick Sale: The auctioneer may buy")
    assert run("", "rules", "ave-caesar", "allée", "impériale")[1].startswith("Imperial Alley: ")
    assert run("", "rules", "ave-caesar", "imp", "--lang", "fr")[1].startswith("Allée impériale : ")


def test_an_unknown_word_is_refused_with_those_that_there_are(run):
    code, _, errors = run("", "rules", "ur", "castling")
    assert code == 2
    assert errors.startswith("quadriga: There is no word 'castling'. There are: Rosette, 4-Eyes, 5-Holes, ")
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    "command", [("puzzles", "ur", "001"), ("learn", "ur", "--again"), ("play", "ur", "--seed", "1")]
)
def test_a_question_mark_and_a_word_explain_it_in_between(run, command):
    _, out, _ = run("\n? conversion\n? castling\nq\n", *command)
    assert "Conversion: A blank marker that ends its move here turns dotted" in plain(out)
    assert "There is no word 'castling'." in out
