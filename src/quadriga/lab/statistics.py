"""Estimates over games, their differences, and tests with a correction for their number.

Rows of one game depend on each other, so a game is the unit: an estimate is the ratio of two sums over games, and
its error comes from the spread between games. A mean over games is the ratio whose lower sum counts games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.lab.totals import Z95, wilson

Floats = npt.NDArray[np.float64]

FEWEST = 10  # games with something to see, and games without, before a figure is tested


class Measure(msgspec.Struct, frozen=True):
    """An estimate with its 95 % confidence interval. `error` is the standard error; 0 if it cannot be tested."""

    value: float
    low: float
    high: float
    error: float
    units: int  # the games, or the blocks of games, that the figure comes from
    total: float  # the lower sum of the ratio, such as the number of cards played
    is_plain: bool = False  # whether it is a share with one trial per game


def ratio(above: Sequence[float] | Floats, below: Sequence[float] | Floats, is_share: bool = False) -> Measure:
    """Return the ratio estimate of two sums with one number per game in each, and its 95 % confidence interval.

    The interval is clipped at 0 if no number is negative, and at 1 with `is_share`.
    """
    y, x = np.asarray(above, np.float64), np.asarray(below, np.float64)
    seen = x != 0
    y, x = y[seen], x[seen]
    n, total = len(x), float(x.sum())
    if n == 0 or total == 0:
        return Measure(math.nan, math.nan, math.nan, 0.0, 0, 0.0)
    value = float(y.sum()) / total
    rest = y - value * x
    spread = float(rest @ rest)
    error = math.sqrt(spread * n / (n - 1)) / abs(total) if n > 1 else math.inf
    varied = min(np.count_nonzero(y), n if not is_share else np.count_nonzero(x - y)) >= FEWEST
    testable = error if varied and n > 2 * FEWEST and spread > 0 else 0.0
    is_plain = is_share and bool((x == 1).all())
    if is_plain or (is_share and spread == 0):
        found = wilson(float(y.sum()) * n / total, n)
        return Measure(value, found.low, found.high, testable, n, total, is_plain)
    half = student(n - 1) * error if n > 1 else math.inf
    low, high = value - half, value + half
    if bool((y >= 0).all()):
        low = max(low, 0.0)
    if is_share:
        high = min(high, 1.0)
    return Measure(value, low, high, testable, n, total)


def mean(values: Sequence[float] | Floats, is_share: bool = False) -> Measure:
    """Return the mean of one number per game."""
    return ratio(values, np.ones(len(values)), is_share)


class Test(msgspec.Struct, frozen=True):
    """The result of a two-sided test: the deviation in standard errors, and the p-value (`chance`)."""

    deviation: float
    chance: float


UNTESTED = Test(0.0, 1.0)


class Difference(msgspec.Struct, frozen=True):
    """The second estimate less the first, its 95 % confidence interval, and the test of whether they differ."""

    value: float
    low: float
    high: float
    test: Test


def difference(first: Measure, second: Measure) -> Difference:
    """Return the difference of two estimates from independent games, with a test."""
    value = second.value - first.value
    if not (first.error and second.error):
        half = math.hypot((first.high - first.low) / 2, (second.high - second.low) / 2)
        return Difference(value, value - half, value + half, _test_shares(first, second))
    error = math.hypot(first.error, second.error)
    degrees = welch(first, second)
    half = student(degrees) * error
    test = Test(value / error, by_chance(value / error, degrees))
    return Difference(value, value - half, value + half, test)


def _test_shares(first: Measure, second: Measure) -> Test:
    """Return the pooled two-proportion z-test of two shares, which also works if one share is close to 0 or 1."""
    n, m = first.units, second.units
    if not (first.is_plain and second.is_plain):
        return UNTESTED
    both = (first.value * n + second.value * m) / (n + m)
    if min(n, m) * min(both, 1 - both) < FEWEST:
        return UNTESTED
    z = (second.value - first.value) / math.sqrt(both * (1 - both) * (1 / n + 1 / m))
    return Test(z, math.erfc(abs(z) / math.sqrt(2)))


def deviation(found: Measure, expected: float) -> Test:
    """Return the test of whether an estimate differs from an expected value."""
    n = found.units
    if found.is_plain and n * min(expected, 1 - expected) >= FEWEST:
        z = (found.value - expected) / math.sqrt(expected * (1 - expected) / n)
        return Test(z, math.erfc(abs(z) / math.sqrt(2)))
    if not found.error:
        return UNTESTED
    t = (found.value - expected) / found.error
    return Test(t, by_chance(t, n - 1))


def welch(first: Measure, second: Measure) -> float:
    """Return the degrees of freedom of a difference (Welch and Satterthwaite)."""
    a, b = first.error**2, second.error**2
    return float((a + b) ** 2 / (a**2 / (first.units - 1) + b**2 / (second.units - 1)))


def student(degrees: float) -> float:
    """Return the 97.5 % quantile of Student's t, by the expansion of Cornish and Fisher.

    One and two degrees of freedom, for which the expansion is too short, have exact values.
    """
    if degrees < 3:
        return 12.706 if degrees < 2 else 4.303
    z, n = Z95, degrees
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + first / n + second / n**2 + third / n**3 + fourth / n**4


def by_chance(t: float, degrees: float) -> float:
    """Return the two-sided p-value of Student's t, by Wallace's approximation."""
    z = (8 * degrees + 1) / (8 * degrees + 3) * math.sqrt(degrees * math.log1p(t * t / degrees))
    return math.erfc(z / math.sqrt(2))


def holm(chances: Sequence[float]) -> list[float]:
    """Return the p-values of all tests, corrected for multiple testing by Holm's method.

    The probability of any false finding, a corrected p-value below a level, is at most that level.
    """
    order = sorted(range(len(chances)), key=chances.__getitem__)
    corrected = [1.0] * len(chances)
    worst = 0.0
    for rank, place in enumerate(order):
        worst = max(worst, min(chances[place] * (len(chances) - rank), 1.0))
        corrected[place] = worst
    return corrected
