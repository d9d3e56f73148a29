"""Ratings by places, for people and bots, on one scale for every size of table.

A rating is a mean with its uncertainty. Between two seats of a table, 400 points are odds of ten to one, whether
two or twelve play (the model of Plackett and Luce). A game moves every rating by Bayes' rule, with the curvature of
the likelihood averaged over the table, so that nobody gains on average by being uncertain.
`docs/ratings.md` compares this with openskill.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

POINTS = 400 / math.log(10)  # of the scale, for odds of e to one
DRIFT = 2.0  # points of uncertainty that a game adds: people change
_DIGITS = 6  # kept of a rating, so that sums are the same on every machine


class Rating(msgspec.Struct, frozen=True):
    """A strength in points, with its standard deviation."""

    mean: float = 1500.0
    deviation: float = 200.0

    def margin(self, z: float = 1.96) -> float:
        """Return half of the interval that holds the truth; as a rule, 95 times of 100."""
        return z * self.deviation


def first_places(ratings: Sequence[Rating]) -> list[float]:
    """Return each seat's chance of the first place."""
    weights = _weights(ratings, _scale(ratings, 0.0))
    total = sum(weights)
    return [weight / total for weight in weights]


def rated(ratings: Sequence[Rating], places: Sequence[int], drift: float = DRIFT) -> list[Rating]:
    """Return the ratings of a table after a game; seats with the same number in `places` share a place."""
    scale = _scale(ratings, drift)
    weights = _weights(ratings, scale)
    gains = [0.0] * len(ratings)
    curvature = 0.0
    for taken, place in enumerate(places):  # each place is taken by one of those who have no better one
        pool = [seat for seat, other in enumerate(places) if other >= place]
        total = sum(weights[seat] for seat in pool)
        for seat in pool:
            chance = weights[seat] / total
            gains[seat] += (seat == taken) - chance
            curvature += chance * (1 - chance)
    information = curvature / len(ratings) / scale**2
    found = []
    for rating, gain in zip(ratings, gains, strict=True):
        variance = 1 / (1 / (rating.deviation**2 + drift**2) + information)
        mean = rating.mean + variance * gain / scale
        found.append(Rating(round(mean, _DIGITS), round(math.sqrt(variance), _DIGITS)))
    return found


def _scale(ratings: Sequence[Rating], drift: float) -> float:
    """Return the points for odds of e to one at this table: more where the ratings are uncertain."""
    return math.sqrt(POINTS**2 + sum(each.deviation**2 + drift**2 for each in ratings) / len(ratings))


def _weights(ratings: Sequence[Rating], scale: float) -> list[float]:
    best = max(each.mean for each in ratings)
    return [math.exp((each.mean - best) / scale) for each in ratings]
