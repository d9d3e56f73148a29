"""Golden traces: the same seed plays the same game in every version."""

import pytest

from golden.make import CUT, HERE, setups, written
from quadriga.engine.match.trace_reader import read
from quadriga.games import find


def test_every_golden_game_has_its_file_and_every_file_its_game():
    assert {path.stem for path in HERE.glob("*.jsonl")} == set(setups())


@pytest.mark.parametrize("name", setups())
def test_the_same_seed_plays_the_golden_game(name):
    assert written(name) == (HERE / f"{name}.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", setups())
def test_a_golden_game_replays(name):
    with (HERE / f"{name}.jsonl").open("rb") as file:
        (reading,) = read(file, find)
    assert reading.match.over == (name not in CUT)
