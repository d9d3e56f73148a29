"""Make the tables of a study from the counts of its games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from quadriga.engine.kernels.record import Record
from quadriga.engine.parts.study import Columns, Counted, Counts
from quadriga.lab.study import frames, schema
from quadriga.lab.study.plan import Plan
from quadriga.lab.study.watch import Layout
from quadriga.players import exact

if TYPE_CHECKING:
    import polars as pl


def make_frames(plan: Plan, layout: Layout, rows: Counts, first: int) -> dict[str, pl.DataFrame]:
    """Return the tables of some games, without those of their reviews."""
    game, study = layout.game, layout.game.study
    found = Counted(
        t=layout.t,
        options=plan.options,
        seats=plan.seats,
        first=first,
        players=frames.seat_names(plan, first, len(rows)),
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
    columns["games"] = {**frames.games_columns(plan, layout, rows, first), **columns["games"]}
    columns["seats"] = frames.seats_columns(plan, layout, rows, first, starts)
    return {
        table.name: frames.frame(table, columns[table.name])
        for table in schema.tables(game)
        if table.name != "reviews"
    }


def _exact(layout: Layout, s: Record) -> float | None:
    """Return the exact win probability of seat 0; None if the game is not solvable or no table has the position."""
    return exact.value(layout.t, s) if layout.game.is_solvable else None
