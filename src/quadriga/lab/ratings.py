"""What an arena finds: shares with intervals, pair by pair and in all, and openskill ratings."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.engine.errors import MissingExtraError

Z99 = 2.5758293035489004
LOOKS = 3.4807564043  # the 99 % interval of somebody who looks twenty times and may stop at every look


class Share(msgspec.Struct, frozen=True):
    """A share with its interval."""

    share: float
    low: float
    high: float


class Rating(msgspec.Struct, frozen=True):
    """An openskill rating (Plackett-Luce) with its 99 % interval."""

    mu: float
    sigma: float
    low: float
    high: float


def share(values: npt.NDArray[np.float64], z: float = Z99) -> Share:
    """The mean of one number per round of games, and its interval; Wilson's where all are the same."""
    n, mean = len(values), float(values.mean())
    spread = float(values.std(ddof=1)) if n > 1 else 0.5
    wilson = z * z / (n + z * z)
    half = z * spread / math.sqrt(n)
    low = min(mean - half, mean * (1 - wilson)) if n > 1 else 0.0
    high = max(mean + half, mean * (1 - wilson) + wilson) if n > 1 else 1.0
    return Share(mean, max(low, 0.0), min(high, 1.0))


def ratings(count: int, lineups: Sequence[Sequence[int]], rows: npt.NDArray[np.int64]) -> list[Rating]:
    """Rate every game in turn: row i is a game of lineup i modulo their number; a seat is a team of its own."""
    if importlib.util.find_spec("openskill") is None:
        raise MissingExtraError("extra.missing", extra="arena", what="openskill")
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    rated = [model.rating() for _ in range(count)]
    for number, row in enumerate(rows.tolist()):
        lineup = lineups[number % len(lineups)]
        teams = [[rated[who]] for who in lineup]
        after = model.rate(teams, scores=[float(points) for points in row])
        for who in set(lineup):
            seats = [after[seat][0] for seat, other in enumerate(lineup) if other == who]
            mu = sum(each.mu for each in seats) / len(seats)
            sigma = min(each.sigma for each in seats)
            rated[who] = model.rating(mu=mu, sigma=sigma)
    return [Rating(r.mu, r.sigma, r.mu - Z99 * r.sigma, r.mu + Z99 * r.sigma) for r in rated]
