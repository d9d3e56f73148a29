"""The tables of Ur."""

from __future__ import annotations

import numpy as np

from quadriga.engine.parts.study import Columns, Counted, Counts, in_blocks, indices
from quadriga.games.ur.board import path
from quadriga.games.ur.state import ROLL, State, Tables
from quadriga.games.ur.study.columns import MARKERS, OPENING_COUNTS, STARTED, STEP_COUNTS


def starts(found: Counted[Tables]) -> Counts:
    """Return 1 for the seat that starts and 2 for the other, game by game."""
    first = found.block(OPENING_COUNTS)[:, STARTED]
    return np.asarray(1 + (np.arange(found.seats) != first[:, None]), np.int64)


def fill(found: Counted[Tables]) -> dict[str, Columns]:
    """Return the values of Ur's own columns and tables."""
    opened = found.block(OPENING_COUNTS)
    games: Columns = {
        "rules": [found.options["rules"]] * len(found.rows),
        **OPENING_COUNTS.named(opened),
        **found.tallied,
        "solved": _solved(found, opened),
    }
    steps = found.block(STEP_COUNTS)
    spaces = in_blocks(lambda some, begin: _spaces(found, some, begin), steps, found.first)
    return {"games": games, "spaces": spaces}


def _solved(found: Counted[Tables], opened: Counts) -> list[float | None]:
    """Return the exact win probability of the starting side, game by game; None where no table has the position."""
    known: dict[tuple[int, ...], float | None] = {}
    for each in map(tuple, opened.tolist()):
        if each not in known:
            s = State()
            s.phase, s.turn = ROLL, each[STARTED]
            for side in range(2):
                s.blank[side] = each[MARKERS + side]
            chance = found.exact(s)
            known[each] = chance if chance is None or s.turn == 0 else 1 - chance
    return [known[tuple(each)] for each in opened.tolist()]


def _spaces(found: Counted[Tables], steps: Counts, first: int) -> Columns:
    """Return a row for each step of each seat."""
    counts = steps.sum(axis=0)[:, 1 : found.t.off + 1]
    seats, places = indices(counts.shape[:2])
    names = [[*path(found.options["rules"], seat), "off"] for seat in range(found.seats)]
    return {
        "first": np.full(len(seats), first),
        "games": np.full(len(seats), len(steps)),
        "seat": seats,
        "step": places + 1,
        "space": [names[seat][step] for seat, step in zip(seats, places, strict=True)],
        **{name: values.ravel() for name, values in STEP_COUNTS.named(counts).items()},
    }
