"""The tables of Ur."""

from __future__ import annotations

from typing import Any

import numpy as np

from quadriga.games.ur.board import path
from quadriga.games.ur.state import ROLL, State
from quadriga.lab.study import watch
from quadriga.lab.study.frames import Columns, Counts, in_blocks, indices, tally_columns
from quadriga.lab.study.plan import Plan
from quadriga.lab.study.watch import Layout
from quadriga.lab.study.watchers import ur
from quadriga.lab.study.watchers.tables import Watcher
from quadriga.players import exact


def _starts(layout: Layout, rows: Counts) -> Counts:
    first = layout.part(rows, ur.OPENED)[:, ur.FIRST]
    starts: Counts = 1 + (np.arange(layout.seats) != first[:, None]).astype(np.int64)
    return starts


def _solved(t: Any, opened: Counts) -> list[float | None]:
    """Return the chance of the side that starts, game by game; None where no table on disk has the position."""
    known: dict[tuple[int, ...], float | None] = {}
    for each in map(tuple, opened.tolist()):
        if each not in known:
            s = State()
            s.phase, s.turn = ROLL, each[ur.FIRST]
            for side in range(2):
                s.blank[side] = each[ur.MARKERS + side]
            chance = exact.value(t, s)
            known[each] = chance if chance is None or s.turn == 0 else 1 - chance
    return [known[tuple(each)] for each in opened.tolist()]


def _tables(plan: Plan, t: Any, layout: Layout, rows: Counts, first: int) -> dict[str, Columns]:
    opened = layout.part(rows, ur.OPENED)
    games = {
        "rules": [plan.options["rules"]] * len(rows),
        "first": opened[:, ur.FIRST],
        **tally_columns(layout, rows),
        "solved": _solved(t, opened),
    }
    spaces = in_blocks(lambda some, begin: _spaces(plan, t, layout, some, begin), rows, first)
    return {"games": games, "spaces": spaces}


def _spaces(plan: Plan, t: Any, layout: Layout, rows: Counts, first: int) -> Columns:
    """Return a row for each step of each seat."""
    counts = layout.part(rows, ur.SPACES).sum(axis=0)[:, 1 : t.off + 1]
    seats, steps = indices(counts.shape[:2])
    names = [[*path(plan.options["rules"], seat), "off"] for seat in range(layout.seats)]
    fields = zip(("landings", "captures", "losses", "stands"), np.moveaxis(counts, 2, 0), strict=True)
    return {
        "first": np.full(len(seats), first),
        "games": np.full(len(seats), len(rows)),
        "seat": seats,
        "step": steps + 1,
        "space": [names[seat][step] for seat, step in zip(seats, steps, strict=True)],
        **{name: values.ravel() for name, values in fields},
    }


WATCHER = Watcher(
    {watch.watch: ur.watch, watch.standing: ur.standing},
    lambda t, seats: ur.parts(seats),
    _starts,
    _tables,
)
