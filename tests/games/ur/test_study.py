"""The counts of all games and of Ur: counted again from the replayed games, in another way."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import polars as pl
import pytest

from lab.study.studies import frames_of, matches, plan_of, steps
from quadriga.games.ur.state import JUMP, MOVE, OPENING, ROLL
from quadriga.lab.solver.solve import solve
from quadriga.players import exact
from support import there

GAMES = 3


def leads(match, standing):
    """Return the leading seats after every decision, with the chance that follows, and before the first."""
    found = []
    for entry, t, before, _ in steps(match):
        if not entry.chance:
            found.append(standing(t, before))
    return [*found, match.result]


def by_steps(t, s):
    """Return the steps that the markers of each side have made in a game of Ur."""
    found = []
    for side in range(2):
        steps_of = [k for k in range(1, 24) for bits in (s.blank[side], s.blank_twin[side]) if bits >> k & 1]
        steps_of += [28 - k for k in range(28) for bits in (s.dotted[side], s.dotted_twin[side]) if bits >> k & 1]
        found.append(sum(steps_of) + s.off[side] * t.off)
    return found


@pytest.fixture(scope="module")
def ur(tmp_path_factory):
    plan = plan_of("ur", games=GAMES)
    return frames_of(plan, tmp_path_factory.mktemp("ur")), matches(plan)


def test_a_game_has_its_length_its_choices_and_its_winner(ur):
    frames, played = ur
    for row, match in zip(frames["games"].to_dicts(), played, strict=True):
        decisions = [entry for entry in match.entries if not entry.chance]
        assert row["decisions"] == len(decisions)
        assert row["chances"] == match.chances
        assert row["choices"] == sum(len(entry.legal) > 1 for entry in decisions)
        assert row["branching"] == pytest.approx(sum(len(entry.legal) for entry in decisions) / len(decisions))
        assert (row["winner"], row["winners"], row["lineup"]) == (match.winner, 1, 0)
    seats = frames["seats"]
    assert seats["score"].to_list() == [points for match in played for points in match.result]
    assert seats["won"].to_list() == [float(points) for match in played for points in match.result]
    assert seats["place"].to_list() == [2 - points for match in played for points in match.result]


def test_the_lead_is_followed_to_the_decision_after_which_the_winner_kept_it(ur):
    frames, played = ur
    for game, match in enumerate(played):
        after = leads(match, by_steps)  # after 0, 1, 2, ... decisions
        best = [[seat for seat in range(2) if points[seat] == max(points)] for points in after]
        alone = [leading[0] for leading in best if len(leading) == 1]
        row = frames["games"].row(game, named=True)
        assert row["lead_changes"] == sum(one != other for one, other in pairwise(alone))
        winner = match.winner
        lost = [place for place, leading in enumerate(best) if winner not in leading]
        assert row["decided"] == (max(lost) + 1 if lost else 0)
        assert row["decided_share"] == pytest.approx(row["decided"] / row["decisions"])
        led = [sum(seat in leading for leading in best[1:]) for seat in range(2)]
        assert frames["seats"].filter(pl.col("game") == game)["led"].to_list() == led
        assert row["led_share"] == pytest.approx(led[winner] / row["decisions"])


def test_steps_and_captures_of_ur_are_counted(ur):
    frames, played = ur
    landings: Counter[Any] = Counter()
    captures: Counter[Any] = Counter()
    stands: Counter[Any] = Counter()
    first = []
    for match in played:
        for entry, t, before, s in steps(match):
            if before.phase in (OPENING, JUMP) and s.phase == ROLL:
                first.append(s.turn)
            if entry.chance:
                continue
            for side in range(2):
                for k in range(1, 24):
                    stands[side, k] += sum(bits >> k & 1 for bits in (before.blank[side], before.blank_twin[side]))
                for k in range(5, 16):
                    both = (before.dotted[side], before.dotted_twin[side])
                    stands[side, 28 - k] += sum(bits >> k & 1 for bits in both)
            to = entry.text.split("-")[1]
            step = t.off if to == "off" else int(to)
            landings[entry.seat, step] += 1
            if before.phase == MOVE and any(
                "captur" in note.message.id for note in _notes(match, t, before, entry)
            ):
                captures[entry.seat, step] += 1
    assert frames["games"]["first"].to_list() == first
    assert frames["seats"].filter(pl.col("start") == 1)["seat"].to_list() == first
    rows = frames["spaces"].to_dicts()
    assert {(row["seat"], row["step"]): row["landings"] for row in rows if row["landings"]} == dict(landings)
    assert {(row["seat"], row["step"]): row["captures"] for row in rows if row["captures"]} == dict(captures)
    assert {(row["seat"], row["step"]): row["stands"] for row in rows if row["stands"]} == dict(+stands)
    spaces = frames["spaces"].filter(pl.col("space") != "off")
    lost, taken = (
        spaces.group_by("seat", "space").agg(pl.col(name).sum()).filter(pl.col(name) > 0)
        for name in ("losses", "captures")
    )
    where = {(row["seat"], row["space"]): row["captures"] for row in taken.to_dicts()}
    assert {(1 - row["seat"], row["space"]): row["losses"] for row in lost.to_dicts()} == where
    assert frames["games"]["captures"].sum() == sum(captures.values())


def test_the_side_that_starts_has_its_chance_by_the_solved_tables(tmp_path, monkeypatch):
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path / "tables"))
    unsolved = plan_of("ur", games=2, options={"markers": 1})
    assert frames_of(unsolved, tmp_path / "unsolved")["games"]["solved"].null_count() == 2
    solve("ben", 1, workers=1, where=tmp_path / "tables")
    plan = plan_of("ur", games=5, options={"markers": 1})
    expected = []
    for match in matches(plan):
        opened = (
            s.copy() for _, _, before, s in steps(match) if before.phase in (OPENING, JUMP) and s.phase == ROLL
        )
        position = next(opened)
        chance = there(exact.value(match.t, position))
        expected.append(chance if position.turn == 0 else 1 - chance)
    assert frames_of(plan, tmp_path / "solved")["games"]["solved"].to_list() == expected


def _notes(match, t, before, entry):
    return match.game.display.explain(t, before, entry.actions)
