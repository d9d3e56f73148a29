"""Make tables of the counts of games."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

import numpy as np

from quadriga.engine.errors import MissingExtraError
from quadriga.engine.parts.study import Columns, Counts, Table
from quadriga.lab.study.counted_games import CHOICES, DECIDED, LEAD_CHANGES, LED, LEGAL, Layout
from quadriga.lab.study.plan import StudyPlan

if TYPE_CHECKING:
    import polars as pl


def need_polars() -> None:
    """Raise MissingExtraError if the library for data frames is not installed."""
    if importlib.util.find_spec("polars") is None:
        raise MissingExtraError("extra.missing", extra="lab", what="polars")


def types(table: Table) -> dict[str, pl.DataType | type[pl.DataType]]:
    """Return the type of each column of a table."""
    import polars as pl

    kinds = {"int": pl.Int32, "float": pl.Float64, "text": pl.String, "bool": pl.Boolean}
    return {column.name: kinds[column.kind] for column in table.columns}


def filled(table: Table, columns: Columns) -> pl.DataFrame:
    """Return the data frame of a table. Every column must be there, and no other."""
    import polars as pl

    found = types(table)
    if set(columns) != set(found):
        raise ValueError(f"{table.name} has other columns: {sorted(set(columns) ^ set(found))}")
    return pl.DataFrame({name: pl.Series(name, columns[name]).cast(kind) for name, kind in found.items()})


def seat_names(plan: StudyPlan, first: int, count: int) -> list[list[str]]:
    """Return the player on each seat, game by game."""
    lineups = plan.lineups
    return [lineups[game % len(lineups)] for game in range(first, first + count)]


def games_columns(plan: StudyPlan, layout: Layout, rows: Counts, first: int) -> dict[str, Any]:
    """Return the common columns of the table of games."""
    own = layout.common(rows)
    scores = final_scores(layout, rows)
    best = scores == scores.max(axis=1, keepdims=True)
    winners = best.sum(axis=1)
    decisions = rows[:, 0]
    led = own[:, LED:]
    numbers = first + np.arange(len(rows))
    least = np.maximum(decisions, 1)
    return {
        "game": numbers,
        "lineup": numbers % len(plan.lineups),
        "winner": np.where(winners == 1, best.argmax(axis=1), -1),
        "winners": winners,
        "decisions": decisions,
        "chances": rows[:, 1],
        "choices": own[:, CHOICES],
        "branching": own[:, LEGAL] / least,
        "lead_changes": own[:, LEAD_CHANGES],
        "decided": own[:, DECIDED],
        "decided_share": own[:, DECIDED] / least,
        "led_share": (led * best).sum(axis=1) / winners / least,
    }


def final_scores(layout: Layout, rows: Counts) -> Counts:
    """Return the score of every seat in every game."""
    return rows[:, layout.measured - layout.seats : layout.measured]


def seats_columns(plan: StudyPlan, layout: Layout, rows: Counts, first: int, starts: Counts) -> dict[str, Any]:
    """Return the columns of the table of seats."""
    scores = final_scores(layout, rows)
    best = scores == scores.max(axis=1, keepdims=True)
    games, seats = scores.shape
    names = seat_names(plan, first, games)
    places = 1 + (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
    return {
        "game": np.repeat(first + np.arange(games), seats),
        "seat": np.tile(np.arange(seats), games),
        "player": [name for lineup in names for name in lineup],
        "start": starts.ravel(),
        "score": scores.ravel(),
        "won": (best / best.sum(axis=1, keepdims=True)).ravel(),
        "place": places.ravel(),
        "led": layout.common(rows)[:, LED:].ravel(),
    }
