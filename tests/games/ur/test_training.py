"""The neural network: integers agree with floats, equal in both modes, reproducible, damaged files refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import forked
import quadriga
from games.ur.positions import Match
from quadriga.engine.errors import FileError
from quadriga.engine.match.dice import SeededDice
from quadriga.games import find
from quadriga.games.ur.board import RULE_SETS
from quadriga.games.ur.bots import network as learned
from quadriga.games.ur.bots.network import classic_inputs
from quadriga.games.ur.bots.network.evaluation import chance, evaluate
from quadriga.games.ur.bots.network.inputs import INPUTS, MOST, SIDE, input_count, write_inputs
from quadriga.games.ur.bots.training import checkpoint, learning, train
from quadriga.games.ur.rules import turn
from quadriga.games.ur.state import MOVE, ROLL
from quadriga.lab.solver.solve import solve
from quadriga.lab.traces import random_match
from quadriga.players import exact
from support import there

UR = find("ur")
BEN = learning.shape_of("ben")


def positions(markers=7, rules="ben"):
    options, _ = UR.resolve_options({"rules": rules, "markers": markers}, 2)
    match = Match.of(random_match(UR, options, 2, 3, 0, SeededDice(3)))
    return [position.clone() for position in match.positions() if position.s.phase == ROLL]


def network(seed=1, rules="ben"):
    shape = learning.shape_of(rules)
    nets = [learning.random_net(shape, np.random.default_rng([seed, group])) for group in range(len(shape.groups))]
    return nets, learning.row_of(shape, nets)


def inputs(t, s):
    note = np.zeros(MOST, np.int64).data
    return note[: write_inputs(t, s, note, 0)].tolist()


@pytest.mark.parametrize("rules", ["ben", "masters"])
def test_the_network_in_whole_numbers_is_the_network_in_floats(rules):
    nets, row = network(rules=rules)
    for position in positions(rules=rules):
        left = 14 - sum(position.s.off)
        net = nets[int(np.searchsorted(learning.shape_of(rules).groups, left))]
        x = np.zeros(input_count(rules))
        x[inputs(position.t, position.s)] = 1
        one = np.maximum(x @ net.first + net.first_bias, 0)
        raw = np.maximum(one @ net.second + net.second_bias, 0) @ net.last + net.last_bias[0]
        found = chance(position.t, position.s, row.data) / 2**30
        assert found == pytest.approx(1 / (1 + np.exp(-raw)), abs=0.002)


def test_the_inputs_are_all_markers_of_both_sides():
    for position in positions():
        seen = inputs(position.t, position.s)
        assert len(seen) == len(set(seen))
        for side in range(2):
            own = [each - side * SIDE for each in seen if each // SIDE == side]
            seat = position.s.turn ^ side
            home = sum(each - 31 + 1 for each in own if 31 <= each < 38)
            assert sum(each < 31 for each in own) + home == 7 - position.s.off[seat]


def test_the_inputs_contain_markers_that_can_be_taken_and_their_takers():
    """UR-5.1, UR-5.4: one to three steps behind a marker of the same type, and nowhere else."""
    position = positions()[0]
    t, s = position.t, position.s.copy()
    for field in ("blank", "dotted", "blank_twin", "dotted_twin", "off"):
        getattr(s, field)[0] = getattr(s, field)[1] = 0
    s.turn = 0
    s.blank[0] = 1 << 6
    quiet = len(inputs(t, s))
    for step, hunted in ((6, 0), (5, 1), (4, 1), (3, 1), (2, 0), (7, 0)):
        s.blank[1] = 1 << step
        more = [each for each in inputs(t, s) if each < SIDE and each >= 38]
        assert len(more) == hunted, step
        assert len(inputs(t, s)) == quiet + 1 + hunted + (1 if step == 7 else 0)
    s.blank[0] = s.blank[1] = 0
    s.dotted[0] = 1 << (28 - 13)  # on step 13, which is the other side's step 15
    for step, hunted in ((14, 1), (13, 1), (16, 0)):
        s.dotted[1] = 1 << (28 - step)
        assert len([each for each in inputs(t, s) if 38 <= each < SIDE]) == hunted, step


@pytest.mark.parametrize("rules", ["finkel", "masters", "blitz"])
def test_the_inputs_of_one_kind_of_marker_are_all_markers_and_the_enemies_that_can_take_them(rules):
    side = classic_inputs.SIDE
    hunted = 0
    for position in positions(5, rules):
        t, s = position.t, position.s
        seen = inputs(t, s)
        assert len(seen) == len(set(seen))
        assert max(seen) < classic_inputs.INPUTS
        for number in range(2):
            own = [each - number * side for each in seen if each // side == number]
            seat = s.turn ^ number
            assert sum(each < 16 for each in own) == s.blank[seat].bit_count()
            home = sum(each - 15 for each in own if 16 <= each < 23)
            assert sum(each < 16 for each in own) + home + s.off[seat] == 5
            assert {(each - 23) // 15 + 5 for each in own if each >= 23} == in_danger(t, s, seat)
            hunted += sum(each >= 23 for each in own)
    assert hunted


def in_danger(t, s, seat):
    """Return the steps of a seat's markers that some roll of the other side captures."""
    found = set()
    out = np.zeros(64, np.int64).data
    for face in range(1, 5):
        before = s.copy()
        before.phase, before.turn, before.roll = MOVE, seat ^ 1, face
        for action in out[: turn.legal(t, before, out)].tolist():
            after = before.copy()
            turn.step(t, after, action)
            taken = before.blank[seat] & ~after.blank[seat]
            found |= {taken.bit_length() - 1} if taken else set()
    return found


def test_markers_that_are_off_make_no_difference():
    _, row = network()
    for position in positions(3):
        larger = position.s.copy()
        for seat in range(2):
            larger.off[seat] += 4
        t = Match(UR).t
        assert chance(t, larger, row.data) == chance(position.t, position.s, row.data)


def test_both_sides_are_judged_alike():
    _, row = network()
    for position in positions():
        mirrored = position.s.copy()
        for field in ("blank", "dotted", "blank_twin", "dotted_twin", "off"):
            ours, theirs = getattr(position.s, field), getattr(mirrored, field)
            theirs[0], theirs[1] = ours[1], ours[0]
        mirrored.turn ^= 1
        assert evaluate(position.t, mirrored, row.data) == -evaluate(position.t, position.s, row.data)


def test_training_is_reproducible_and_learns(tmp_path, monkeypatch):
    one, again = (train.train(games=800, rounds=8, seed=5, markers=1, solved=0) for _ in range(2))
    assert one == again
    assert one.weights != train.train(games=80, rounds=8, seed=6, markers=1, solved=0).weights
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    solve("ben", 1, workers=1, where=tmp_path)
    row = learned.network_row(INPUTS, one.units, one.second, one.groups, one.weights)
    wrong = []
    for position in positions(1):
        known, judged = exact.value(position.t, position.s), evaluate(position.t, position.s, row.data)
        wrong.append(abs(there(known) - (judged / 2**30 + 1) / 2))
    assert sum(wrong) / len(wrong) < 0.1  # a coin is wrong by about 0.3


def test_solved_positions_learn_their_exact_values(tmp_path, monkeypatch):
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    solve("masters", 1, workers=1)
    known = train.known("masters", network(rules="masters")[1], 1)
    found = train.self_play(known, 3, 0, 24, 250, 2)
    plain = train.self_play(known, 3, 0, 24, 250, 2, compiled=False)
    assert all(np.array_equal(np.asarray(one), np.asarray(other)) for one, other in zip(found, plain, strict=True))
    start = positions(1, "masters")[0]
    wanted = sorted(inputs(start.t, start.s))
    worth = [
        value
        for seen, value in zip(found.seen, found.worth, strict=True)
        if np.flatnonzero(seen).tolist() == wanted
    ]
    assert worth
    assert worth == pytest.approx([there(exact.value(start.t, start.s))] * len(worth), abs=1e-6)


def test_the_first_round_learns_who_won():
    seen, left, worth = train.self_play(train.known("ben", learned.no_network()), 9, 0, 50, 250, 1)
    assert seen.shape == (len(left), INPUTS)
    assert set(np.unique(left)) == {2}
    assert set(np.unique(worth)) == {0.0, 1.0}


def test_plain_and_compiled_self_play_see_the_same():
    known = train.known("ben", network()[1])
    fast = train.self_play(known, 2, 0, 2, 100, 1)
    for one, other in zip(fast, train.self_play(known, 2, 0, 2, 100, 1, compiled=False), strict=True):
        assert np.array_equal(np.asarray(one), np.asarray(other))


def test_a_resumed_training_gives_the_same_network(tmp_path):
    path = tmp_path / "net.json.part"
    asked: dict[str, Any] = {"games": 40, "rounds": 4, "seed": 3, "markers": 1, "solved": 0}

    def stop(done, total):
        if done == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train.train(**asked, path=path, progress=stop)
    told = []
    found = train.train(**asked, path=path, progress=lambda done, total: told.append(done))
    assert told == [30, 40]
    assert found == train.train(**asked)


KILLED_HALF_WAY = """
import os, signal, sys
from pathlib import Path
from quadriga.games.ur.bots.training.train import train
kill = lambda done, total: done == 6 and os.kill(os.getpid(), signal.SIGKILL)
train(games=12, rounds=6, seed=1, rules="finkel", path=Path(sys.argv[1]), progress=kill)
"""


def run(*arguments, **how):
    own = {**os.environ, "PYTHONPATH": str(Path(quadriga.__file__).parents[1])}
    return subprocess.run([sys.executable, *arguments], env=own, text=True, **how)


def test_a_killed_training_is_resumed_and_writes_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    command = ["train", "ur", "--rules", "finkel", "--games", "12", "--rounds", "6", "-o"]
    part = checkpoint.checkpoint_path(here)
    killed = run("-c", KILLED_HALF_WAY, str(part), check=False)
    assert killed.returncode == -signal.SIGKILL
    assert b'"done":3' in part.read_bytes()[:400]
    assert not here.exists()
    kept = part.read_bytes()
    part.write_bytes(kept[:-1] + bytes([kept[-1] ^ 1]))
    refused = forked.run(*command, str(here), QUADRIGA_TABLES=str(tmp_path))
    assert refused.returncode == 2
    assert "damaged" in refused.stderr
    part.write_bytes(kept)
    other = forked.run(*command, str(here), "--seed", "2", QUADRIGA_TABLES=str(tmp_path))
    assert other.returncode == 2
    assert "other numbers" in other.stderr
    for path in (here, there):
        assert forked.run(*command, str(path), QUADRIGA_TABLES=str(tmp_path)).returncode == 0
    assert here.read_bytes() == there.read_bytes()
    assert not part.exists()


def test_a_damaged_network_is_refused_with_a_reason(tmp_path):
    good = json.loads(msgspec.json.encode(train.train(games=4, rounds=1, markers=1, solved=0)))
    path = tmp_path / "net.json"
    for change, code in (
        ({"network": 1}, "network.file"),
        ({"rules": "nobody"}, "network.file"),
        ({"rules": "finkel"}, "network.damaged"),
        ({"units": 0}, "network.file"),
        ({"groups": [4, 9]}, "network.file"),
        ({"groups": [9, 4, 14]}, "network.file"),
        ({"groups": [14]}, "network.damaged"),
        ({"units": 33}, "network.damaged"),
        ({"weights": [*good["weights"][:-1], 1]}, "network.damaged"),
        ({"weights": "none"}, "network.file"),
    ):
        path.write_text(json.dumps({**good, **change}))
        with pytest.raises(FileError) as fault:
            learned.read(path)
        assert fault.value.code == code
    path.write_text(json.dumps(good))
    assert learned.read(path).units == BEN.units


def test_the_networks_that_come_with_the_package_are_whole_and_small():
    data = Path(learned.__file__).parent / "data"
    assert {path.name for path in data.iterdir()} == {learned.file_name(rules) for rules in RULE_SETS}
    assert all(learned.packaged_network(rules)[0] > 0 for rules in RULE_SETS)
    assert sum(len(zlib.compress(path.read_bytes(), 9)) for path in data.iterdir()) < 1_000_000  # as in the wheel
