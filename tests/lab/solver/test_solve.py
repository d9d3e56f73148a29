"""The Ur solver: a perfect ranking, the values of plain enumeration, checked files, resumed work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from games.ur.positions import Match
from quadriga.engine.errors import FileError, OptionError
from quadriga.engine.kernels.link import plain
from quadriga.engine.match.dice import SeededDice
from quadriga.games import find
from quadriga.games.ur.state import DONE, MOVE, ROLL, State
from quadriga.lab.solver import layer as in_memory
from quadriga.lab.solver import solve
from quadriga.lab.solver.layer import Layer
from quadriga.lab.traces import random_match
from quadriga.players import Perspective, SearchPlayer, exact
from quadriga.players.exact import tables
from quadriga.players.exact.ranking import SIDE, rank, unrank
from quadriga.players.exact.ranking_tables import ranking
from support import there

RULES = ["ben", "finkel", "masters", "blitz"]
UR = find("ur")
NUMBER, LAY = plain(rank, {}), plain(unrank, {})


def new(rules, markers):
    return UR.rules.new(UR.resolve_options({"rules": rules, "markers": markers}, 2)[0], 2)


@pytest.mark.parametrize("rules", RULES)
def test_every_number_is_a_position_and_has_that_number(rules):
    known, (t, _) = ranking(rules), new(rules, 2)
    seen = set()
    for mine, theirs in ((1, 1), (2, 1)) if rules in ("ben", "finkel") else ((1, 1),):
        for number in range(known.count(mine, theirs)):
            s = State()
            LAY(t, s, mine * SIDE + theirs, number, known.ranks)
            assert NUMBER(t, s, 0, known.ranks) == number
            seen.add(s.tobytes())
    assert len(seen) == known.count(1, 1) + (known.count(2, 1) if rules in ("ben", "finkel") else 0)


@pytest.mark.parametrize("rules", RULES)
def test_every_position_of_a_random_game_is_ranked_below_the_count_and_found_again(rules):
    known = ranking(rules)
    options, _ = UR.resolve_options({"rules": rules}, 2)
    for game in range(3):
        for position in Match.of(random_match(UR, options, 2, 8, game, SeededDice(8, game))).positions():
            t, s = position.t, position.s
            if s.phase != ROLL:
                continue
            me = s.turn
            left = [t.markers - s.off[me], t.markers - s.off[me ^ 1]]
            number = NUMBER(t, s, me, known.ranks)
            assert 0 <= number < known.count(*left)
            again = State()
            LAY(t, again, left[0] * SIDE + left[1], number, known.ranks)
            assert [again.blank[0], again.blank[1]] == [s.blank[me], s.blank[me ^ 1]]
            assert [again.dotted[0], again.dotted[1]] == [s.dotted[me], s.dotted[me ^ 1]]
            assert [again.blank_twin[0], again.blank_twin[1]] == [s.blank_twin[me], s.blank_twin[me ^ 1]]
            assert [again.dotted_twin[0], again.dotted_twin[1]] == [s.dotted_twin[me], s.dotted_twin[me ^ 1]]


def test_the_number_of_positions_is_the_published_one():
    """Finkel's rules have 137,913,936 positions with finished games, of which there are 43,839."""
    known = ranking("finkel")
    unfinished = sum(known.count(i, j) for i in range(1, 8) for j in range(1, 8))
    finished = 2 * sum(known.count(i, 0) for i in range(8)) - 1
    assert unfinished + finished == 137_913_936


def enumerated(rules, markers):
    """Return the value of the start by enumerating all reachable positions."""
    t, start = new(rules, markers)
    start.phase = ROLL
    out, weights = (array.data for array in UR.rules.scratch())
    graph: dict[bytes, list[Any]] = {}
    waiting = [start]
    while waiting:
        s = waiting.pop()
        if s.tobytes() in graph:
            continue
        rolls = graph[s.tobytes()] = []
        n = UR.rules.outcomes(t, s, out, weights)
        faces = list(zip(out[:n].tolist(), weights[:n].tolist(), strict=True))
        for face, weight in faces:
            rolled = s.copy()
            UR.rules.step(t, rolled, face)
            after = []
            if rolled.phase == MOVE:
                for action in out[: UR.rules.legal(t, rolled, out)].tolist():
                    moved = rolled.copy()
                    UR.rules.step(t, moved, action)
                    after.append(moved)
            else:
                after.append(rolled)
            rolls.append((weight, [each.tobytes() for each in after]))
            waiting += [each for each in after if each.phase != DONE]
    values, ends = dict.fromkeys(graph, 0.5), {}
    for raw in {raw for rolls in graph.values() for _, after in rolls for raw in after} - values.keys():
        ends[raw] = 1.0 if State(memoryview(bytearray(raw))).turn == 0 else 0.0
    values |= ends
    picks = {raw: (max, min)[State(memoryview(bytearray(raw))).turn] for raw in graph}
    backwards = list(graph.items())[::-1]
    change = 1.0
    while change > 1e-10:
        change = 0.0
        for raw, rolls in backwards:
            value = sum(weight * picks[raw](values[each] for each in after) for weight, after in rolls) / t.throws
            change = max(change, abs(value - values[raw]))
            values[raw] = value
    return values[start.tobytes()]


@pytest.mark.parametrize("rules", RULES)
def test_small_games_have_the_value_that_plain_enumeration_finds(rules, tmp_path):
    found = solve.solve(rules, 1, workers=2, where=tmp_path)
    assert found.value == pytest.approx(enumerated(rules, 1), abs=1e-7)
    assert found.residual < 1e-7
    assert found.positions == ranking(rules).count(1, 1)


def test_a_race_of_two_has_the_chances_that_two_equations_give(tmp_path, monkeypatch):
    """Finkel's rules, both sides one step from the end: p = 1/4 + 3/4 (1 - p), or 4/7.

    With the side to roll one step further back: p = 3/8 + 1/4 * 4/7 + 3/8 (1 - q) and q = 1/4 + 3/4 (1 - p).
    """
    solve.solve("finkel", 1, where=tmp_path)
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    t, s = new("finkel", 7)
    s.phase, s.off[0], s.off[1] = ROLL, 6, 6
    last = t.off - 1
    for steps, turn, chance in (((0, 0), 0, 4 / 7), ((1, 0), 0, 116 / 161), ((1, 0), 1, 1 - 74 / 161)):
        s.blank[0], s.blank[1], s.turn = 1 << (last - steps[0]), 1 << (last - steps[1]), turn
        assert exact.value(t, s) == pytest.approx(chance, abs=1e-8)


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    where = tmp_path_factory.mktemp("tables")
    solve.solve("ben", 2, workers=2, where=where)
    return where


def same_values(one, other):
    names = sorted(path.name for path in one.glob("*.table"))
    assert names == sorted(path.name for path in other.glob("*.table"))
    return all(np.array_equal(tables.read(one / name)[1], tables.read(other / name)[1]) for name in names)


def test_tables_verify_and_agree_with_any_number_of_workers(two, tmp_path):
    told = max(tables.read(path)[0].residual for path in two.glob("*.table"))
    assert solve.verify("ben", 2, where=two) <= told < 1.2e-8
    again = solve.solve("ben", 2, workers=1, where=tmp_path)
    assert again.value == pytest.approx(solve.start_value("ben", 2, two), abs=1e-7)
    assert solve.solve("ben", 2, where=two).solved_now == 0


def test_a_damaged_file_is_refused_with_a_reason(two, tmp_path):
    good = tables.file("ben", 2, 1, two).read_bytes()
    bad = tmp_path / "ur-ben-2-1.table"
    for content, code in (
        (good[:-4], "table.short"),
        (good[:-3] + b"\x01\x02\x03", "table.damaged"),
        (b"{}\n" + good, "table.heading"),
        (b"", "table.heading"),
        (good.replace(b'"ben"', b'"bun"'), "table.heading"),
        (good.replace(b'"sweeps":', b'"sweeps":1'), "table.damaged"),
    ):
        bad.write_bytes(content)
        with pytest.raises(FileError) as fault:
            tables.read(bad)
        assert fault.value.code == code
        assert str(bad) in fault.value.text("fr")
    with pytest.raises(FileError):
        tables.read(tmp_path / "nothing")


def test_a_wrong_value_does_not_verify(two, tmp_path):
    for path in two.glob("*.table"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    heading, values = tables.read(tables.file("ben", 2, 2, tmp_path))
    changed = np.array(values)
    changed[1000] += 1 << 20
    tables.write(
        tables.file("ben", 2, 2, tmp_path),
        heading,
        changed,
    )
    assert solve.verify("ben", 2, where=tmp_path) > 1e-4


def test_an_interrupted_layer_is_resumed_and_gives_the_same_bytes(two, tmp_path, monkeypatch):
    monkeypatch.setattr(solve, "_SAVE_INTERVAL_S", 0.0)
    draft = tmp_path / "ur-ben-2-2.part"

    def stop(done, total, change):
        if draft.exists() and change < 0.01:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve.solve("ben", 2, where=tmp_path, progress=stop)
    sweeps = tables.read(draft)[0].sweeps
    assert sweeps > 0
    found = solve.solve("ben", 2, where=tmp_path)
    assert found.solved_now == 78_001
    assert not list(tmp_path.glob("*.part"))
    assert tables.read(tables.file("ben", 2, 2, tmp_path))[0].sweeps > sweeps  # it did not begin anew
    assert same_values(two, tmp_path)


def test_a_damaged_checkpoint_is_begun_anew(two, tmp_path):
    solve.solve("ben", 1, where=tmp_path)
    good = tables.file("ben", 2, 2, two).read_bytes()
    for content in (good[:-4] + b"\xff\xff\xff\x7f", good[:1000], b"", tables.file("ben", 1, 1, two).read_bytes()):
        (tmp_path / "ur-ben-2-1.part").write_bytes(content)
        tables.file("ben", 2, 1, tmp_path).unlink(missing_ok=True)
        solve.solve("ben", 2, where=tmp_path)
        assert same_values(two, tmp_path)


def test_searchers_move_exactly_where_tables_reach(two, monkeypatch):
    monkeypatch.setenv("QUADRIGA_TABLES", str(two))
    match = Match(UR, {"markers": 2}, 2, SeededDice(3))
    bot = SearchPlayer(UR, "1")
    exactly = 0
    while not match.over:
        text = bot.decide(Perspective(match))
        known = exact.best(match.t, match.s)
        if known is not None and len(known[1]) > 1:
            exactly += 1
            assert known[1][match.actions()[text]] == max(known[1].values())
        match.play(text)
    assert exactly > 5


def test_a_game_that_cannot_be_solved_is_refused():
    for rules, markers in (("chess", 1), ("ben", 0), ("ben", 8)):
        with pytest.raises(OptionError):
            solve.solve(rules, markers)
    with pytest.raises(OptionError, match="missing"):
        Layer("ben", 2, 1, tables.folder() / "nowhere").set_values(np.zeros(0, np.int32))


def test_a_layer_of_more_positions_than_places_have_bits_for_is_refused(tmp_path):
    with pytest.raises(OptionError, match="more than the solver can hold"):
        Layer("ben", 7, 7, tmp_path)


def test_the_forecast_comes_first_and_counts_the_remaining_work(two, tmp_path):
    whole = solve.forecast("ben", 2, 2, tmp_path)
    assert whole.positions == whole.to_solve == 92_566
    assert solve.forecast("ben", 2, 2, two).to_solve == 0
    assert solve.forecast("finkel", 7, 2, tmp_path).memory < 4e9
    assert json.dumps(whole.seconds)


def test_any_number_of_workers_writes_the_same_values(two, tmp_path, monkeypatch):
    monkeypatch.setattr(in_memory, "SMALL", 16)  # so that even these small layers are shared out
    solve.solve("ben", 2, workers=3, where=tmp_path)
    assert same_values(two, tmp_path)


def test_plain_code_gives_the_same_values_as_compiled_code(tmp_path, monkeypatch):
    solve.solve("ben", 1, where=tmp_path / "compiled")
    monkeypatch.setattr(in_memory, "is_available", lambda: False)
    solve.solve("ben", 1, where=tmp_path / "plain")
    one, other = (tables.read(tables.file("ben", 1, 1, tmp_path / name))[1] for name in ("compiled", "plain"))
    assert np.array_equal(one, other)


@pytest.mark.parametrize("rules", ["ben", "finkel", "blitz"])
def test_small_tables_are_exact_endgames_of_the_whole_game(rules, two, tmp_path, monkeypatch):
    """In random endgames of the full game Bellman's equation holds, by the engine's own functions."""
    where = two if rules == "ben" else tmp_path
    solve.solve(rules, 2, where=where)
    monkeypatch.setenv("QUADRIGA_TABLES", str(where))
    options, _ = UR.resolve_options({"rules": rules}, 2)
    out, weights = (array.data for array in UR.rules.scratch())
    checked = 0
    for game in range(12):
        for position in Match.of(random_match(UR, options, 2, 5, game, SeededDice(5, game))).positions():
            t, s = position.t, position.s
            known = exact.value(t, s) if s.phase == ROLL else None
            if known is None:
                continue
            n = UR.rules.outcomes(t, s, out, weights)
            total = 0.0
            for face, weight in list(zip(out[:n].tolist(), weights[:n].tolist(), strict=True)):
                rolled = s.copy()
                UR.rules.step(t, rolled, face)
                best = exact.best(t, rolled)
                if best is None:
                    total += weight * there(exact.value(t, rolled))
                else:
                    chance = max(best[1].values())
                    total += weight * (chance if s.turn == 0 else 1 - chance)
            assert known == pytest.approx(total / t.throws, abs=1e-7)
            checked += 1
    assert checked > 20


def test_a_table_under_another_name_is_refused(tmp_path):
    solve.solve("masters", 1, where=tmp_path)
    tables.file("masters", 1, 1, tmp_path).rename(tables.file("blitz", 1, 1, tmp_path))
    with pytest.raises(FileError) as fault:
        tables.layer_values("blitz", 1, 1, tmp_path)
    assert fault.value.code == "table.heading"


SOLVE_UNTIL_KILLED = """
import pathlib, sys
from quadriga.lab.solver import solve

where = pathlib.Path(sys.argv[1])
solve._SAVE_INTERVAL_S = 0.0

def progress(done, total, change):
    if change < 0.01 and (where / "ur-ben-2-2.part").exists():
        print("in the middle", flush=True)
        sys.stdin.read()

solve.solve("ben", 2, where=where, progress=progress)
"""


def test_a_killed_solver_is_resumed_and_gives_the_same_bytes(two, tmp_path):
    """The solver is killed in its own process; the next run finishes its work."""
    process = subprocess.Popen(
        [sys.executable, "-c", SOLVE_UNTIL_KILLED, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(solve.__file__).parents[3])},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"in the middle\n"
    process.kill()
    process.communicate()
    assert [path.name for path in tmp_path.glob("*.part")] == ["ur-ben-2-2.part"]
    sweeps = tables.read(tmp_path / "ur-ben-2-2.part")[0].sweeps
    found = solve.solve("ben", 2, where=tmp_path)
    assert found.solved_now == 78_001
    assert tables.read(tables.file("ben", 2, 2, tmp_path))[0].sweeps > sweeps > 0  # nothing began anew
    assert same_values(two, tmp_path)


def test_a_solution_without_disk_space_is_refused(tmp_path):
    with pytest.raises(OptionError, match="GB of memory"):
        solve.solve("ben", 7, where=tmp_path)
    ahead = solve.forecast("ben", 2, 1, tmp_path)
    huge = msgspec.structs.replace(ahead, disk=1 << 60)
    with pytest.raises(OptionError, match="GB free"):
        solve.check_resources(huge, tmp_path)
