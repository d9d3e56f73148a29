"""Let a bot meet perfect play, which follows tables of Ur.

Perfect play loses nothing, but does not try to exploit mistakes. How often one bot beats another says less about
its mistakes than the loss of its moves (`regret`), and than how often it beats perfect play.
"""

from __future__ import annotations

import math

import msgspec

from quadriga.engine.kernels.kernel import IntRows, kernel
from quadriga.engine.kernels.random_games import roll_to_decision
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.kernels.slots import OVER, State, advise, legal, scores, step
from quadriga.engine.kernels.struct import Batch
from quadriga.lab.executors.chunks import Failure
from quadriga.lab.solver.measured_player import Exact, MeasuredPlayer, chance_after, is_moving
from quadriga.players.compiled_match import decide
from quadriga.players.search.workspace import SearchWorkspace


class Perfect(msgspec.Struct, frozen=True):
    """The share of games that perfect play won against a bot, with the standard error over pairs of games."""

    player: str
    rules: str
    markers: int
    games: int
    won: float
    error: float
    failed: list[Failure] = []  # games that are missing


@kernel
def _best_move(w: SearchWorkspace, exact: Exact, seat: int, n: int) -> int:
    """Return the first of the best moves in the root position, with n of them in `out`."""
    best = w.out[0]
    most = -1
    for i in range(n):
        value = chance_after(w, exact, seat, w.out[i])
        if value > most:
            most = value
            best = w.out[i]
    return best


@kernel
def play_pairs(
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
    """Play games number `first` and on, in pairs with the same dice; write whether perfect play won.

    It has seat 0 in the first game of a pair, and seat 1 in the second. Decisions of the opening are in no table;
    there it follows rules of thumb.
    """
    t = w.tables[0]
    s = w.root[0]
    for game in range(first, first + count):
        w.root[0] = origin[0]
        start(rngs[0], seed, 2 * (game >> 1))
        start(rngs[1], seed, 2 * game + 1)
        seat = roll_to_decision(t, s, rngs[0], w.out, w.weights)
        while seat != OVER:
            n = legal(t, s, w.out)
            if seat != game & 1:
                action = decide(w, rngs[1], n, kind, without, budget)
            elif is_moving(s):  # type: ignore[arg-type]
                action = _best_move(w, exact, seat, n)
            else:
                action = advise(t, s, rngs[1], w.out, n, 0)
            step(t, s, action)
            seat = roll_to_decision(t, s, rngs[0], w.out, w.weights)
        scores(t, s, w.points)
        rows[game - first][0] = 1 if w.points[game & 1] > w.points[game & 1 ^ 1] else 0


def perfect(player: MeasuredPlayer, *, games: int = 100, seed: int = 1) -> Perfect:
    """Play a bot against perfect play in pairs of games; return the share that perfect play won."""
    rows, failed = player.run(play_pairs, seed, 2 * max(games // 2, 1), 1)
    pairs = rows.reshape(-1, 2).mean(1)
    error = float(pairs.std()) / math.sqrt(len(pairs))
    return Perfect(player.name, player.rules, player.markers, len(rows), float(pairs.mean()), error, failed)
