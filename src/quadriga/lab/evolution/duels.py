"""Games between bots that play by the same rules of thumb, with two different sets of values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from quadriga.engine.kernels.compiler import Report
from quadriga.engine.kernels.kernel import IntRows, Ints, kernel
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.random_games import roll_to_decision
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.kernels.slots import OVER, State, Tables, advise, legal, scores, step
from quadriga.engine.kernels.struct import Batch
from quadriga.games import find
from quadriga.lab.executors.chunks import Chunk
from quadriga.players.search.playout import ONE, utilities

SPREAD = 0.2  # of a change: about a fifth of each value

Setup = tuple[Mapping[str, object], int, int]
Numbers = npt.NDArray[np.int64]


@kernel
def duel(
    tables: Batch[Tables],
    origin: Batch[State],
    work: Batch[State],
    rngs: Batch[Rng],
    out: Ints,
    weights: Ints,
    points: Ints,
    won: Ints,
    seed: int,
    count: int,
    lineups: IntRows,
    rows: int,
    totals: Ints,
) -> None:
    """Play every lineup `count` times, seat i by the values of `tables[lineup[i]]`; add up what each side wins.

    `totals` gets the utility of the seats of side 0, of those of side 1, and how many seats each had. The lineups
    have the same dice.
    """
    t = tables[0]
    s = work[0]
    seats = len(points)
    for game in range(count * rows):
        sides = lineups[game % rows]
        work[0] = origin[0]
        start(rngs[0], seed, 2 * (game // rows))
        start(rngs[1], seed, 2 * game + 1)
        seat = roll_to_decision(t, s, rngs[0], out, weights)
        while seat != OVER:
            step(t, s, advise(tables[sides[seat]], s, rngs[1], out, legal(t, s, out), 0))
            seat = roll_to_decision(t, s, rngs[0], out, weights)
        scores(t, s, points)
        utilities(points, won)
        for i in range(seats):
            totals[sides[i]] += won[i]
            totals[2 + sides[i]] += 1


@cache
def halves(seats: int) -> Numbers:
    """Return the lineups in which both sides have half of the seats, with an odd one for either in turn."""
    rows = []
    for size in {seats // 2, seats - seats // 2}:
        rows += [[0 if seat in side else 1 for seat in range(seats)] for side in combinations(range(seats), size)]
    return np.array(rows, np.int64)


def one_against_all(seats: int) -> Numbers:
    """Return the lineups in which side 0 has one seat."""
    return 1 - np.eye(seats, dtype=np.int64)


class Duels:
    """Plays duels of one game."""

    def __init__(self, game: str, *, compiled: bool | None = None, report: Report | None = None) -> None:
        self.game = find(game)
        self._machine = Machine(self.game, compiled=compiled, report=report)
        self._run = self._machine.link(duel)

    def lead(self, setup: Setup, sides: Sequence[Numbers], lineups: Numbers, seed: int, count: int) -> float:
        """Return by how much of a won game a seat of side 0 does better than one of side 1."""
        options, seats = self.game.resolve_options(setup[0], setup[1])
        t, s = self.game.rules.new(options, seats)
        tables = np.concatenate([t.array(), t.array()])
        for side, values in enumerate(sides):
            tables["values"][side, : len(values)] = values
        totals = np.zeros(4, np.int64)
        self._run(
            tables,
            s.array(),
            self._machine.states(1),
            np.zeros(2, Rng.dtype),
            *self.game.rules.scratch(),
            np.zeros(seats, np.int64),
            np.zeros(seats, np.int64),
            seed,
            count,
            lineups,
            len(lineups),
            totals,
        )
        return float(totals[0] / totals[2] - totals[1] / totals[3]) / ONE


@cache
def _duels(game: str, compiled: bool, report: Report | None) -> Duels:
    """Return the duels of a game. They are linked once, and may be played in several threads at the same time."""
    return Duels(game, compiled=compiled, report=report)


@dataclass(frozen=True)
class DuelJob:
    """The duels of one round, for an executor. A chunk is a pair of opposite changes of the values."""

    game: str
    logs: npt.NDArray[np.float64]  # natural logarithms of the values
    seed: int
    round: int
    games: int  # of each duel, at least
    setups: tuple[Setup, ...]
    is_compiled: bool

    def start(self, report: Report | None = None) -> Callable[[Chunk], float]:
        """Return the function that plays one duel and returns the lead of the first change."""
        duels = _duels(self.game, self.is_compiled, report)
        shares = np.array([weight for *_, weight in self.setups], np.float64)

        def play(chunk: Chunk) -> float:
            rng = np.random.default_rng([self.seed, self.round, chunk.first])
            change = change_of(self.seed, self.round, chunk.first, len(self.logs))
            setup = self.setups[int(rng.choice(len(self.setups), p=shares / shares.sum()))]
            lineups = halves(setup[1])
            sides = [numbers(self.logs + change), numbers(self.logs - change)]
            count = -(-self.games // len(lineups))
            return duels.lead(setup, sides, lineups, int(rng.integers(1 << 40)), count)

        return play


def change_of(seed: int, round: int, pair: int, length: int) -> npt.NDArray[np.float64]:
    """Return a random change of the logarithms of the values."""
    rng = np.random.default_rng([seed, round, pair, 1])
    change: npt.NDArray[np.float64] = SPREAD * rng.standard_normal(length)
    return change


def numbers(logs: npt.NDArray[np.float64]) -> Numbers:
    """Return the values with these logarithms."""
    return np.rint(np.exp(logs)).astype(np.int64)
