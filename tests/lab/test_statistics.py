"""Statistics of reports: known quantiles, honest intervals, and no more false verdicts than promised."""

from __future__ import annotations

import math

import numpy as np
import pytest

from quadriga.lab import statistics
from quadriga.lab.totals import wilson


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (9, 2.262), (30, 2.042), (1e6, 1.96)]
)
def test_quantiles_of_student_agree_with_the_printed_table(degrees, quantile):
    assert statistics.student(degrees) == pytest.approx(quantile, abs=0.02)


@pytest.mark.parametrize(
    ("t", "degrees", "chance"), [(2.228, 10, 0.05), (3.169, 10, 0.01), (2.042, 30, 0.05), (5.0, 60, 5.26e-6)]
)
def test_probabilities_of_student_agree_with_the_printed_table(t, degrees, chance):
    assert statistics.by_chance(t, degrees) == pytest.approx(chance, rel=0.03)


def test_a_share_has_the_interval_of_wilson():
    found = statistics.mean([1.0] * 30 + [0.0] * 70, is_share=True)
    expected = wilson(30, 100)
    assert (found.value, found.low, found.high) == (0.3, expected.low, expected.high)


def test_a_mean_has_the_interval_of_student():
    values = np.array([1.0, 2.0, 4.0, 7.0, 11.0])
    found = statistics.mean(values)
    half = 2.776 * values.std(ddof=1) / math.sqrt(5)
    assert found.value == 5
    assert found.high - found.value == pytest.approx(half, rel=0.01)


def test_rows_of_one_game_count_as_one_game():
    rng = np.random.default_rng(1)
    once = rng.normal(size=40)
    alone = statistics.mean(once)
    repeated = statistics.ratio(once * 50, np.full(40, 50.0))  # fifty equal rows per game tell nothing more
    assert repeated.value == pytest.approx(alone.value)
    assert repeated.error == pytest.approx(alone.error)


def test_the_interval_of_a_ratio_holds_the_truth_95_times_of_100():
    rng = np.random.default_rng(2)
    inside = 0
    for _ in range(2000):
        below = rng.poisson(3, 100).astype(float)
        above = rng.binomial(below.astype(int), rng.beta(2, 6, 100)).astype(float)
        found = statistics.ratio(above, below, is_share=True)
        inside += found.low <= 0.25 <= found.high
    assert 0.925 < inside / 2000 < 0.975


def test_a_figure_with_too_few_events_is_not_tested():
    rare = statistics.mean([1.0] * 3 + [0.0] * 97, is_share=True)
    other = statistics.mean([0.0] * 100, is_share=True)
    assert statistics.difference(rare, other).test == statistics.UNTESTED
    counts = statistics.mean([1.0] * 3 + [0.0] * 997)
    assert statistics.deviation(counts, 0.5) == statistics.UNTESTED


def test_a_share_close_to_one_is_tested_by_what_was_expected():
    nearly_all = statistics.mean([1.0] * 999 + [0.0], is_share=True)
    assert statistics.deviation(nearly_all, 0.5).chance < 1e-9
    half = statistics.mean([1.0] * 500 + [0.0] * 500, is_share=True)
    assert statistics.difference(nearly_all, half).test.chance < 1e-9


def test_the_correction_is_that_of_holm():
    assert statistics.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert statistics.holm([]) == []
    assert statistics.holm([0.9, 0.8]) == [1.0, 1.0]


def test_equal_set_ups_seldom_differ_after_the_correction():
    rng = np.random.default_rng(3)
    false = 0
    for _ in range(300):
        first, second = rng.geometric(0.2, (2, 40, 60)).astype(float)  # skewed, as counts of events are
        found = [
            statistics.difference(statistics.mean(a), statistics.mean(b)).test.chance
            for a, b in zip(first, second, strict=True)
        ]
        false += min(statistics.holm(found)) < 0.01
    assert false <= 9


def test_a_planted_difference_is_found_after_the_correction():
    rng = np.random.default_rng(4)
    first, second = rng.normal(size=(2, 100, 400))
    second[7] += 0.5
    found = [
        statistics.difference(statistics.mean(a), statistics.mean(b)).test.chance
        for a, b in zip(first, second, strict=True)
    ]
    assert [k for k, chance in enumerate(statistics.holm(found)) if chance < 0.01] == [7]


def test_nothing_seen_has_no_value():
    assert math.isnan(statistics.ratio([], []).value)
    assert math.isnan(statistics.ratio([0.0], [0.0]).value)
