"""Play games between players that are kernels, entirely in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from quadriga.engine.game import Game
from quadriga.engine.kernels.compiler import Report
from quadriga.engine.kernels.kernel import IntRows, Ints, kernel
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.random_games import roll_to_decision
from quadriga.engine.kernels.rng import Rng, below, draw, start
from quadriga.engine.kernels.slots import OVER, State, advise, exploit, legal, scores, step
from quadriga.engine.kernels.struct import Batch, Structured
from quadriga.engine.match.options import Options
from quadriga.engine.parts.bots import FIRST_TEMPER
from quadriga.players.exploiter import habit_of
from quadriga.players.greedy import habits, left_out
from quadriga.players.levels import named
from quadriga.players.search import bindings, knowledge
from quadriga.players.search.parameters import budget, temper_of, uses_network
from quadriga.players.search.search_slots import building, unsearched
from quadriga.players.search.think import think
from quadriga.players.search.workspace import SearchWorkspace, allocate

RANDOM = 0
GREEDY = 1
SEARCH = 2
EXPLOITER = 3

NO_NETWORK = 1  # bits of a search: it does not use the network,
TEMPERS = -1 << FIRST_TEMPER  # ... and its temper


@kernel
def decide(w: SearchWorkspace, rng: Rng, n: int, kind: int, without: int, budget: int) -> int:
    """Return the action of a player in the root position, with its n legal actions in `out`.

    The budget of a search is its playouts, that of rules of thumb their slips per cent.
    """
    t = w.tables[0]
    if kind == RANDOM:
        return w.out[below(rng, n)]
    if kind == EXPLOITER:
        return exploit(t, w.root[0], rng, w.out, n, without)
    if kind != SEARCH:
        return advise(t, w.root[0], rng, w.out, n, left_out(rng, without, budget))
    if n == 1 or building(t, w.root[0]) or unsearched(t, w.root[0]):
        return advise(t, w.root[0], rng, w.out, n, without & TEMPERS)
    seed = draw(rng)
    units = w.known[0]
    w.manner[0] = without & TEMPERS
    if without & NO_NETWORK:
        w.known[0] = 0  # this player does not use the network
    action = think(w, seed, budget)
    w.known[0] = units
    return action


@kernel
def contest(
    w: SearchWorkspace,
    origin: Batch[State],
    rngs: Batch[Rng],
    seed: int,
    first: int,
    count: int,
    kinds: Ints,
    without: Ints,
    budgets: Ints,
    results: IntRows,
) -> int:
    """Play games number `first` and on, seat i by `kinds[i]`; write a row of scores each; return the decisions.

    Chance has the stream `rngs[0]` and players have `rngs[1]`, so the dice of a game depend on its number alone.
    """
    t = w.tables[0]
    s = w.root[0]
    decisions = 0
    for game in range(count):
        w.root[0] = origin[0]
        start(rngs[0], seed, 2 * (first + game))
        start(rngs[1], seed, 2 * (first + game) + 1)
        seat = roll_to_decision(t, s, rngs[0], w.out, w.weights)
        while seat != OVER:
            n = legal(t, s, w.out)
            step(t, s, decide(w, rngs[1], n, kinds[seat], without[seat], budgets[seat]))
            decisions += 1
            seat = roll_to_decision(t, s, rngs[0], w.out, w.weights)
        scores(t, s, w.points)
        for i in range(len(w.points)):
            results[game][i] = w.points[i]
    return decisions


class Bot(NamedTuple):
    """A player in compiled code: its kind, the parts that it leaves out as bits, and its playouts or slips.

    An exploiter has its habit instead of parts.
    """

    kind: int
    without: int
    budget: int


def bot(text: str, game: Game) -> Bot | None:
    """Return a player by name; None if it cannot run in compiled code, as a search limited by time cannot."""
    name, _, parameters = named(text, game).partition(":")
    if name == "random" and not parameters:
        return Bot(RANDOM, 0, 0)
    if name == "greedy":
        return Bot(GREEDY, *habits(game, parameters))
    if name == "exploiter":
        return Bot(EXPLOITER, habit_of(game, parameters), 0)
    if name == "search" and (playouts := budget(parameters)[0]):
        return Bot(SEARCH, temper_of(game, parameters) | (0 if uses_network(parameters) else NO_NETWORK), playouts)
    return None


class CompiledMatch:
    """Plays games of one setup between players that are kernels, in its own workspace."""

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
        self._machine = Machine(
            game, compiled=compiled, boundscheck=boundscheck, report=report, bindings=bindings(game)
        )
        self._play = self._machine.link(contest)
        t, s = game.rules.new(options, seats)
        self._tables, self._origin = t.array(), s.array()
        self._rngs = np.zeros(2, Rng.dtype)
        self._known = knowledge(game, t)
        self.final: Structured = self._machine.states(1)  # the position at the end of the last game played

    def play(self, bots: Sequence[Bot], seed: int, first: int, count: int) -> tuple[npt.NDArray[np.int64], int]:
        """Play games number `first` and on; return the scores, a row a game, and the number of decisions."""
        kinds, without, budgets = (np.array(column, np.int64) for column in zip(*bots, strict=True))
        workspace = allocate(self._machine, self._tables, self.seats, int(budgets.max()), self._known)
        self.final = cast("Structured", workspace.root)
        rows = np.zeros((count, self.seats), np.int64)
        decisions = self._play(
            workspace, self._origin, self._rngs, seed, first, count, kinds, without, budgets, rows
        )
        return rows, int(decisions)
