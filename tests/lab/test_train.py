"""The learned evaluation: whole numbers like floats, one in both modes, reproducible, damaged files refused."""

from __future__ import annotations

import json

import msgspec
import numpy as np
import pytest

from quadriga.engine.dice import SeededDice
from quadriga.engine.errors import FileError
from quadriga.engine.machine import Machine
from quadriga.games import find
from quadriga.games.ur.state import ROLL
from quadriga.lab import train
from quadriga.lab.traces import random_match
from quadriga.players import learned
from quadriga.players.learned.network import INPUTS, chance, evaluate, noted

UR = find("ur")


def positions():
    options, _ = UR.settle({}, 2)
    return [p.clone() for p in random_match(UR, options, 2, 3, 0, SeededDice(3)).positions() if p.s.phase == ROLL]


def network(seed=1):
    net = train.fresh(np.random.default_rng(seed))
    weights = learned.from_floats(net.first, net.bias, net.second, float(net.last[0]))
    return net, learned.laid(train.UNITS, weights)


def test_the_network_in_whole_numbers_is_the_network_in_floats():
    net, row = network()
    for position in positions():
        note = np.zeros(2 * INPUTS, np.int64).data
        end = noted(position.t, position.s, note, 0)
        x = np.zeros(INPUTS)
        x[note[:end].tolist()[::2]] = note[:end].tolist()[1::2]
        raw = np.maximum(x @ net.first + net.bias, 0) @ net.second + net.last[0]
        assert chance(position.t, position.s, row.data) / 2**30 == pytest.approx(1 / (1 + np.exp(-raw)), abs=0.01)


def test_what_is_seen_is_every_marker_of_both_sides():
    for position in positions():
        note = np.zeros(2 * INPUTS, np.int64).data
        end = noted(position.t, position.s, note, 0)
        inputs = dict(zip(note[:end].tolist()[::2], note[:end].tolist()[1::2], strict=True))
        assert len(inputs) == end // 2
        assert sum(many for place, many in inputs.items() if place < INPUTS // 2) == 7
        assert sum(inputs.values()) == 14


def test_both_sides_are_judged_alike():
    _, row = network()
    for position in positions():
        mirrored = position.s.copy()
        for field in ("blank", "dotted", "blank_twin", "dotted_twin", "off"):
            ours, theirs = getattr(position.s, field), getattr(mirrored, field)
            theirs[0], theirs[1] = ours[1], ours[0]
        mirrored.turn ^= 1
        assert evaluate(position.t, mirrored, row.data) == -evaluate(position.t, position.s, row.data)


def test_training_is_reproducible_and_learns():
    one, again = (train.train(games=1200, rounds=3, seed=5, markers=2) for _ in range(2))
    assert one == again
    assert one.weights != train.train(games=1200, rounds=3, seed=6, markers=2).weights
    options, _ = UR.settle({"markers": 2}, 2)
    row = learned.laid(one.units, one.weights)
    seen, turns, thought, ends, winners = train.played(options, row, 9, 0, 200, None)
    won = train.targets(turns, thought, ends, winners, 1.0)
    judged = thought / 2**30
    assert float(np.mean((judged - won) ** 2)) < 0.24  # a coin has 0.25
    assert set(np.unique(won)) == {0.0, 1.0}
    assert seen.shape[1] == INPUTS


def test_plain_and_compiled_self_play_see_the_same(monkeypatch):
    _, row = network()
    options, _ = UR.settle({"markers": 1}, 2)
    fast = train.played(options, row, 2, 0, 5, None)
    monkeypatch.setattr(train, "Machine", lambda game, report: Machine(game, compiled=False))
    for one, other in zip(fast, train.played(options, row, 2, 0, 5, None), strict=True):
        assert (one == other).all()


def test_a_damaged_network_is_refused_with_a_reason(tmp_path):
    good = json.loads(msgspec.json.encode(train.train(games=4, rounds=1, markers=1)))
    path = tmp_path / "net.json"
    for change, code in (
        ({"network": 2}, "network.file"),
        ({"rules": "finkel"}, "network.file"),
        ({"units": 0}, "network.file"),
        ({"units": 31}, "network.damaged"),
        ({"weights": [*good["weights"][:-1], 1]}, "network.damaged"),
        ({"weights": "none"}, "network.file"),
    ):
        path.write_text(json.dumps({**good, **change}))
        with pytest.raises(FileError) as fault:
            learned.read(path)
        assert fault.value.code == code
    path.write_text(json.dumps(good))
    assert learned.read(path).units == train.UNITS


def test_the_network_that_comes_with_the_package_is_whole_and_small():
    assert learned.own()[0] > 0
    assert len(json.dumps(learned.own().tolist())) < 2_000_000
