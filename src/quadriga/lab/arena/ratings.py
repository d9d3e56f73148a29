"""Statistics of an arena: shares with intervals, and ratings."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.lab.rating import Rating, rated

Z99 = 2.5758293035489004
FEWEST = 10  # rounds before an interval is computed,
MOST_CHECKS = 20  # ... and how often at most an arena checks whether it may stop
_EXTRA_ROUNDS = 20  # rounds of coin tosses that are added to the rounds played
_Z = 3.4807564043  # of a normal variable, 1 - 0.01 / MOST_CHECKS lie within so many standard deviations


class Share(msgspec.Struct, frozen=True):
    """A share with its interval."""

    share: float
    low: float
    high: float


def student_quantile(degrees: int) -> float:
    """Return half the interval in standard errors: Student's quantile for `_Z`, by Fisher's expansion."""
    z, n = _Z, degrees
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + first / n + second / n**2 + third / n**3 + fourth / n**4


def share(values: npt.NDArray[np.float64], each: int = 1) -> Share:
    """Return the mean of one number per round of games, and an interval that holds the truth 99 times of 100.

    The interval is valid even if an arena checks `MOST_CHECKS` times and stops when it may, because each check has
    a twentieth of the error probability. Rounds with the same dice may be far more alike than games are: two
    players that differ once in a hundred rounds can be told apart. But a few rounds with equal results must leave
    some doubt. Therefore `_EXTRA_ROUNDS` more rounds are assumed, which vary like `each` tosses of a coin with this
    mean.
    """
    n, mean = len(values), float(values.mean())
    if n < FEWEST:
        return Share(mean, 0.0, 1.0)
    smoothed_mean = (mean * n * each + 1) / (n * each + 2)
    variation = float(values.var(ddof=1)) * (n - 1) + _EXTRA_ROUNDS * smoothed_mean * (1 - smoothed_mean) / each
    half = student_quantile(n - 1) * math.sqrt(variation / (n - 1 + _EXTRA_ROUNDS) / n)
    return Share(mean, max(mean - half, 0.0), min(mean + half, 1.0))


def ratings(count: int, lineups: Sequence[Sequence[int]], rows: npt.NDArray[np.int64]) -> list[Rating]:
    """Rate every game in turn: row i is a game of lineup i modulo their number. Bots do not change with time."""
    found = [Rating() for _ in range(count)]
    for number, row in enumerate(rows.tolist()):
        lineup = lineups[number % len(lineups)]
        places = [1 + sum(other > points for other in row) for points in row]
        after = rated([found[who] for who in lineup], places, drift=0.0)
        for who in set(lineup):
            seats = [after[seat] for seat, other in enumerate(lineup) if other == who]
            mean = sum(each.mean for each in seats) / len(seats)
            found[who] = Rating(mean, seats[0].deviation)
    return found
