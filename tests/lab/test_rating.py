"""The rating by places, on people of known strength."""

from __future__ import annotations

import math
import random
from collections import defaultdict

import pytest

from quadriga.lab.rating import POINTS, Rating, first_places, rated


def sure(*means: float) -> list[Rating]:
    return [Rating(mean, 1e-6) for mean in means]


@pytest.mark.parametrize("others", [0, 1, 4, 10])
def test_400_points_are_ten_to_one_between_two_seats_of_any_table(others):
    best, second, *_ = first_places(sure(1900, 1500, *[1200] * others))
    assert best / second == pytest.approx(10, rel=1e-6)


def test_a_game_among_equals_moves_nothing_on_average():
    after = rated([Rating()] * 5, [3, 1, 5, 2, 4])
    assert sum(each.mean for each in after) == pytest.approx(5 * 1500, abs=1e-4)
    by_place = [after[seat].mean for seat in (1, 3, 0, 4, 2)]
    assert by_place == sorted(by_place, reverse=True)
    assert {each.deviation for each in after} == {after[0].deviation}
    assert after[0].deviation < 200


def test_a_shared_place_brings_two_together():
    strong, weak = rated([Rating(1700), Rating(1300)], [1, 1])
    assert strong.mean < 1700
    assert weak.mean > 1300


def test_who_is_uncertain_moves_more_than_who_is_known():
    known, new = rated([Rating(1500, 30), Rating(1500, 200)], [1, 2])
    assert 0 < known.mean - 1500 < (1500 - new.mean) / 10


def played(truth, rng):
    scores = [strength / POINTS - math.log(-math.log(1.0 - rng.random())) for strength in truth]
    return [1 + sum(other > score for other in scores) for score in scores]


@pytest.mark.parametrize("seats", [2, 4, 12])
def test_strengths_are_found_and_first_places_predicted_and_the_uncertainty_is_honest(seats):
    rng, people, total = random.Random(seats), 60, 60 * 200 // seats
    drawn = [rng.gauss(0, 200) for _ in range(people)]
    truth = [1500 + each - sum(drawn) / people for each in drawn]
    found = [Rating()] * people
    counted: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for number in range(total):
        table = rng.sample(range(people), seats)
        before = [found[who] for who in table]
        places = played([truth[who] for who in table], rng)
        if number > total // 10:
            for chance, place in zip(first_places(before), places, strict=True):
                counted[int(chance * 10)][0] += chance - (place == 1)
                counted[int(chance * 10)][1] += 1
        for who, rating in zip(table, rated(before, places), strict=True):
            found[who] = rating
    errors = [rating.mean - true for rating, true in zip(found, truth, strict=True)]
    honest = [error / rating.deviation for error, rating in zip(errors, found, strict=True)]
    assert math.sqrt(sum(each**2 for each in errors) / people) < 45
    assert 0.6 < math.sqrt(sum(each**2 for each in honest) / people) < 1.4
    off = sum(abs(total) for total, _ in counted.values()) / sum(count for _, count in counted.values())
    assert off < 0.02


@pytest.mark.parametrize(("seats", "games"), [(2, 40), (4, 30), (6, 20)])
def test_after_some_games_each_nine_of_ten_pairs_of_ten_people_are_in_order(seats, games):
    """`docs/ratings.md` has how many it takes on average: 31, 23 and 13."""
    rng, people, tries, right = random.Random(seats), 10, 40, 0.0
    for _ in range(tries):
        truth, found = [rng.gauss(1500, 200) for _ in range(people)], [Rating()] * people
        for _ in range(games * people // seats):
            table = rng.sample(range(people), seats)
            places = played([truth[who] for who in table], rng)
            for who, rating in zip(table, rated([found[who] for who in table], places), strict=True):
                found[who] = rating
        pairs = [(one, other) for one in range(people) for other in range(one)]
        right += sum((truth[a] > truth[b]) == (found[a].mean > found[b].mean) for a, b in pairs) / len(pairs)
    assert right / tries >= 0.9


def test_ratings_do_not_drift_over_a_year():
    """Fifty people play 1,000 games each, some of them new after a while: the mean and the spread stay."""
    rng, people = random.Random(4), 50
    drawn = [rng.gauss(0, 150) for _ in range(people)]
    truth = [1500 + each - sum(drawn) / people for each in drawn]
    found = [Rating()] * people
    spreads = []
    for number in range(people * 1000 // 4):
        table = rng.sample(range(people if number > 2000 else people // 2), 4)
        places = played([truth[who] for who in table], rng)
        for who, rating in zip(table, rated([found[who] for who in table], places), strict=True):
            found[who] = rating
        if number % 2500 == 2499:
            mean = sum(each.mean for each in found) / people
            assert mean == pytest.approx(1500, abs=25)
            spreads.append(math.sqrt(sum((each.mean - mean) ** 2 for each in found) / people))
    assert max(spreads[1:]) < 1.2 * min(spreads[1:])


def test_the_same_games_in_the_same_order_give_the_same_digits():
    def run() -> list[Rating]:
        rng, found = random.Random(1), [Rating()] * 8
        for _ in range(200):
            table = rng.sample(range(8), 3)
            places = played([1500.0] * 3, rng)
            for who, rating in zip(table, rated([found[who] for who in table], places), strict=True):
                found[who] = rating
        return found

    assert run() == run()
