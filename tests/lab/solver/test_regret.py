"""Regret against exact tables: equal in both modes, least for searching bots, and refused without tables."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from quadriga.engine.errors import OptionError
from quadriga.lab.solver.measured_player import MeasuredPlayer
from quadriga.lab.solver.perfect import perfect
from quadriga.lab.solver.regret import regret, summarize
from quadriga.lab.solver.solve import solve
from quadriga.players.exact.tables import ONE


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    where = tmp_path_factory.mktemp("tables")
    solve("ben", 1, workers=1, where=where)
    return where


@pytest.fixture
def tables(solved, monkeypatch):
    monkeypatch.setenv("QUADRIGA_TABLES", str(solved))


def test_compiled_and_plain_measure_the_same(tables):
    for player in ("random", "greedy", "search:1"):
        fast, plain = (regret(MeasuredPlayer(player, 1, compiled=compiled), games=4) for compiled in (True, False))
        assert fast == plain


def test_a_searching_bot_loses_less_than_a_greedy_one(tables):
    loss = {
        player: regret(MeasuredPlayer(player, 1), games=300) for player in ("random", "greedy", "search:1", "hard")
    }
    assert loss["random"].mean > loss["greedy"].mean > loss["search:1"].mean
    assert loss["hard"].mean < 0.0005
    for each in loss.values():
        assert 0 <= each.mean <= each.worst <= 1
        assert each.decisions > 300


def test_the_mean_is_over_decisions_and_the_error_over_games():
    kept = np.array([[2, ONE // 2, ONE // 4], [2, 0, 0], [4, ONE // 2, ONE // 2]], np.int64)
    found = summarize("greedy", "ben", 1, kept)
    assert (found.games, found.decisions, found.worst) == (3, 8, 0.5)
    assert found.mean == pytest.approx(1 / 8)
    assert found.error == pytest.approx((0.25**2 + 0.25**2 + 0) ** 0.5 / 8)
    assert msgspec.json.decode(msgspec.json.encode(found), type=type(found)) == found


def test_without_tables_or_with_a_clock_there_is_nothing_to_measure(tables):
    with pytest.raises(OptionError, match="is missing"):
        MeasuredPlayer("greedy", 2)
    with pytest.raises(OptionError):
        MeasuredPlayer("search:1s", 1)


def test_no_bot_beats_perfect_play_and_less_regret_means_more_wins(tables):
    met = {
        player: perfect(MeasuredPlayer(player, 1), games=2000, seed=4)
        for player in ("random", "greedy", "search:1")
    }
    assert met["random"].won > met["greedy"].won > 0.5
    assert met["search:1"].won >= 0.5 - 4 * met["search:1"].error
    assert met["search:1"].won < met["greedy"].won


@pytest.mark.soak
def test_perfect_play_meets_players_alike_in_both_modes(tables):
    for player in ("random", "greedy", "search:1"):
        fast, plain = (perfect(MeasuredPlayer(player, 1, compiled=compiled), games=6) for compiled in (True, False))
        assert fast == plain
        assert fast.games == 6
    with pytest.raises(OptionError, match="is missing"):
        MeasuredPlayer("greedy", 2)
