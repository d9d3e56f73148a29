"""Measure exactly how much a bot's moves lose, by tables of Ur. The bot plays both sides of whole games."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.engine.kernels.kernel import IntRows, kernel
from quadriga.engine.kernels.random_games import roll_to_decision
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.kernels.slots import OVER, State, legal, step
from quadriga.engine.kernels.struct import Batch
from quadriga.lab.executors.chunks import Failure
from quadriga.lab.solver.measured_player import Exact, MeasuredPlayer, chance_after, is_moving
from quadriga.players.compiled_match import decide
from quadriga.players.exact.tables import ONE
from quadriga.players.search.workspace import SearchWorkspace

_DECISIONS = 0  # columns of a game's row: decisions with a choice,
_LOST = 1  # ... their total loss, in parts of `ONE`,
_WORST = 2  # ... and the largest loss
_COLUMNS = 3


class Regret(msgspec.Struct, frozen=True):
    """The win probability lost per move: mean, standard error and maximum over decisions with a choice."""

    player: str
    rules: str
    markers: int
    games: int
    decisions: int
    mean: float
    error: float
    worst: float
    failed: list[Failure] = []  # games that are missing


@kernel
def _loss_of(w: SearchWorkspace, exact: Exact, seat: int, action: int) -> int:
    """Return the regret of a move in the root position: the win probability lost; -1 if there is no choice."""
    n = legal(w.tables[0], w.root[0], w.out)
    best = 0
    chosen = 0
    for i in range(n):
        value = chance_after(w, exact, seat, w.out[i])
        best = max(best, value)
        if w.out[i] == action:
            chosen = value
    return best - chosen if n > 1 else -1


@kernel
def measure(
    w: SearchWorkspace,
    origin: Batch[State],
    rngs: Batch[Rng],
    exact: Exact,
    seed: int,
    first: int,
    count: int,
    kind: int,
    without: int,
    budget: int,
    rows: IntRows,
) -> None:
    """Play games number `first` and on by one bot; write the loss of its moves in each. The dice are an arena's."""
    t = w.tables[0]
    s = w.root[0]
    for game in range(count):
        w.root[0] = origin[0]
        start(rngs[0], seed, 2 * (first + game))
        start(rngs[1], seed, 2 * (first + game) + 1)
        seat = roll_to_decision(t, s, rngs[0], w.out, w.weights)
        while seat != OVER:
            action = decide(w, rngs[1], legal(t, s, w.out), kind, without, budget)
            if is_moving(s):  # type: ignore[arg-type]
                loss = _loss_of(w, exact, seat, action)
                if loss >= 0:
                    rows[game][_DECISIONS] += 1
                    rows[game][_LOST] += loss
                    rows[game][_WORST] = max(rows[game][_WORST], loss)
            step(t, s, action)
            seat = roll_to_decision(t, s, rngs[0], w.out, w.weights)


def regret(player: MeasuredPlayer, *, games: int = 100, seed: int = 1) -> Regret:
    """Let a bot play both sides of some games; return the regret of its moves by exact tables."""
    rows, failed = player.run(measure, seed, games, _COLUMNS)
    return msgspec.structs.replace(summarize(player.name, player.rules, player.markers, rows), failed=failed)


def summarize(name: str, rules: str, markers: int, rows: npt.NDArray[np.int64]) -> Regret:
    """Return the mean regret over all decisions, with a standard error over games: a game's are correlated."""
    counts, loss = rows[:, _DECISIONS], rows[:, _LOST] / ONE
    decisions = int(counts.sum())
    mean = float(loss.sum()) / max(decisions, 1)
    error = math.sqrt(float(((loss - mean * counts) ** 2).sum())) / max(decisions, 1)
    worst = int(rows[:, _WORST].max(initial=0)) / ONE
    return Regret(name, rules, markers, len(rows), decisions, mean, error, worst)
