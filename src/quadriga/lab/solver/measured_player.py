"""A bot beside the exact tables of Ur, for measurements in compiled code."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quadriga.engine.errors import OptionError
from quadriga.engine.kernels.compiler import Report
from quadriga.engine.kernels.kernel import Function, Ints, Values, kernel
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.rng import Rng
from quadriga.engine.kernels.slots import step
from quadriga.games import find
from quadriga.games.ur.state import DONE, MOVE
from quadriga.games.ur.state import State as UrState
from quadriga.games.ur.state import Tables as UrTables
from quadriga.players.compiled_match import bot
from quadriga.players.exact.ranking import SIDE, Ranks, layer, rank
from quadriga.players.exact.ranking_tables import ranking
from quadriga.players.exact.tables import ONE, Numbers, layer_values
from quadriga.players.levels import named
from quadriga.players.search import bindings, knowledge
from quadriga.players.search.workspace import Workspace, allocate


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


class MeasuredPlayer:
    """A bot with a workspace, and the exact tables of a game of Ur. The bot does not use the tables itself."""

    def __init__(
        self,
        name: str,
        markers: int,
        *,
        rules: str = "ben",
        compiled: bool | None = None,
        report: Report | None = None,
    ) -> None:
        self.name, self.markers, self.rules = name, markers, rules
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
        self._workspace = allocate(self._machine, tables, seats, player.playouts, knowledge(game))

    def run(self, driver: Function, seed: int, games: int, results: npt.NDArray[np.int64]) -> None:
        """Run a driver over some games of the bot."""
        rngs = np.zeros(2, Rng.dtype)
        place = (self._workspace, self._origin, rngs, self._exact)
        self._machine.link(driver)(*place, seed, games, *self._player, results)
