"""Small studies for tests, in plain code unless a test is about compiled code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.lab.study import schema
from quadriga.lab.study.collect import collect
from quadriga.lab.study.plan import StudyPlan, make
from quadriga.lab.study.reviewing import replayed

SMALL: dict[str, tuple[dict[str, Any], int]] = {
    "ur": ({"markers": 2}, 2),
    "ave-caesar": ({"courses": ["white cw", "blue ccw"]}, 3),
    "ben-hvrt": ({"series": [1, 1], "bribes": True}, 3),
    "highcard": ({}, 2),
    "nim": ({}, 2),
}


def plan_of(id: str, *names: str, options: dict[str, Any] | None = None, **how: Any) -> StudyPlan:
    """Return the plan of a small study."""
    given, seats = SMALL[id]
    game = find(id)
    resolved, count = game.resolve_options({**given, **(options or {})}, seats)
    return make(game, resolved, count, names or ("random",), **{"games": 3, "seed": 5, **how})


def frames_of(plan: StudyPlan, folder: Path, **how: Any) -> dict[str, pl.DataFrame]:
    """Collect a study, and return its tables."""
    found = collect(plan, folder, **{"compiled": False, **how})
    assert (found.games, found.interrupted, found.failed) == (plan.games, False, [])
    return tables_in(plan, folder)


def tables_in(plan: StudyPlan, folder: Path) -> dict[str, pl.DataFrame]:
    """Return the tables of a finished study."""
    paths = {table.name: folder / f"{table.name}.parquet" for table in schema.tables(find(plan.game))}
    return {name: pl.read_parquet(path) for name, path in paths.items() if path.exists()}


def same(one: dict[str, pl.DataFrame], other: dict[str, pl.DataFrame]) -> bool:
    """Return whether two studies have equal tables, in the same order."""
    return set(one) == set(other) and all(one[name].equals(other[name]) for name in one)


def steps(match: Match) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Replay a match in plain code; yield each entry, the tables, and the states before and after it."""
    t, s = match.game.rules.new(match.options, match.seats)
    for entry in match.entries:
        before = s.copy()
        for action in entry.actions:
            match.game.rules.step(t, s, action)
        yield entry, t, before, s


def matches(plan: StudyPlan) -> list[Match]:
    """Return the games of a study."""
    return [replayed(plan, number, compiled=False) for number in range(plan.games)]
