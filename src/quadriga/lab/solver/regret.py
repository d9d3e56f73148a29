"""Measure exactly how much a player's moves lose, by tables of Ur.

The player plays both sides of whole games in compiled code, and does not look into the tables itself.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.engine.errors import OptionError
from quadriga.engine.kernels.compiler import Report
from quadriga.engine.kernels.drivers import roll_to_decision
from quadriga.engine.kernels.kernel import Function, IntRows, Ints, Values, kernel
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.record import Batch
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.kernels.slots import OVER, State, legal, step
from quadriga.games import find
from quadriga.games.ur.state import DONE, MOVE
from quadriga.games.ur.state import State as UrState
from quadriga.games.ur.state import Tables as UrTables
from quadriga.players.compiled_match import bot, decide
from quadriga.players.exact.ranking import SIDE, Ranks, layer, rank
from quadriga.players.exact.ranking_tables import ranking
from quadriga.players.exact.tables import ONE, Numbers, layer_values
from quadriga.players.levels import named
from quadriga.players.search import bindings, knowledge
from quadriga.players.search.workspace import Workspace, allocate

_DECISIONS = 0  # columns of a game's row: decisions with a choice,
_LOST = 1  # ... their total loss, in parts of `ONE`,
_WORST = 2  # ... and the largest loss
_COLUMNS = 3


class Regret(msgspec.Struct, frozen=True):
    """The chance lost per move: mean, standard error and maximum over decisions with a choice."""

    player: str
    rules: str
    markers: int
    games: int
    decisions: int
    mean: float
    error: float
    worst: float


class Exact(NamedTuple):
    """The exact values of all layers of a game."""

    ranks: Ranks
    base: Ints  # where each layer begins in the values
    values: Values


@kernel
def is_moving(s: UrState) -> bool:
    """Return whether a marker is to be moved. Jumps of the opening are in no table."""
    return s.phase == MOVE


@kernel
def table_value(t: UrTables, s: UrState, exact: Exact) -> int:
    """Return the chance of seat 0 in a position before a roll or at the end of the game."""
    if s.phase == DONE:
        return ONE if s.turn == 0 else 0
    me = s.turn & 1
    value = exact.values[exact.base[layer(t, s, me)] + rank(t, s, me, exact.ranks)]
    return value if me == 0 else ONE - value


@kernel
def chance_after(w: Workspace, exact: Exact, seat: int, action: int) -> int:
    """Return the chance of a seat after a move in the root position; the move is played in `work[0]`."""
    w.work[0] = w.root[0]
    step(w.tables[0], w.work[0], action)
    value = table_value(w.tables[0], w.work[0], exact)  # type: ignore[arg-type]
    return ONE - value if seat else value


@kernel
def _loss_of(w: Workspace, exact: Exact, seat: int, action: int) -> int:
    """Return how much chance a move in the root position loses against the best; -1 where there is no choice."""
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
    w: Workspace,
    origin: Batch[State],
    rngs: Batch[Rng],
    exact: Exact,
    seed: int,
    count: int,
    kind: int,
    without: int,
    budget: int,
    rows: IntRows,
) -> None:
    """Play games by one player and write the loss of its moves in each. The dice are those of an arena."""
    t = w.tables[0]
    s = w.root[0]
    for game in range(count):
        w.root[0] = origin[0]
        start(rngs[0], seed, 2 * game)
        start(rngs[1], seed, 2 * game + 1)
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


def all_layers(rules: str, markers: int) -> tuple[npt.NDArray[np.int64], Numbers]:
    """Return the index at which each layer of a game begins, and the values of all layers in one array."""
    base = np.zeros(SIDE * SIDE, np.int64)
    parts, total = [], 0
    for mine in range(1, markers + 1):
        for theirs in range(1, markers + 1):
            values = layer_values(rules, mine, theirs)
            if values is None:
                raise OptionError("solve.below", rules=rules, mine=mine, theirs=theirs)
            base[mine * SIDE + theirs] = total
            parts.append(values)
            total += len(values)
    return base, np.concatenate(parts)


def regret(
    name: str,
    markers: int,
    *,
    rules: str = "ben",
    games: int = 100,
    seed: int = 1,
    compiled: bool | None = None,
    known: npt.NDArray[np.int64] | None = None,
    report: Report | None = None,
) -> Regret:
    """Let a player play both sides of some games and look its moves up in tables.

    `known` replaces the network of the search player.
    """
    rows = np.zeros((games, _COLUMNS), np.int64)
    MeasuredPlayer(name, markers, rules, compiled, known, report).run(measure, seed, games, rows)
    return summarize(name, rules, markers, rows)


class MeasuredPlayer:
    """A player with a workspace, and the exact tables of a game."""

    def __init__(
        self,
        name: str,
        markers: int,
        rules: str,
        compiled: bool | None = None,
        known: npt.NDArray[np.int64] | None = None,
        report: Report | None = None,
    ) -> None:
        game = find("ur")
        player = bot(named(name), game)
        if player is None:
            raise OptionError("player.parameter", name="search", value=name, allowed="search:N")
        options, seats = game.resolve_options({"rules": rules, "markers": markers}, 2)
        base, values = all_layers(rules, markers)
        arrays: dict[str, Any] = {"ranks": ranking(rules).ranks, "base": base, "values": values}
        self._exact = Exact(**arrays)
        self._player = player
        self._machine = Machine(game, compiled=compiled, report=report, bindings=bindings(game))
        tables, self._origin = self._machine.records(options, seats)
        network = knowledge(game) if known is None else known.copy()
        self._workspace = allocate(self._machine, tables, seats, player.playouts, network)

    def run(self, driver: Function, seed: int, games: int, results: npt.NDArray[np.int64]) -> None:
        """Run a driver over some games of the player."""
        rngs = np.zeros(2, Rng.dtype)
        place = (self._workspace, self._origin, rngs, self._exact)
        self._machine.link(driver)(*place, seed, games, *self._player, results)


def summarize(name: str, rules: str, markers: int, rows: npt.NDArray[np.int64]) -> Regret:
    """Return the mean over all decisions. Its error is over games, since decisions of one game are correlated."""
    counts, loss = rows[:, _DECISIONS], rows[:, _LOST] / ONE
    decisions = int(counts.sum())
    mean = float(loss.sum()) / max(decisions, 1)
    error = math.sqrt(float(((loss - mean * counts) ** 2).sum())) / max(decisions, 1)
    return Regret(name, rules, markers, len(rows), decisions, mean, error, int(rows[:, _WORST].max()) / ONE)
