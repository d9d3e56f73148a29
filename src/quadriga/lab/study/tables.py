"""Make the tables of a study from the counts of its games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from quadriga.engine.kernels.struct import Struct
from quadriga.engine.parts.study import Columns, Counted, Counts
from quadriga.lab.study import data_tables, schema
from quadriga.lab.study.counted_games import Layout
from quadriga.lab.study.plan import StudyPlan
from quadriga.players import exact

if TYPE_CHECKING:
    import polars as pl


def make_tables(plan: StudyPlan, layout: Layout, rows: Counts, first: int) -> dict[str, pl.DataFrame]:
    """Return the tables of some games, without those of their reviews."""
    game, study = layout.game, layout.game.study
    found = Counted(
        t=layout.t,
        options=plan.options,
        seats=plan.seats,
        first=first,
        players=data_tables.seat_names(plan, first, len(rows)),
        rows=rows,
        blocks=layout.blocks,
        at=layout.at,
        tallied=layout.tallied(rows),
        exact=lambda s: _exact(layout, s),
    )
    columns: dict[str, Columns] = {"games": {}} if study is None or study.fill is None else study.fill(found)
    starts = np.zeros((len(rows), plan.seats), np.int64)
    if study is not None and study.starts is not None:
        starts = study.starts(found)
    columns["games"] = {**data_tables.games_columns(plan, layout, rows, first), **columns["games"]}
    columns["seats"] = data_tables.seats_columns(plan, layout, rows, first, starts)
    return {
        table.name: data_tables.filled(table, columns[table.name])
        for table in schema.tables(game)
        if table.name != "reviews"
    }


def _exact(layout: Layout, s: Struct) -> float | None:
    """Return the exact win probability of seat 0; None if the game is not solvable or no table has the position."""
    return exact.value(layout.t, s) if layout.game.is_solvable else None
