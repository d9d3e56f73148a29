"""Games between players that are kernels, played entirely in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from quadriga.engine.compiler import Report
from quadriga.engine.drivers import settle
from quadriga.engine.game import Game
from quadriga.engine.kernel import IntRows, Ints, kernel
from quadriga.engine.machine import Machine
from quadriga.engine.options import Options
from quadriga.engine.record import Batch
from quadriga.engine.rng import Rng, below, draw, start
from quadriga.engine.slots import OVER, State, Tables, advise, legal, scores, step
from quadriga.players.greedy import left_out
from quadriga.players.search import budget, filling, knowledge, learns
from quadriga.players.search.insight import building
from quadriga.players.search.think import POSITIONS, ROOM, ROWS, WAYS, think
from quadriga.players.search.tree import FIELDS

RANDOM = 0
GREEDY = 1
SEARCH = 2


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
    budgets: Ints,
    tree: IntRows,
    path: IntRows,
    out: Ints,
    weights: Ints,
    points: Ints,
    won: Ints,
    known: Ints,
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
            if kinds[seat] == SEARCH and n > 1 and not building(t, s):
                seed_of_it = draw(rngs[1])
                units = known[0]
                if without[seat]:
                    known[0] = 0  # this one does without what was learned
                action = think(
                    tables,
                    work,
                    0,
                    work,
                    1,
                    rngs,
                    2,
                    seed_of_it,
                    budgets[seat],
                    tree,
                    path,
                    out,
                    weights,
                    points,
                    won,
                    known,
                )
                known[0] = units
                step(t, s, action)
            elif kinds[seat] != RANDOM:
                step(t, s, advise(t, s, rngs[1], out, n, without[seat]))
            else:
                step(t, s, out[below(rngs[1], n)])
            decisions += 1
            seat = settle(t, s, rngs[0], out, weights)
        scores(t, s, points)
        for i in range(len(points)):
            results[game][i] = points[i]
    return decisions


class Bot(NamedTuple):
    """A player that is a kernel: its kind, the parts that it does without, and its playouts."""

    kind: int
    without: int
    playouts: int


def bot(text: str, game: Game) -> Bot | None:
    """A player by name, if it is a kernel; thinking by the clock is not."""
    name, _, parameters = text.partition(":")
    if name == "random" and not parameters:
        return Bot(RANDOM, 0, 0)
    if name == "greedy":
        return Bot(GREEDY, left_out(game, parameters), 0)
    if name == "search" and (playouts := budget(parameters)[0]):
        return Bot(SEARCH, 0 if learns(parameters) else 1, playouts)
    return None


class Pit:
    """Where such players meet, for one set-up of a game: linked code, and room for the games."""

    def __init__(
        self,
        game: Game,
        options: Options,
        seats: int,
        *,
        compiled: bool | None = None,
        boundscheck: bool = False,
        report: Report | None = None,
    ) -> None:
        self.seats = seats
        machine = Machine(game, compiled=compiled, boundscheck=boundscheck, report=report, filling=filling(game))
        self._play = machine.link(contest)
        self._records = machine.records(options, seats)
        self._work, self._rngs = machine.states(1 + POSITIONS), np.zeros(3, Rng.dtype)
        self._scratch = game.scratch()
        self._known = knowledge(game)
        self._path = np.zeros((ROWS, WAYS), np.int64)

    def play(self, bots: Sequence[Bot], seed: int, first: int, count: int) -> tuple[npt.NDArray[np.int64], int]:
        """Games number `first` and on, a player a seat: the scores, a row a game, and the number of decisions."""
        kinds, without, playouts = (np.array(column, np.int64) for column in zip(*bots, strict=True))
        tree = np.zeros((FIELDS, max(int(playouts.max()) + 1, ROOM)), np.int64)
        points, won = np.zeros(self.seats, np.int64), np.zeros(self.seats, np.int64)
        rows = np.zeros((count, self.seats), np.int64)
        place = (*self._records, self._work, self._rngs, seed, first, count, kinds, without, playouts)
        decisions = self._play(*place, tree, self._path, *self._scratch, points, won, self._known, rows)
        return rows, int(decisions)
