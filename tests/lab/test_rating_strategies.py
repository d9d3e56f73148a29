"""Simulated populations of known strength: ratings are calibrated, do not drift, and reward only strength."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "rating_strategies.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("rating_strategies", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seats", [2, 4])
def test_ratings_predict_and_do_not_drift_while_people_come_and_go(script: ModuleType, seats: int):
    found = script.year(seats, people=100, games=6000)
    assert abs(found.months[-1] - found.months[2]) < 20
    assert abs(found.months[-1]) < 30
    assert found.apart < 0.02


@pytest.mark.parametrize("strategy", ["leaves lost games", "loses 100 on purpose"])
def test_nothing_is_gained_by_leaving_or_by_losing_on_purpose(script: ModuleType, strategy: str):
    played, _ = script.gain(script.honest, 4, games=200, tries=10)
    tried, _ = script.gain(script.STRATEGIES[strategy], 4, games=200, tries=10)
    assert tried < played - 50


@pytest.mark.parametrize("opponents", ["weak bots", "strong bots"])
def test_nothing_is_gained_by_a_choice_of_bots(script: ModuleType, opponents: str):
    tried, error = script.gain(script.honest, 4, opponents, games=200, tries=20)
    assert abs(tried) < 4 * error + 10
