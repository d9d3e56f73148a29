"""The arena: equal seats, equal results for any number of workers, stops when decided, can be resumed."""

from __future__ import annotations

import json
from itertools import permutations

import msgspec
import numpy as np
import pytest

from quadriga.engine.errors import FileError, OptionError
from quadriga.games import find
from quadriga.lab.arena import arena
from quadriga.lab.arena.ratings import MOST_CHECKS, ratings, share, student_quantile


def compete(names=("greedy", "random"), games=40, id="ur", options=None, seats=2, **how):
    game = find(id)
    settled, count = game.resolve_options({"markers": 2} if options is None else options, seats)
    return arena.compete(game, settled, count, list(names), **{"games": games, "seed": 4, **how})


def without_time(result):
    """Return the JSON of an arena without its duration."""
    return msgspec.json.encode(msgspec.structs.replace(result, seconds=0.0))


def test_every_player_has_every_seat_equally_often():
    for count, seats in ((2, 2), (3, 3), (4, 4), (5, 5), (3, 2), (2, 4), (2, 5), (6, 6)):
        found = arena.lineups([str(i) for i in range(count)], seats)
        for who in range(count):
            held = [sum(table[seat] == who for table in found) for seat in range(seats)]
            assert len(set(held)) == 1
            assert held[0] > 0


def test_names_that_are_repeated_say_who_sits_at_the_table():
    assert arena.lineups(["one", "three", "three", "three"], 4) == [
        (0, 1, 1, 1),
        (1, 0, 1, 1),
        (1, 1, 0, 1),
        (1, 1, 1, 0),
    ]
    assert arena.lineups(["a", "b", "a", "b"], 4) == sorted(set(permutations((0, 1, 0, 1))))


def test_one_player_meets_three_on_every_seat():
    result = compete(
        ["random", "greedy", "greedy", "greedy"], 80, "ave-caesar", {"courses": ["white cw"]}, 4, early=False
    )
    assert result.games == 80
    assert [each.player for each in result.standings] == ["greedy", "random"]
    assert sum(each.wins.share for each in result.standings) == pytest.approx(1)  # of three seats, and of one
    assert [(pair.one, pair.other) for pair in result.pairs] == [("random", "greedy")]


def test_a_table_needs_a_name_for_every_seat():
    with pytest.raises(OptionError, match="each of the 2 seats, not 3"):
        compete(["greedy", "random", "random"])


def test_the_result_is_the_same_for_any_number_of_workers():
    one, three = compete(early=False), compete(early=False, workers=3)
    assert one.games == 40
    assert one.standings == three.standings
    assert one.pairs == three.pairs


def test_it_stops_when_it_is_decided_and_the_better_player_is_first():
    result = compete(games=4000, options={})
    assert result.settled
    assert result.games < 4000
    assert [each.player for each in result.standings] == ["greedy", "random"]
    assert result.standings[0].wins.low > 0.5
    assert result.standings[0].rating.mean > result.standings[1].rating.mean
    assert result.pairs[0].settled


def test_equal_players_are_not_decided():
    result = compete(("greedy", "normal"), games=400, options={})
    assert not result.settled
    assert result.games == 400
    assert result.pairs[0].ahead.share == 0.5  # the same dice, the same moves, both seats


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("when", [4, 26, 60, 74])
def test_a_resumed_arena_gives_the_same_json(tmp_path, early, when):
    path = str(tmp_path / "games.json")
    asked = {"names": ("greedy", "greedy:no-free"), "games": 400, "options": {}, "early": early}
    whole = compete(**asked)

    def stop(done, total):
        if done >= when:
            raise KeyboardInterrupt

    part = compete(**asked, path=path, progress=stop)
    assert part.interrupted
    assert when <= part.games < whole.games
    played = []
    rest = compete(**asked, path=path, workers=2, progress=lambda done, total: played.append(done))
    assert min(played) > part.games
    assert without_time(rest) == without_time(whole)
    assert rest.settled == early


def test_it_checks_rarely_and_always_after_the_same_rounds():
    assert list(arena.check_rounds(60)) == [10, 15, 22, 33, 49, 60]
    assert list(arena.check_rounds(4)) == [4]
    for rounds in (10, 11, 999, 10**9):
        found = list(arena.check_rounds(rounds))
        assert found == sorted(set(found))
        assert found[-1] == rounds
        assert len(found) <= MOST_CHECKS
        assert found[:-1] == list(arena.check_rounds(10**12))[: len(found) - 1]


def test_a_kept_file_of_another_arena_or_one_that_was_changed_is_refused(tmp_path):
    path = tmp_path / "games.json"
    compete(path=str(path), early=False)
    with pytest.raises(FileError, match="another arena"):
        compete(path=str(path), seed=5)
    kept = json.loads(path.read_text())
    kept["rows"][3] = kept["rows"][3][::-1]
    path.write_text(json.dumps(kept))
    with pytest.raises(FileError, match="was changed"):
        compete(path=str(path))
    path.write_text("[]")
    with pytest.raises(FileError, match="does not hold"):
        compete(path=str(path))


def test_players_that_are_not_kernels_play_by_the_rules_for_people():
    result = compete(("search:0.01s", "random"), games=2, options={"markers": 1}, early=False)
    assert result.games == 2


@pytest.mark.parametrize("names", [["greedy"], ["greedy", "greedy"], []])
def test_an_arena_needs_two_different_players(names):
    with pytest.raises(OptionError, match="two players"):
        compete(names)


@pytest.mark.parametrize("orders", [1, 2, 6])
def test_repeated_checks_do_not_call_equal_players_decided(orders):
    """Of equal players, fewer than one pair in a hundred may ever be called decided."""
    rng = np.random.default_rng(orders)
    fooled = 0
    for _ in range(1500):
        rounds = rng.integers(0, 2, (400, orders)).mean(axis=1)
        found = [share(rounds[:look], orders) for look in arena.check_rounds(400)]
        fooled += any(each.low > 0.5 or each.high < 0.5 for each in found)
    assert fooled <= 15


@pytest.mark.parametrize("rare", [0.003, 0.03, 0.3])
def test_repeated_checks_do_not_call_players_decided_that_rarely_differ(rare):
    """The same for players that rarely differ: one gains little, the other more but less often."""
    rng = np.random.default_rng(7)
    fooled = 0
    for _ in range(600):
        luck = rng.random(4000)
        rounds = 0.5 + np.where(luck < rare, 1 / 6, np.where(luck < 1.5 * rare, -2 / 6, 0))
        found = [share(rounds[:look], 6) for look in arena.check_rounds(4000)]
        fooled += any(each.low > 0.5 or each.high < 0.5 for each in found)
    assert fooled <= 6


def test_a_player_who_is_better_once_in_a_hundred_rounds_is_found():
    rounds = np.full(8000, 0.5)
    rounds[::60] += 1 / 6
    assert share(rounds, 6).low > 0.5


def test_intervals_narrow_with_the_rounds_and_never_to_nothing():
    widths = [share(np.tile([1.0, 0.0, 0.5], n)) for n in (4, 40, 400)]
    assert sorted(widths, key=lambda each: each.low - each.high) == widths
    assert share(np.ones(50)).low < share(np.ones(50), 6).low < 1.0
    assert share(np.ones(10)).low < share(np.ones(11)).low
    assert (share(np.ones(9)).low, share(np.ones(9)).high) == (0.0, 1.0)


def test_students_quantile():
    for degrees, quantile in ((9, 5.2907), (21, 4.1096), (100, 3.5983)):
        assert student_quantile(degrees) == pytest.approx(quantile, abs=0.004)


def test_a_player_who_wins_more_is_rated_higher():
    rows = np.array([[1, 0], [0, 1]] * 30, np.int64)
    strong, weak = ratings(2, [(0, 1), (1, 0)], rows)
    assert strong.mean - weak.mean > 200
    assert strong.mean + weak.mean == pytest.approx(3000)
