"""Simulation: equal for any number of workers, correct statistics, interruptible."""

import math
from typing import Any

import numpy as np
import pytest

from quadriga.engine.errors import OptionError
from quadriga.games import find
from quadriga.lab.simulate import simulate
from quadriga.lab.totals import Sum, Totals, wilson
from support import IDS, SETUPS


def run(setup=SETUPS[1], **keywords):
    id, options, seats = setup
    game = find(id)
    settled, _ = game.resolve_options(options, seats)
    return simulate(game, settled, seats, **{"games": 500, "seed": 1, **keywords})


def content(result) -> dict[str, Any]:
    return {key: value for key, value in result.to_dict().items() if key != "timing"}


@pytest.mark.parametrize(
    "setup", [SETUPS[1], SETUPS[3], SETUPS[IDS.index("highcard-2")]], ids=["ben", "finkel", "highcard"]
)
def test_any_number_of_workers_gives_the_same(setup):
    one = run(setup, games=10000)
    assert content(run(setup, games=10000, workers=2)) == content(one)
    assert content(run(setup, games=10000, workers=5)) == content(one)


def test_compiled_threads_and_plain_processes_give_the_same():
    plain = run(games=100, compiled=False, workers=2)
    assert plain.timing["compiled"] is False
    assert content(plain) == content(run(games=100, compiled=True))


def test_another_seed_gives_other_games():
    assert content(run(seed=2)) != content(run(seed=1))


def test_the_numbers_add_up():
    result = run(SETUPS[0], games=2000)
    assert result.games == 2000
    assert sum(win.share for win in result.wins) == pytest.approx(1)
    assert all(win.low < win.share < win.high for win in result.wins)
    assert result.decisions.least <= result.decisions.mean <= result.decisions.most
    assert set(result.tallies) == {"captures", "jumps", "free", "lost"}
    assert 25 < result.tallies["captures"].mean < 36


def test_light_starts_and_so_wins_more_often_in_finkel():
    assert run(SETUPS[3], games=50000).wins[0].low > 0.5


def test_shared_wins_count_for_their_share():
    totals = Totals(seats=2, tallies=0)
    totals.add_games(np.array([[1, 1, 5, 5], [1, 1, 7, 5], [1, 1, 2, 3], [1, 1, 2, 2]], np.int64))
    assert totals.win_rate(0).share == pytest.approx((0.5 + 1 + 0 + 0.5) / 4)
    assert totals.win_rate(1).share == pytest.approx((0.5 + 0 + 1 + 0.5) / 4)


def test_an_interrupt_leaves_whole_games_from_the_first_on():
    def stop(done, total):
        if done > 10000:
            raise KeyboardInterrupt

    result = run(games=10**9, workers=2, progress=stop)
    assert result.interrupted
    assert 10000 < result.games < 10**6
    whole = content(run(games=result.games))
    assert content(result) == {**whole, "interrupted": True}


def test_progress_is_reported():
    told = []
    run(games=20000, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (20000, 20000)
    assert told == sorted(told)


@pytest.mark.parametrize("wrong", [{"games": 0}, {"workers": 0}, {"seed": -1}, {"games": 2**62}])
def test_numbers_that_make_no_sense_are_refused(wrong):
    with pytest.raises(OptionError, match=next(iter(wrong))):
        run(**wrong)


def test_wilson_intervals_are_right():
    """Against values of the closed formula, computed by hand."""
    even = wilson(50, 100)
    assert [even.low, even.high] == pytest.approx([0.4038, 0.5962], abs=1e-4)
    none = wilson(0, 10)
    assert none.low == 0
    assert none.high == pytest.approx(0.2775, abs=1e-4)
    assert wilson(10, 10).high == pytest.approx(1)
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)


def test_sums_merge_to_the_whole():
    values = np.array([3, 1, 4, 1, 5, 9, 2, 6], np.int64)
    whole, merged = Sum(), Sum()
    whole.add(values)
    for part in (values[:3], values[3:4], values[4:]):
        piece = Sum()
        piece.add(part)
        merged.merge(piece)
    assert merged == whole
    spread = whole.spread()
    assert spread.mean == pytest.approx(values.mean())
    assert spread.deviation == pytest.approx(math.sqrt(values.var(ddof=1)))
    assert (spread.least, spread.most) == (1, 9)


@pytest.mark.parametrize(
    "setup", [SETUPS[1], SETUPS[7], SETUPS[IDS.index("highcard-2")]], ids=["ur", "ave", "highcard"]
)
def test_the_games_one_by_one_are_those_of_the_totals(setup):
    result = run(setup, games=5000, detail=True)
    columns = result.columns()
    assert columns["game"].tolist() == list(range(5000))
    assert set(columns) >= {"winner", "winners", "decisions", "chances", *find(setup[0]).tallies}
    for name, spread in {"decisions": result.decisions, "chances": result.chances, **result.tallies}.items():
        assert columns[name].mean() == pytest.approx(spread.mean)
        assert (columns[name].min(), columns[name].max()) == (spread.least, spread.most)
    for seat, (score, win) in enumerate(zip(result.scores, result.wins, strict=True)):
        assert columns[f"score_{seat}"].mean() == pytest.approx(score.mean)
        alone = (columns["winner"] == seat).sum()
        best = columns[f"score_{seat}"] == np.max([columns[f"score_{each}"] for each in range(setup[2])], axis=0)
        shared = (best & (columns["winners"] > 1)) / columns["winners"]
        assert alone + shared.sum() == pytest.approx(win.share * 5000)


def test_the_games_one_by_one_are_the_same_for_any_number_of_workers():
    one, two = (run(games=300, workers=workers, compiled=False, detail=True) for workers in (1, 2))
    assert {name: values.tolist() for name, values in one.columns().items()} == {
        name: values.tolist() for name, values in two.columns().items()
    }
    assert content(run(games=300)) == {key: value for key, value in one.to_dict().items() if key != "timing"}
