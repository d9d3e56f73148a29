"""Simulate a year of rated play, and ways to cheat the rating: `python benchmarks/rating_strategies.py`.

People come and go, change with time, and sit at tables with bots of fixed ratings. It prints tables for
docs/ratings.md: whether ratings drift, whether predictions are right, and what leaving, losing on purpose, and
playing bots bring compared with honest play by the same people with the same luck.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from quadriga.lab.rating import POINTS, Rating, first_places, rated

BOTS = (1300.0, 1400.0, 1500.0, 1600.0, 1650.0)  # the levels, nearly as the anchors are


class Person:
    """Somebody whose strength changes a little with every game."""

    def __init__(self, rng: random.Random) -> None:
        self.strength = rng.gauss(1500, 150)
        self.rating = Rating()
        self.games = 0

    def change(self, rng: random.Random) -> None:
        """Play better or worse than before."""
        self.strength += rng.gauss(0, 2)
        self.games += 1


def places(strengths: Sequence[float], rng: random.Random) -> list[int]:
    """Return the places of a game among people with these strengths."""
    scores = [each / POINTS - math.log(-math.log(1.0 - rng.random())) for each in strengths]
    return [1 + sum(other > score for other in scores) for score in scores]


class Year(NamedTuple):
    """What a year has shown."""

    months: list[float]  # the mean of what the ratings of sure people are above their strength
    apart: float  # the mean distance of predicted from real shares of first places
    error: float  # of the ratings of sure people, in points


def year(seats: int, people: int = 200, games: int = 12_000, bots: float = 0.2, seed: int = 1) -> Year:
    """Play a year: each week 2 % leave for good and as many come; some tables have bots."""
    rng = random.Random(seed)
    here = [Person(rng) for _ in range(people)]
    months, squares = [], []
    counted: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for number in range(games):
        if number % (games // 52) == 0:
            for _ in range(people // 50):
                here[rng.randrange(people)] = Person(rng)
        table = rng.sample(here, seats)
        levels = (
            [rng.choice(BOTS) for _ in range(rng.randint(1, seats - 2))]
            if rng.random() < bots and seats > 2
            else []
        )
        own = table[: seats - len(levels)]
        before = [each.rating for each in own] + [Rating(level, 1e-3) for level in levels]
        found = places([each.strength for each in own] + levels, rng)
        if number > games // 6:
            for chance, place in zip(first_places(before), found, strict=True):
                cell = counted[int(chance * 10)]
                cell[0], cell[1], cell[2] = cell[0] + 1, cell[1] + chance, cell[2] + (place == 1)
        for each, rating in zip(own, rated(before, found), strict=False):
            each.rating = rating
            each.change(rng)
        if (number + 1) % (games // 12) == 0:
            errors = [each.rating.mean - each.strength for each in here if each.rating.deviation <= 80]
            months.append(sum(errors) / max(1, len(errors)))
            squares += [error * error for error in errors]
    apart = sum(abs(chance - real) for _, chance, real in counted.values()) / sum(
        each[0] for each in counted.values()
    )
    return Year(months, apart, math.sqrt(sum(squares) / max(1, len(squares))))


Strategy = Callable[[random.Random, int, list[int]], tuple[list[int], bool]]


def honest(rng: random.Random, number: int, found: list[int]) -> tuple[list[int], bool]:
    """Play to the end."""
    return found, True


def leaving(rng: random.Random, number: int, found: list[int]) -> tuple[list[int], bool]:
    """Leave every game that is going to be lost: a leaver is last."""
    if found[0] == 1:
        return found, True
    return [len(found)] + [place - (place > found[0]) for place in found[1:]], True


def sandbagging(rng: random.Random, number: int, found: list[int]) -> tuple[list[int], bool]:
    """Lose the first hundred games on purpose, to be underrated afterwards."""
    if number >= 100:
        return found, True
    return [len(found)] + [place - (place > found[0]) for place in found[1:]], True


STRATEGIES: dict[str, Strategy] = {
    "honest": honest,
    "leaves lost games": leaving,
    "loses 100 on purpose": sandbagging,
}


def gain(
    strategy: Strategy, seats: int, opponents: str = "people", games: int = 300, tries: int = 40
) -> tuple[float, float]:
    """Return how far above the truth the rating of somebody ends by a strategy, and the standard error.

    The opponents are known people of about the same strength, or the weakest or strongest bots at a table with one
    other person.
    """
    ends = []
    for seed in range(tries):
        rng = random.Random(seed)
        me = Rating()
        for number in range(games):
            others = [rng.gauss(1500, 150) for _ in range(seats - 1)]
            known = [Rating(each, 40.0) for each in others]
            if opponents != "people":
                level = BOTS[0] if opponents == "weak bots" else BOTS[-1]
                others[1:] = [level] * (seats - 2)
                known[1:] = [Rating(level, 1e-3)] * (seats - 2)
            found, _ = strategy(rng, number, places([1600.0, *others], rng))
            me = rated([me, *known], found)[0]
        ends.append(me.mean - 1600.0)
    mean = sum(ends) / tries
    return mean, math.sqrt(sum((each - mean) ** 2 for each in ends) / (tries - 1) / tries)


def main() -> None:
    """Print the tables."""
    print("| seats | drift, month 3 | month 6 | month 12 | error, points | predictions off |")
    print("|---:|---:|---:|---:|---:|---:|")
    for seats in (2, 4, 6, 10):
        found = year(seats)
        shown = " | ".join(f"{found.months[month - 1]:+.0f}" for month in (3, 6, 12))
        print(f"| {seats} | {shown} | {found.error:.0f} | {found.apart:.1%} |", flush=True)
    print()
    print("| strategy | opponents | 2 seats | 4 seats |")
    print("|---|---|---:|---:|")
    for name, strategy in STRATEGIES.items():
        cells = [f"{mean:+.0f} ± {error:.0f}" for mean, error in (gain(strategy, seats) for seats in (2, 4))]
        print(f"| {name} | people | {' | '.join(cells)} |", flush=True)
    for opponents in ("weak bots", "strong bots"):
        mean, error = gain(honest, 4, opponents)
        print(f"| honest | {opponents} and one person | – | {mean:+.0f} ± {error:.0f} |", flush=True)


if __name__ == "__main__":
    main()
