"""Training of values: the same for any number of workers, after every interrupt, and it finds better ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from lab.evolution.known import values_of
from quadriga.engine.errors import FileError, OptionError
from quadriga.engine.parts.values import Values
from quadriga.games import find
from quadriga.games.benhvrt.bots.values import VALUES
from quadriga.lab.evolution.duels import Duels, Numbers, Setup, change_of, one_against_all
from quadriga.lab.evolution.evolution import PAIRS, Floats, ValueTraining
from quadriga.lab.executors.local import LocalExecutor
from quadriga.lab.training import find_training
from soak import count

GAME = find("ben-hvrt")
SHORT = ({"series": [1]}, 3, 1)
ROUNDS = 4
GAMES = ROUNDS * PAIRS * 6


def values() -> Values:
    return replace(VALUES, setups=(SHORT,))


TRAINING = ValueTraining(GAME, values())


def test_any_number_of_workers_finds_the_same_values():
    found = [TRAINING.train(games=GAMES, rounds=ROUNDS, executor=LocalExecutor(workers)) for workers in (1, 3)]
    assert found[0] == found[1]
    assert list(found[0].values.values()) != list(values().by_hand)


def test_interrupted_training_continues_to_the_same_values(tmp_path: Path):
    path = tmp_path / "values.part"

    def interrupt(done: int, total: int) -> None:
        if done >= total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        TRAINING.train(games=GAMES, rounds=ROUNDS, path=path, progress=interrupt)
    left = []
    found = TRAINING.train(
        games=GAMES, rounds=ROUNDS, path=path, progress=lambda done, total: left.append(total - done)
    )
    assert len(left) == ROUNDS // 2
    assert found == TRAINING.train(games=GAMES, rounds=ROUNDS)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "train.draft"),
        (b"\xff{}", "train.draft"),
        (b'{"game": "ben-hvrt"}', "train.draft"),
        (None, "train.plan"),
    ],
)
def test_a_checkpoint_that_is_damaged_or_of_another_plan_is_refused(
    tmp_path: Path, content: bytes | None, code: str
):
    path = tmp_path / "values.part"
    if content is None:
        TRAINING.train(games=PAIRS, rounds=1, seed=2, path=path)
        content = path.read_bytes()
    path.write_bytes(content)
    with pytest.raises(FileError) as fault:
        TRAINING.train(games=PAIRS, rounds=1, seed=1, path=path)
    assert fault.value.code == code
    assert path.read_bytes() == content


def test_values_have_no_rule_sets():
    with pytest.raises(OptionError):
        TRAINING.train(games=PAIRS, rounds=1, rules="finkel")


class Hill(ValueTraining):
    """Training in which the better side of a pair is the one that is nearer to a summit."""

    summit = np.log(np.array(VALUES.by_hand)) + np.linspace(-1, 1, len(VALUES.names))

    def _play(self, logs: Floats, seed: int, round: int, *_: object) -> list[float]:
        leads = []
        for pair in range(PAIRS):
            change = change_of(seed, round, pair, len(logs))
            near, far = (float(((each - self.summit) ** 2).sum()) for each in (logs + change, logs - change))
            leads.append(far - near)
        return leads


def test_training_climbs_to_the_values_that_win():
    found = Hill(GAME, VALUES).train(games=8000, rounds=1000)
    errors = np.log(np.array(list(found.values.values()))) - Hill.summit
    before = np.log(np.array(VALUES.by_hand)) - Hill.summit
    assert np.abs(errors).mean() < np.abs(before).mean() / 3


TRAINED = [(game, setup) for game in ("ben-hvrt",) for setup in values_of(game).setups]


@pytest.mark.parametrize(("game", "setup"), TRAINED)
def test_the_learned_values_beat_those_by_hand(game: str, setup: Setup):
    lineups, games = one_against_all(setup[1]), count(300, 4000)
    duels, known = Duels(game), values_of(game)
    assert duels.lead(setup, sides(known.learned, known.by_hand), lineups, 3, games) > 0.04
    assert duels.lead(setup, sides(known.by_hand, known.learned), lineups, 3, games) < -0.04


def test_equal_values_are_equally_good_on_all_seats():
    lead = Duels("ben-hvrt").lead(SHORT, sides(values().learned, values().learned), one_against_all(3), 3, 400)
    assert abs(lead) < 0.05


@pytest.mark.parametrize("game", ["ben-hvrt"])
def test_values_have_names_of_their_own_and_can_be_multiplied(game: str):
    known = values_of(game)
    assert len({*known.names}) == len(known.names) == len(known.by_hand) == len(known.learned)
    assert min(known.by_hand) > 0
    t: Any = find(game).rules.new(*find(game).resolve_options({}, 4))[0]
    numbers = tuple(t.values)
    assert numbers[: len(known.names)] == known.learned
    assert numbers[len(numbers) // 2 :][: len(known.names)] == known.by_hand


def test_the_command_trains_games_that_have_values():
    training = find_training(GAME)
    assert isinstance(training, ValueTraining)
    assert training.file_name(training.RULES[0]) == "ben-hvrt-values.json"
    content = TRAINING.train(games=PAIRS, rounds=1)
    assert msgspec.json.decode(msgspec.json.encode(content))["values"].keys() == {*values().names}


def sides(*each: list[int] | tuple[int, ...]) -> list[Numbers]:
    return [np.array(numbers, np.int64) for numbers in each]
