"""The puzzles: positions that can be reached, in which one move is clearly best and the obvious one is another."""

import msgspec
import pytest

import soak
from quadriga.engine.errors import OptionError
from quadriga.engine.match.match import Match
from quadriga.engine.text.catalogues import LANGUAGES, of
from quadriga.games import find
from quadriga.games.ur.learn import exact_puzzles
from quadriga.games.ur.learn.exact_puzzles import LEFT
from quadriga.lab.solver.solve import solve
from quadriga.learn import searched_puzzles
from quadriga.learn.puzzles import Puzzle, find_puzzle, games_with_puzzles, of_the_day, puzzles, start
from quadriga.learn.searched_puzzles import PLAYOUTS, judged, long_search, puzzle_setup
from quadriga.players import exact
from quadriga.players.search.estimate import half_width
from quadriga.server.messages.lessons import page_puzzles

GAMES = games_with_puzzles()
SEARCHED = ("ave-caesar", "ben-hvrt")
GRADES = {"ur": exact_puzzles.GRADES, **{game: puzzle_setup(find(game)).grades for game in SEARCHED}}
FEWEST = {"ur": 300, "ave-caesar": 40, "ben-hvrt": 40}
EACH_GAME = pytest.mark.parametrize("game", GAMES)
EACH_SEARCHED = pytest.mark.parametrize("game", SEARCHED)


def left(puzzle: Puzzle) -> int:
    return max(7 - off for off in puzzle.position["off"])


def some(game: str, short: int) -> list[Puzzle]:
    """Return a few puzzles of all grades; all of them in a soak."""
    known = puzzles(game)
    return known[:: -(-len(known) // soak.count(short, len(known)))]


def test_all_three_games_have_puzzles():
    assert set(GAMES) == set(FEWEST)


@EACH_GAME
def test_there_are_many_of_three_grades_all_different(game):
    found = puzzles(game)
    assert len(found) >= FEWEST[game]
    assert [puzzle.grade for puzzle in found] == sorted(puzzle.grade for puzzle in found)
    assert {puzzle.grade for puzzle in found} == {1, 2, 3}
    assert [puzzle.id for puzzle in found] == [f"{number:03}" for number in range(1, len(found) + 1)]
    assert len({(str(puzzle.position), *puzzle.play) for puzzle in found}) == len(found)


@EACH_GAME
def test_every_puzzle_can_be_reached_and_played_with_every_move(game):
    """A searched puzzle is the record of a game, which the engine plays; one of Ur is a position."""
    for puzzle in puzzles(game):
        match = start(game, puzzle)
        assert match.actor >= 0, puzzle.id
        assert [entry.text for entry in match.entries] == puzzle.play
        assert set(puzzle.values) == set(match.actions()), puzzle.id
        for text in match.actions():
            moved = match.copy()
            assert moved.push(text).text == text


@EACH_GAME
def test_one_move_is_clearly_best_and_the_obvious_one_is_another(game):
    for puzzle in puzzles(game):
        assert len(puzzle.values) >= 3
        assert puzzle.lead - puzzle.lead_error >= GRADES[game][puzzle.grade - 1] - 2e-4, puzzle.id
        if puzzle.grade > 1:
            assert puzzle.lead - puzzle.lead_error <= GRADES[game][puzzle.grade - 2] + 2e-4, puzzle.id
        assert puzzle.obvious in puzzle.values
        assert puzzle.obvious != puzzle.best


@EACH_SEARCHED
def test_a_searched_value_has_its_error_and_the_lead_is_far_beyond_its_own(game):
    for puzzle in puzzles(game):
        assert puzzle.playouts == PLAYOUTS
        assert set(puzzle.errors) == set(puzzle.values)
        assert all(0 <= error < 0.02 for error in puzzle.errors.values()), puzzle.id
        assert 0 < puzzle.lead_error < puzzle.lead / 2


@EACH_SEARCHED
def test_another_search_finds_the_same_best_move_and_the_same_values(game):
    """`make test` searches a few puzzles with fewer playouts, `make soak` all of them in full."""
    for puzzle in some(game, 4):
        match = start(game, puzzle)
        worth = judged(match, soak.count(2000, PLAYOUTS), seed=99)
        assert max(worth, key=lambda text: worth[text].mean()) == puzzle.best, puzzle.id
        for text, value in puzzle.values.items():
            error = half_width(worth[text]) + puzzle.errors[text]
            assert worth[text].mean() == pytest.approx(value, abs=2 * error + 1e-4), (puzzle.id, text)


@pytest.mark.soak
@EACH_SEARCHED
def test_a_long_tree_search_finds_the_best_move_of_every_puzzle(game):
    for puzzle in puzzles(game):
        assert long_search(start(game, puzzle), 1) == puzzle.best, puzzle.id


@pytest.mark.soak
@EACH_SEARCHED
def test_the_maker_finds_the_same_puzzles_again(game):
    known = {tuple(puzzle.play): puzzle for puzzle in puzzles(game)}
    again = [puzzle for number in range(3) for puzzle in searched_puzzles._from_game(find(game), number, 1)]
    found = [puzzle for puzzle in again if tuple(puzzle.play) in known]
    assert found
    for puzzle in found:
        assert msgspec.structs.replace(puzzle, id=known[tuple(puzzle.play)].id) == known[tuple(puzzle.play)]


def test_an_interrupted_maker_returns_what_it_has_found(monkeypatch):
    first, second = puzzles("ben-hvrt")[:2]

    def from_game(game, number, seed):
        if number == 2:
            raise KeyboardInterrupt
        return [first, second][number : number + 1]

    monkeypatch.setattr(searched_puzzles, "_from_game", from_game)
    assert searched_puzzles.make(find("ben-hvrt"), 40, 1) == [first, second]


@EACH_SEARCHED
def test_a_puzzle_is_shown_in_a_world_dealt_anew_from_what_its_seat_knows(game):
    """Its seat sees what it saw in the game that was played; the cards of the others are not those of that game."""
    known = puzzles(game)
    dealt_anew = 0
    for puzzle in known:
        played = Match(find(game), puzzle.options, puzzle.seats)
        for text in puzzle.play:
            (played.push if played.actor >= 0 else played.happen)(text)
        shown = start(game, puzzle)
        assert shown.actor == played.actor
        assert shown.view(shown.actor) == played.view(played.actor), puzzle.id
        assert shown.actions() == played.actions()
        dealt_anew += shown.s.tobytes() != played.s.tobytes()
    assert dealt_anew > len(known) / 2


@EACH_GAME
def test_every_move_is_put_into_words_on_the_page(game):
    board, shown = page_puzzles(game)
    words = [of(language, find(game).package) for language in LANGUAGES]
    for puzzle in shown:
        assert 0 <= puzzle.board < len(board.boards)
        assert puzzle.seats <= len(board.called)
        assert {action.text for action in puzzle.legal} == set(puzzle.values) == set(puzzle.after)
        for action in puzzle.legal:
            assert action.notes, action.text
            assert all(note.id in say for note in action.notes for say in words)


def test_the_values_of_ur_are_those_of_the_solved_tables(tmp_path, monkeypatch):
    """`make test` solves the small tables and checks the puzzles in them, `make soak` all."""
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    most = soak.count(2, LEFT)
    for markers in range(1, most + 1):
        solve("ben", markers, workers=1, where=tmp_path)
    checked = [puzzle for puzzle in puzzles("ur") if left(puzzle) <= most]
    assert len(checked) >= 20
    for puzzle in checked:
        match = start("ur", puzzle)
        solved = exact.best(match.t, match.s)
        assert solved is not None
        texts = {action: text for text, action in match.actions().items()}
        assert {texts[action]: round(chance, 4) for action, chance in solved[1].items()} == puzzle.values, puzzle.id


def test_no_puzzle_of_ur_is_beyond_the_tables():
    assert all(left(puzzle) <= LEFT and start("ur", puzzle).actor == 0 for puzzle in puzzles("ur"))


@pytest.mark.soak
def test_the_command_makes_the_same_puzzles_of_ur_again(tmp_path, monkeypatch):
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    solve("ben", LEFT, workers=2, where=tmp_path)
    assert exact_puzzles.make(len(puzzles("ur")), 1) == puzzles("ur")


@EACH_GAME
def test_every_puzzle_has_its_day(game):
    count = len(puzzles(game))
    days = [of_the_day(game, day) for day in range(20_000, 20_000 + count)]
    assert {puzzle.id for puzzle in days} == {puzzle.id for puzzle in puzzles(game)}
    assert {puzzle.grade for puzzle in days[:30]} == {1, 2, 3}


def test_without_tables_no_puzzle_of_ur_is_made(tmp_path, monkeypatch):
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    with pytest.raises(OptionError) as refused:
        exact_puzzles.make(1, 1)
    assert refused.value.code == "learn.tables"
    assert "quadriga solve ur --markers 3" in refused.value.text("en")


def test_an_unknown_puzzle_is_refused_with_the_numbers_that_there_are():
    with pytest.raises(OptionError) as refused:
        find_puzzle("ur", "999")
    assert refused.value.text("en") == "There is no puzzle '999'. They are numbered from 001 to 360."


def test_a_game_without_puzzles_is_refused_with_those_that_have_some():
    with pytest.raises(OptionError) as refused:
        puzzles("nim")
    assert refused.value.code == "learn.no-puzzles"
    assert "ur" in refused.value.text("fr")
