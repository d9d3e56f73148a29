"""Estimate the value of actions by playouts, in batches whose variance gives the error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from quadriga.engine.kernels.compiler import Report
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.struct import Struct
from quadriga.engine.match.match import Match
from quadriga.players.search import bindings, no_network
from quadriga.players.search.judge import judge
from quadriga.players.search.playout import ONE
from quadriga.players.search.workspace import allocate

Chances = npt.NDArray[np.float64]
"""The estimated value for every seat, a row for each batch of playouts."""

BATCHES = 20  # batches of the playouts of an action; their variance gives the error
# The quantiles of Student's t for 95 %, by degrees of freedom from 1 on.
_T = (
    12.71,
    4.30,
    3.18,
    2.78,
    2.57,
    2.45,
    2.36,
    2.31,
    2.26,
    2.23,
    2.20,
    2.18,
    2.16,
    2.14,
    2.13,
    2.12,
    2.11,
    2.10,
    2.09,
)
_AT_ONCE = 100  # playouts in compiled code, which an interrupt waits for


class PlayoutJudge:
    """Estimates the value of actions of one match by playouts."""

    def __init__(self, match: Match, playouts: int, seed: int, report: Report | None = None) -> None:
        self.seats, self.playouts, self.seed = match.seats, playouts, seed
        machine = Machine(match.game, report=report, bindings=bindings(match.game), knowledge=False)
        self._run = machine.link(judge)
        self._workspace = allocate(machine, match.t.array(), match.seats, 0, no_network())

    def __call__(self, s: Struct, seat: int, actions: Sequence[int], again: int = 0) -> Chances:
        """Return the estimated values after an action or its pieces; another `again` takes other cards and dice.

        Every action has the same cards and dice in the same batch.
        """
        root: Any = self._workspace.root
        root[:] = s.array()
        pieces = np.array([*actions, 0], np.int64)
        batches = min(self.playouts, BATCHES)
        chances = np.zeros((batches, self.seats))
        for batch in range(batches):
            count = self.playouts // batches + (batch < self.playouts % batches)
            totals = np.zeros(self.seats, np.int64)
            seed = (2 * self.seed + again) * BATCHES + batch
            for first in range(0, count, _AT_ONCE):
                end = min(first + _AT_ONCE, count)
                self._run(self._workspace, seed, first, end, seat, pieces, len(actions), totals)
            chances[batch] = totals / (count * ONE)
        return chances


def half_width(samples: npt.NDArray[np.float64]) -> float:
    """Return the half-width of the 95 % confidence interval of the mean of some batches; 1 for a single one."""
    n = len(samples)
    return float(_T[n - 2] * samples.std(ddof=1) / n**0.5) if n > 1 else 1.0
