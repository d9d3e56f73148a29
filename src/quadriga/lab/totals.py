"""Totals over many games. They are integers, so the order in which they are added does not matter."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import msgspec
import numpy as np
import numpy.typing as npt

Z95 = 1.959963984540054


class Estimate(msgspec.Struct, frozen=True):
    """A share with its 95 % confidence interval."""

    share: float
    low: float
    high: float


class Spread(msgspec.Struct, frozen=True):
    """The distribution of a quantity over many games."""

    mean: float
    deviation: float
    least: int
    most: int


@dataclass
class Sum:
    """The count, sum, sum of squares and extremes of some integers."""

    n: int = 0
    total: int = 0
    squares: int = 0
    least: int = 0
    most: int = 0

    def add(self, values: npt.NDArray[np.int64]) -> None:
        """Add one value per game."""
        self.merge(
            Sum(len(values), int(values.sum()), int((values**2).sum()), int(values.min()), int(values.max()))
        )

    def merge(self, other: Sum) -> None:
        """Add another sum."""
        self.least = min(self.least, other.least) if self.n and other.n else self.least + other.least
        self.most = max(self.most, other.most) if self.n and other.n else self.most + other.most
        self.n += other.n
        self.total += other.total
        self.squares += other.squares

    def spread(self) -> Spread:
        """Return mean, deviation and extremes."""
        n = max(self.n, 1)
        mean = self.total / n
        variance = max(self.squares * n - self.total * self.total, 0) / (n * max(n - 1, 1))
        return Spread(mean, math.sqrt(variance), self.least, self.most)


@dataclass
class Totals:
    """The sums over some games: wins, scores, decisions, outcomes of chance and the game's own counts."""

    seats: int
    tallies: int
    games: int = 0
    decisions: Sum = field(default_factory=Sum)
    chances: Sum = field(default_factory=Sum)
    scores: list[Sum] = field(default_factory=list)
    counts: list[Sum] = field(default_factory=list)
    details: list[npt.NDArray[np.int64]] = field(default_factory=list)  # numbered rows, if they are wanted
    won: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 0), np.int64))

    def __post_init__(self) -> None:
        """Create the sums, all of them empty."""
        self.scores = [Sum() for _ in range(self.seats)]
        self.counts = [Sum() for _ in range(self.tallies)]
        self.won = np.zeros((self.seats, self.seats), np.int64)

    def add_games(self, rows: npt.NDArray[np.int64]) -> None:
        """Add games, one row each, as the entry point `measure` writes them."""
        self.games += len(rows)
        self.decisions.add(rows[:, 0])
        self.chances.add(rows[:, 1])
        points = rows[:, 2 + self.tallies :]
        for seat, kept in enumerate(self.scores):
            kept.add(points[:, seat])
        for tally, kept in enumerate(self.counts):
            kept.add(rows[:, 2 + tally])
        first = points == points.max(axis=1, keepdims=True)
        sharers = first.sum(axis=1)
        for seat in range(self.seats):
            self.won[seat] += np.bincount(sharers[first[:, seat]] - 1, minlength=self.seats)

    def merge(self, other: Totals) -> None:
        """Add the totals of other games."""
        self.games += other.games
        for mine, theirs in zip(self._sums(), other._sums(), strict=True):
            mine.merge(theirs)
        self.won += other.won
        self.details += other.details

    def _sums(self) -> list[Sum]:
        return [self.decisions, self.chances, *self.scores, *self.counts]

    def win_rate(self, seat: int) -> Estimate:
        """Return the share of games that a seat wins. A win of two seats counts half for each."""
        wins = sum(int(number) / (sharers + 1) for sharers, number in enumerate(self.won[seat]))
        return wilson(wins, self.games)


def wilson(successes: float, trials: int) -> Estimate:
    """Return the Wilson score interval of a share."""
    if trials == 0:
        return Estimate(0.0, 0.0, 1.0)
    share = successes / trials
    spread = Z95 * math.sqrt(share * (1 - share) / trials + Z95**2 / (4 * trials**2))
    middle = share + Z95**2 / (2 * trials)
    scale = 1 + Z95**2 / trials
    return Estimate(share, max((middle - spread) / scale, 0.0), min((middle + spread) / scale, 1.0))
