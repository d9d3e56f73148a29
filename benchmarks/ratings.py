"""Compare the rating with openskill's Plackett-Luce on people of known strength: `python benchmarks/ratings.py`.

100 people, whose strengths differ by 200 points (standard deviation), play 200 games each at tables that are put
together at random; places follow the model. It prints a table for docs/ratings.md: how far ratings are from the
truth, whether the uncertainty is honest, how far predicted first places are from real ones, how many games each
of ten people plays until nine of ten pairs are in order, and the time of a game.
"""

from __future__ import annotations

import math
import random
import time
from collections import defaultdict
from collections.abc import Callable, Sequence

from openskill.models import PlackettLuce

from quadriga.lab.rating import POINTS, Rating, first_places, rated

Update = Callable[[Sequence[Rating], Sequence[int]], list[Rating]]


def openskill(seats: int, start: float) -> Update:
    """Return openskill's update on our scale: its `beta` such that 400 points are ten to one, other defaults."""
    model = PlackettLuce(mu=1500.0, sigma=start, beta=POINTS / math.sqrt(seats), tau=2.0)

    def update(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
        teams = [[model.rating(mu=each.mean, sigma=each.deviation)] for each in ratings]
        return [Rating(team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=[float(p) for p in places])]

    return update


def strengths(people: int, rng: random.Random) -> list[float]:
    """Return strengths whose mean is 1,500, which no game could tell."""
    found = [rng.gauss(0, 200) for _ in range(people)]
    return [1500 + each - sum(found) / people for each in found]


def played(truth: Sequence[float], rng: random.Random) -> list[int]:
    """Return the places of a game among people with these strengths."""
    scores = [strength / POINTS - math.log(-math.log(1.0 - rng.random())) for strength in truth]
    return [1 + sum(other > score for other in scores) for score in scores]


def measured(update: Update, start: float, seats: int, people: int = 100, games: int = 200) -> list[str]:
    """Return the cells of a row."""
    rng = random.Random(2026)
    truth = strengths(people, rng)
    found = [Rating(1500.0, start)] * people
    total, seconds = games * people // seats, 0.0
    counted: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for number in range(total):
        table = rng.sample(range(people), seats)
        places = played([truth[who] for who in table], rng)
        before = [found[who] for who in table]
        if number > total // 10:
            for chance, place in zip(first_places(before), places, strict=True):
                cell = counted[int(chance * 10)]
                cell[0], cell[1], cell[2] = cell[0] + 1, cell[1] + chance, cell[2] + (place == 1)
        began = time.process_time()
        after = update(before, places)
        seconds += time.process_time() - began
        for who, rating in zip(table, after, strict=True):
            found[who] = rating
    errors = [rating.mean - true for rating, true in zip(found, truth, strict=True)]
    sure = [error / rating.deviation for error, rating in zip(errors, found, strict=True)]
    apart = sum(abs(predicted - real) for _, predicted, real in counted.values()) / sum(
        count for count, _, _ in counted.values()
    )
    return [
        f"{_root_mean_square(errors):.0f}",
        f"{_root_mean_square(sure):.2f}",
        f"{apart:.1%}",
        f"{games_until_ordered(update, start, seats)}",
        f"{seconds / total * 1e6:.0f} µs",
    ]


def games_until_ordered(update: Update, start: float, seats: int, tries: int = 40) -> int:
    """Return after how many games each the mean share of pairs of ten people in the right order is 90 %."""
    people, rng = 10, random.Random(7)
    runs = []
    for _ in range(tries):
        runs.append((strengths(people, rng), [Rating(1500.0, start)] * people))
    rounds = 0
    while rounds < 2000:
        rounds += 1
        right = 0.0
        for truth, found in runs:
            table = rng.sample(range(people), seats)
            after = update([found[who] for who in table], played([truth[who] for who in table], rng))
            for who, rating in zip(table, after, strict=True):
                found[who] = rating
            pairs = [(a, b) for a in range(people) for b in range(a)]
            right += sum((truth[a] > truth[b]) == (found[a].mean > found[b].mean) for a, b in pairs) / len(pairs)
        if right / tries >= 0.9:
            break
    return round(rounds * seats / people)


def _root_mean_square(values: Sequence[float]) -> float:
    return math.sqrt(sum(each * each for each in values) / len(values))


def main() -> None:
    """Print the table."""
    print(
        "| seats | rating | error, points | error in deviations | predictions off | games to 90 % order | a game |"
    )
    print("|---:|---|---:|---:|---:|---:|---:|")
    for seats in (2, 4, 6, 10):
        rows: list[tuple[str, Update, float]] = [
            ("ours", rated, 200.0),
            ("openskill, start ± 200", openskill(seats, 200.0), 200.0),
            ("openskill, start ± 80", openskill(seats, 80.0), 80.0),
        ]
        for name, update, start in rows:
            print(f"| {seats} | {name} | {' | '.join(measured(update, start, seats))} |", flush=True)


if __name__ == "__main__":
    main()
