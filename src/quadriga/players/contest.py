"""Games between players that are kernels, played entirely in compiled code."""

from __future__ import annotations

from quadriga.engine.drivers import settle
from quadriga.engine.kernel import IntRows, Ints, kernel
from quadriga.engine.record import Batch
from quadriga.engine.rng import Rng, below, start
from quadriga.engine.slots import OVER, State, Tables, advise, legal, scores, step

RANDOM = 0
GREEDY = 1


@kernel
def contest(
    tables: Batch[Tables],
    origin: Batch[State],
    work: Batch[State],
    rngs: Batch[Rng],
    seed: int,
    first: int,
    count: int,
    kinds: Ints,
    without: Ints,
    out: Ints,
    weights: Ints,
    points: Ints,
    results: IntRows,
) -> int:
    """Games number `first` and on, seat i played by `kinds[i]`; a row of scores per game; returns the decisions.

    Chance has a stream of its own, so that the dice of a game depend on its number alone.
    """
    t = tables[0]
    s = work[0]
    decisions = 0
    for game in range(count):
        work[0] = origin[0]
        start(rngs[0], seed, 2 * (first + game))
        start(rngs[1], seed, 2 * (first + game) + 1)
        seat = settle(t, s, rngs[0], out, weights)
        while seat != OVER:
            n = legal(t, s, out)
            if kinds[seat] == GREEDY:
                step(t, s, advise(t, s, rngs[1], out, n, without[seat]))
            else:
                step(t, s, out[below(rngs[1], n)])
            decisions += 1
            seat = settle(t, s, rngs[0], out, weights)
        scores(t, s, points)
        for i in range(len(points)):
            results[game][i] = points[i]
    return decisions
