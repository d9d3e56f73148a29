"""The puzzles of Ur: their values are exact, one move is clearly best, and the obvious one is another."""

import pytest

import soak
from quadriga.engine.errors import OptionError
from quadriga.lab.solver.solve import solve
from quadriga.learn import puzzles as maker
from quadriga.learn.puzzles import GRADES, LEFT, Puzzle, find_puzzle, of_the_day, puzzles, start
from quadriga.players import exact


def left(puzzle: Puzzle) -> int:
    return max(7 - off for off in puzzle.position["off"])


def test_there_are_at_least_300_of_three_grades_all_different():
    found = puzzles()
    assert len(found) >= 300
    assert {puzzle.grade for puzzle in found} == {1, 2, 3}
    assert [puzzle.id for puzzle in found] == sorted({puzzle.id for puzzle in found})
    assert len({str(puzzle.position) for puzzle in found}) == len(found)


def test_every_puzzle_is_a_position_with_one_move_clearly_best_that_is_not_the_obvious_one():
    for puzzle in puzzles():
        match = start(puzzle)
        assert match.actor == 0
        assert set(puzzle.values) == set(match.actions()), puzzle.id
        first, second = sorted(puzzle.values.values())[-1:-3:-1]
        assert first - second >= GRADES[puzzle.grade - 1] - 1e-9, puzzle.id
        assert puzzle.obvious != puzzle.best
        assert left(puzzle) <= LEFT


def test_the_values_are_those_of_the_solved_tables(tmp_path, monkeypatch):
    """`make test` solves the small tables and checks the puzzles in them, `make soak` all."""
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    most = soak.count(2, LEFT)
    for markers in range(1, most + 1):
        solve("ben", markers, workers=1, where=tmp_path)
    checked = [puzzle for puzzle in puzzles() if left(puzzle) <= most]
    assert len(checked) >= 20
    for puzzle in checked:
        match = start(puzzle)
        solved = exact.best(match.t, match.s)
        assert solved is not None
        texts = {action: text for text, action in match.actions().items()}
        assert {texts[action]: round(chance, 4) for action, chance in solved[1].items()} == puzzle.values, puzzle.id


@pytest.mark.soak
def test_the_command_makes_the_same_puzzles_again(tmp_path, monkeypatch):
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    solve("ben", LEFT, workers=2, where=tmp_path)
    assert maker.make(len(puzzles()), 1) == puzzles()


def test_every_puzzle_has_its_day():
    count = len(puzzles())
    assert {of_the_day(day).id for day in range(20_000, 20_000 + count)} == {puzzle.id for puzzle in puzzles()}
    grades = [of_the_day(day).grade for day in range(20_000, 20_030)]
    assert set(grades) == {1, 2, 3}


def test_without_tables_no_puzzle_is_made(tmp_path, monkeypatch):
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    with pytest.raises(OptionError) as refused:
        maker.make(1, 1)
    assert refused.value.code == "learn.tables"
    assert "quadriga solve ur --markers 3" in refused.value.text("en")


def test_an_unknown_puzzle_is_refused_with_the_numbers_that_there_are():
    with pytest.raises(OptionError) as refused:
        find_puzzle("999")
    assert refused.value.text("en") == "There is no puzzle '999'. They are numbered from 001 to 360."
