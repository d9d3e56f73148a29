"""The arena: equal seats, the same for any number of workers, stops when settled, goes on where it was left."""

from __future__ import annotations

import json

import numpy as np
import pytest

from quadriga.engine.errors import FileError, OptionError
from quadriga.games import find
from quadriga.lab import arena
from quadriga.lab.ratings import LOOKS, ratings, share


def compete(names=("greedy", "random"), games=40, id="ur", options=None, seats=2, **how):
    game = find(id)
    settled, count = game.settle({"markers": 2} if options is None else options, seats)
    return arena.compete(game, settled, count, list(names), **{"games": games, "seed": 4, **how})


def without_time(result):
    return json.dumps([result.standings, result.pairs, result.games], default=lambda each: each.__struct_fields__)


def test_every_player_sits_on_every_seat_equally_often():
    for count, seats in ((2, 2), (3, 3), (4, 4), (5, 5), (3, 2), (2, 4), (2, 5), (6, 6)):
        found = arena.lineups(count, seats)
        for who in range(count):
            held = [sum(table[seat] == who for table in found) for seat in range(seats)]
            assert len(set(held)) == 1
            assert held[0] > 0


def test_the_result_is_the_same_for_any_number_of_workers():
    one, three = compete(early=False), compete(early=False, workers=3)
    assert one.games == 40
    assert one.standings == three.standings
    assert one.pairs == three.pairs


def test_it_stops_when_it_is_settled_and_the_better_one_is_first():
    result = compete(games=4000, options={})
    assert result.settled
    assert result.games < 4000
    assert [each.player for each in result.standings] == ["greedy", "random"]
    assert result.standings[0].wins.low > 0.5
    assert result.standings[0].rating.low > result.standings[1].rating.high
    assert result.pairs[0].settled


def test_equals_are_not_settled():
    result = compete(("greedy", "normal"), games=400, options={})
    assert not result.settled
    assert result.games == 400
    assert result.pairs[0].ahead.share == 0.5  # the same dice, the same moves, both seats


def test_it_goes_on_where_it_was_left(tmp_path, monkeypatch):
    path = str(tmp_path / "games.json")
    whole = compete(games=200, early=False)

    def stop(done, total):
        if done >= 60:
            raise KeyboardInterrupt

    part = compete(games=200, early=False, path=path, progress=stop)
    assert part.interrupted
    assert 60 <= part.games < 200
    played = []
    rest = compete(games=200, early=False, path=path, progress=lambda done, total: played.append(done))
    assert min(played) > part.games
    assert (rest.standings, rest.pairs) == (whole.standings, whole.pairs)


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


def test_intervals_hold_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(1)
    missed = sum(
        not (found := share((rng.random(200) < 0.7).astype(float))).low <= 0.7 <= found.high for _ in range(2000)
    )
    assert missed < 40
    assert share(np.ones(50)).low < 1.0
    assert share(np.ones(50), LOOKS).low < share(np.ones(50)).low


def test_who_wins_more_is_rated_higher():
    rows = np.array([[1, 0], [0, 1]] * 30, np.int64)
    strong, weak = ratings(2, [(0, 1), (1, 0)], rows)
    assert strong.low > weak.high
