"""A bot beside the exact tables of Ur, for measurements in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quadriga.engine.errors import OptionError
from quadriga.engine.kernels.compiler import Report, is_available
from quadriga.engine.kernels.kernel import Function, Ints, Values, kernel
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.rng import Rng
from quadriga.engine.kernels.slots import step
from quadriga.games import find
from quadriga.games.ur.state import DONE, MOVE
from quadriga.games.ur.state import State as UrState
from quadriga.games.ur.state import Tables as UrTables
from quadriga.lab.executors.chunks import Chunk, Executor, Failure, cut
from quadriga.lab.executors.local import LocalExecutor
from quadriga.lab.solver.solve import available_cores
from quadriga.players.compiled_match import SEARCH, Bot, bot
from quadriga.players.exact.ranking import SIDE, Ranks, layer, rank
from quadriga.players.exact.ranking_tables import ranking
from quadriga.players.exact.tables import ONE, Numbers, layer_values
from quadriga.players.search import bindings, knowledge
from quadriga.players.search.workspace import SearchWorkspace, allocate

_UNIT = 2  # games in the smallest chunk: perfect play meets a bot in pairs of games
_FAST_UNIT = 64  # ... where a bot does not search


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
    """Return the exact win probability of seat 0 in a position before a roll or at the end, in parts of `ONE`."""
    if s.phase == DONE:
        return ONE if s.turn == 0 else 0
    me = s.turn & 1
    value = exact.values[exact.base[layer(t, s, me)] + rank(t, s, me, exact.ranks)]
    return value if me == 0 else ONE - value


@kernel
def chance_after(w: SearchWorkspace, exact: Exact, seat: int, action: int) -> int:
    """Return a seat's exact win probability after a move in the root position; the move is played in `work[0]`."""
    w.work[0] = w.root[0]
    step(w.tables[0], w.work[0], action)
    value = table_value(w.tables[0], w.work[0], exact)  # type: ignore[arg-type]
    return ONE - value if seat else value


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


def exact_values(rules: str, base: npt.NDArray[np.int64], values: Numbers) -> Exact:
    """Return the exact values that `all_layers` gives, as kernels take them."""
    arrays: dict[str, Any] = {"ranks": ranking(rules).ranks, "base": base, "values": values}
    return Exact(**arrays)


class MeasuredPlayer:
    """A bot, and the exact tables of a game of Ur. The bot does not use the tables itself."""

    def __init__(
        self,
        name: str,
        markers: int,
        *,
        rules: str = "ben",
        compiled: bool | None = None,
        executor: Executor | None = None,
        report: Report | None = None,
    ) -> None:
        self.name, self.markers, self.rules = name, markers, rules
        player = bot(name, find("ur"))
        if player is None:
            raise OptionError("player.parameter", name="search", value=name, allowed="search:N")
        self._player = player
        self._base, self._values = all_layers(rules, markers)
        self._compiled = is_available() if compiled is None else compiled
        self._executor = executor or LocalExecutor(available_cores() if self._compiled else 1)
        self._report = report

    def run(
        self, entry: Function, seed: int, games: int, columns: int
    ) -> tuple[npt.NDArray[np.int64], list[Failure]]:
        """Run an entry point over some games of the bot; return a row for each game played, and what failed."""
        setup = {"rules": self.rules, "markers": self.markers}
        job = MeasureJob(entry, columns, seed, self._player, setup, self._base, self._values, self._compiled)
        size = self._executor.chunk_size(games, _UNIT if self._player.kind == SEARCH else _FAST_UNIT)
        run = self._executor.start(job, self._report)
        is_done = False
        try:
            parts = list(run.map(cut(0, games, size)))
            is_done = True
        finally:
            run.close(wait=is_done)
        rows = [part for part in parts if not isinstance(part, Failure)]
        found = np.concatenate(rows) if rows else np.zeros((0, columns), np.int64)
        return found, [part for part in parts if isinstance(part, Failure)]


@dataclass(frozen=True)
class MeasureJob:
    """The games of a bot that an entry point measures, for an executor. It carries the read-only tables."""

    entry: Function
    columns: int
    seed: int
    player: Bot
    setup: dict[str, object]
    base: npt.NDArray[np.int64]
    values: Numbers
    is_compiled: bool

    def start(self, report: Report | None = None) -> Callable[[Chunk], npt.NDArray[np.int64]]:
        """Return a function that measures games and returns a row for each."""
        game = find("ur")
        options, seats = game.resolve_options(self.setup, 2)
        machine = Machine(game, compiled=self.is_compiled, report=report, bindings=bindings(game))
        # Without the check of types, which refuses arrays that cannot be written: those of other processes.
        entry = machine.link_unchecked(self.entry)
        t, s = game.rules.new(options, seats)
        workspace = allocate(machine, t.array(), seats, self.player.budget, knowledge(game, t))
        exact = exact_values(str(self.setup["rules"]), self.base, self.values)
        place = (workspace, s.array(), np.zeros(2, Rng.dtype), exact)

        def play(chunk: Chunk) -> npt.NDArray[np.int64]:
            rows = np.zeros((chunk.count, self.columns), np.int64)
            entry(*place, self.seed, chunk.first, chunk.count, *self.player, rows)
            return rows

        return play
