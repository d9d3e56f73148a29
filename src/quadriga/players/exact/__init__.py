"""Exact values of Ur.

`ranking` numbers the positions by the tables of `ranking_tables`, `tables` reads and writes their values, and
`sweep` has the solver's kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from quadriga.engine.kernels.link import plain
from quadriga.engine.kernels.struct import Struct
from quadriga.games.ur.board import RULE_SETS
from quadriga.games.ur.rules.turn import legal, step
from quadriga.games.ur.state import DONE, MOVE, State, Tables
from quadriga.players.exact import tables
from quadriga.players.exact.ranking import rank
from quadriga.players.exact.ranking_tables import ranking


@cache
def _number() -> Callable[..., int]:
    return plain(rank, {})


def value(t: Struct, s: Struct) -> float | None:
    """Return the win probability of seat 0 in a position before a roll, or None if no table on disk holds it."""
    assert isinstance(t, Tables)  # only for the game that says that it is solvable
    assert isinstance(s, State)
    if s.phase == DONE:
        return 1.0 if s.turn == 0 else 0.0
    rules, me = list(RULE_SETS)[t.rules], s.turn
    values = tables.layer_values(rules, t.markers - s.off[me], t.markers - s.off[me ^ 1])
    if values is None:
        return None
    number = _number()(t, s, me, ranking(rules).ranks)
    chance = int(values[number]) / tables.ONE
    return chance if me == 0 else 1.0 - chance


def best(t: Struct, s: Struct) -> tuple[int, dict[int, float]] | None:
    """Return the best move and the mover's win probability after every move, or None if a table is missing."""
    assert isinstance(t, Tables)
    assert isinstance(s, State)
    if s.phase != MOVE:
        return None
    out: Any = np.zeros(64, np.int64).data
    chances: dict[int, float] = {}
    for action in out[: legal(t, s, out)].tolist():
        after = s.copy()
        step(t, after, action)
        chance = value(t, after)
        if chance is None:
            return None
        chances[action] = chance if s.turn == 0 else 1.0 - chance
    return max(chances, key=lambda action: chances[action]), chances
