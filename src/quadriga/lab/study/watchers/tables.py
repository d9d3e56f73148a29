"""Find the watcher of a game, and the tables made of its counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quadriga.engine.game import Game
from quadriga.lab.study import frames, schema, watch
from quadriga.lab.study.frames import Columns, Counts
from quadriga.lab.study.plan import Plan
from quadriga.lab.study.watch import Layout

if TYPE_CHECKING:
    import polars as pl


class Watcher(NamedTuple):
    """The tables and counters of a game, for a study."""

    slots: dict[object, object]
    parts: Callable[[Any, int], list[tuple[int, ...]]]  # of a row, by the tables of the game and the seats
    starts: Callable[[Layout, Counts], Counts]  # the start position of every seat in every game
    tables: Callable[[Plan, Any, Layout, Counts, int], dict[str, Columns]]  # the columns beyond the common ones


def watcher(game: Game) -> Watcher:
    """Return the watcher of a game."""
    if game.id == "ur":
        from quadriga.lab.study.watchers import ur_tables

        return ur_tables.WATCHER
    if game.id == "ave-caesar":
        from quadriga.lab.study.watchers import avecaesar_tables

        return avecaesar_tables.WATCHER
    if game.id == "ben-hvrt":
        from quadriga.lab.study.watchers import benhvrt_tables

        return benhvrt_tables.WATCHER
    return Watcher(
        {watch.watch: watch.watch_nothing, watch.standing: watch.by_score},
        lambda t, seats: [],
        lambda layout, rows: np.zeros((len(rows), layout.seats), np.int64),
        lambda plan, t, layout, rows, first: {"games": {}},
    )


def make_frames(
    plan: Plan, game: Game, t: Any, layout: Layout, rows: Counts, first: int
) -> dict[str, pl.DataFrame]:
    """Return the tables of some games, without those of their reviews."""
    found = watcher(game)
    columns = found.tables(plan, t, layout, rows, first)
    columns["games"] = {**frames.games_columns(plan, layout, rows, first), **columns["games"]}
    columns["seats"] = frames.seats_columns(plan, layout, rows, first, found.starts(layout, rows))
    return {
        table.name: frames.frame(table, columns[table.name])
        for table in schema.tables(game.id)
        if table.name != "reviews"
    }
