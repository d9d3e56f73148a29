"""Perfect play against a player: by tables, in games of Ur that they cover.

Who plays perfectly gives nothing away, but does not set out to use a player's mistakes: how often a player beats
another says less about its own than what its moves lose (`regret`), and than what it keeps against perfect play.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.engine.compiler import Report
from quadriga.engine.drivers import settle
from quadriga.engine.kernel import IntRows, Ints, Values, kernel
from quadriga.engine.record import Batch
from quadriga.engine.rng import Rng, start
from quadriga.engine.slots import OVER, State, Tables, advise, legal, scores, step
from quadriga.lab.regret import Bench, decided, looked_up, moving
from quadriga.players.exact.tables import ONE


class Perfect(msgspec.Struct, frozen=True):
    """How often perfect play won against a player, with the standard error over pairs of games."""

    player: str
    rules: str
    markers: int
    games: int
    won: float
    error: float


@kernel
def _best(
    t: Tables,
    work: Batch[State],
    seat: int,
    n: int,
    out: Ints,
    keys: Ints,
    before: Ints,
    base: Ints,
    values: Values,
) -> int:
    """The first of the best moves in `work[0]`, with n of them in `out`; `work[1]` is room."""
    best = out[0]
    most = -1
    for i in range(n):
        work[1] = work[0]
        step(t, work[1], out[i])
        value = looked_up(t, work[1], keys, before, base, values)  # type: ignore[arg-type]
        if seat:
            value = ONE - value
        if value > most:
            most = value
            best = out[i]
    return best


@kernel
def against(
    tables: Batch[Tables],
    origin: Batch[State],
    work: Batch[State],
    rngs: Batch[Rng],
    seed: int,
    count: int,
    kind: int,
    without: int,
    budget: int,
    tree: IntRows,
    path: IntRows,
    out: Ints,
    weights: Ints,
    points: Ints,
    won: Ints,
    known: Ints,
    keys: Ints,
    before: Ints,
    base: Ints,
    values: Values,
    results: Ints,
) -> None:
    """Games whether perfect play won, two with the same dice: first it has seat 0, then seat 1.

    What is decided before somebody starts is in no table: there it goes by rules of thumb.
    """
    t = tables[0]
    s = work[0]
    for game in range(count):
        work[0] = origin[0]
        start(rngs[0], seed, 2 * (game >> 1))
        start(rngs[1], seed, 2 * game + 1)
        seat = settle(t, s, rngs[0], out, weights)
        while seat != OVER:
            n = legal(t, s, out)
            if seat != game & 1:
                action = decided(
                    tables, work, rngs, n, kind, without, budget, tree, path, out, weights, points, won, known
                )
            elif moving(s):  # type: ignore[arg-type]
                action = _best(t, work, seat, n, out, keys, before, base, values)
            else:
                action = advise(t, s, rngs[1], out, n, 0)
            step(t, s, action)
            seat = settle(t, s, rngs[0], out, weights)
        scores(t, s, points)
        results[game] = 1 if points[game & 1] > points[game & 1 ^ 1] else 0


def perfect(
    name: str,
    markers: int,
    *,
    rules: str = "ben",
    games: int = 100,
    seed: int = 1,
    compiled: bool | None = None,
    known: npt.NDArray[np.int64] | None = None,
    report: Report | None = None,
) -> Perfect:
    """Let a player, which does not look into the tables, meet perfect play in pairs of games."""
    bench = Bench(name, markers, rules, compiled, known, report)
    results = np.zeros(2 * max(games // 2, 1), np.int64)
    bench.machine.link(against)(*bench.place, seed, len(results), *bench.player, *bench.lent, results)
    pairs = results.reshape(-1, 2).mean(1)
    error = float(pairs.std()) / math.sqrt(len(pairs))
    return Perfect(name, rules, markers, len(results), float(pairs.mean()), error)
