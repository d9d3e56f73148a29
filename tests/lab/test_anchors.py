"""The ratings of the levels: they fit what was played, and rise from level to level."""

from __future__ import annotations

import importlib.util
import random
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from quadriga.lab.anchors import anchor, measured
from quadriga.lab.rating import Rating, first_places
from quadriga.players.levels import LEVELS

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "anchors.py"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("anchors_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_normal_is_at_1500_and_every_level_up_to_hard_is_above_the_one_below():
    assert set(measured()) == {"ur", "ave-caesar", "ben-hvrt"}
    for game, found in measured().items():
        assert anchor(game, "normal") == Rating(1500, 0)
        assert list(found.levels)[:4] == list(LEVELS[: len(found.levels)][:4])
        means = [mean for mean, _ in found.levels.values()][:4]
        assert means == sorted(set(means))


def test_what_was_not_measured_has_no_rating():
    assert anchor("ur", "grandmaster") is None
    assert anchor("chess", "normal") is None


@pytest.mark.parametrize("game", ["ur", "ave-caesar", "ben-hvrt"])
def test_a_rating_foretells_the_first_places_that_were_counted(game):
    """Places after the first count in the fit, too, so the two agree nearly, and not exactly."""
    for row in measured()[game].meetings:
        one, other = anchor(game, row["level"]), anchor(game, row["below"])
        assert one is not None
        assert other is not None
        sure = [Rating(each.mean, 1e-6) for each in [one] + [other] * (1 if game == "ur" else 3)]
        error = (row["first"] * (1 - row["first"]) / row["games"]) ** 0.5
        assert first_places(sure)[0] == pytest.approx(row["first"], abs=0.05 + 2 * error)


def test_the_fit_finds_known_strengths():
    """Games drawn with odds of the model: `hard` 100 points above `normal`, and `easy` 50 below."""
    anchors, chance = script(), random.Random(1)
    truth = {LEVELS.index("easy"): 1450.0, LEVELS.index("normal"): 1500.0, LEVELS.index("hard"): 1600.0}
    counts: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for _ in range(6000):
        order = tuple(chance.choices(list(truth), k=4))
        left, places = [0, 1, 2, 3], [0] * 4
        for place in range(4):
            (seat,) = chance.choices(left, [10 ** (truth[order[each]] / 400) for each in left])
            places[seat] = place
            left.remove(seat)
        counts[order, tuple(places)] += 1
    found = anchors.fit([anchors.Played("hard", "normal", counts, 0.0, 6000, {})])
    assert list(found) == ["easy", "normal", "hard"]
    assert found["normal"] == (1500.0, 0.0)
    for level, (mean, error) in found.items():
        assert mean == pytest.approx(truth[LEVELS.index(level)], abs=4 * error + 1e-9)
        assert error < 12
