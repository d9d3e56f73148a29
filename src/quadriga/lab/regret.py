"""How much a player's moves lose, exactly: measured against tables in games of Ur that they cover.

The player has both sides of whole games, played in compiled code, and does not look into the tables itself.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.engine.compiler import Report
from quadriga.engine.drivers import settle
from quadriga.engine.errors import OptionError
from quadriga.engine.kernel import IntRows, Ints, Values, kernel
from quadriga.engine.machine import Machine
from quadriga.engine.record import Batch
from quadriga.engine.rng import Rng, below, draw, start
from quadriga.engine.slots import OVER, State, Tables, advise, legal, step
from quadriga.games import find
from quadriga.games.ur.state import DONE, MOVE
from quadriga.games.ur.state import State as UrState
from quadriga.games.ur.state import Tables as UrTables
from quadriga.players.contest import RANDOM, SEARCH, bot
from quadriga.players.exact.ranking import SIDE, layer, rank, ranking
from quadriga.players.exact.tables import ONE, Numbers, found
from quadriga.players.levels import named
from quadriga.players.search import filling, knowledge
from quadriga.players.search.think import POSITIONS, ROOM, ROWS, WAYS, think
from quadriga.players.search.tree import FIELDS

_DECISIONS = 0  # what is kept of a game: decisions with a choice,
_LOST = 1  # ... what they lost in all, in parts of `ONE`,
_WORST = 2  # ... and at the worst
_KEPT = 3


class Regret(msgspec.Struct, frozen=True):
    """Chances lost a move, on average with its standard error and at the worst, over decisions with a choice."""

    player: str
    rules: str
    markers: int
    games: int
    decisions: int
    mean: float
    error: float
    worst: float


@kernel
def moving(s: UrState) -> bool:
    """Whether a marker is to be moved; jumps of the opening are in no table."""
    return s.phase == MOVE


@kernel
def looked_up(t: UrTables, s: UrState, keys: Ints, before: Ints, base: Ints, values: Values) -> int:
    """The chance of seat 0 in a position that is to be rolled in, or is over; `base` says where layers begin."""
    if s.phase == DONE:
        return ONE if s.turn == 0 else 0
    me = s.turn & 1
    value = values[base[layer(t, s, me)] + rank(t, s, me, keys, before)]
    return value if me == 0 else ONE - value


@kernel
def _lost(
    t: Tables,
    work: Batch[State],
    seat: int,
    action: int,
    out: Ints,
    keys: Ints,
    before: Ints,
    base: Ints,
    values: Values,
) -> int:
    """What a move in `work[0]` loses against the best; `work[1]` is room. -1 where there is no choice."""
    n = legal(t, work[0], out)
    best = 0
    chosen = 0
    for i in range(n):
        work[1] = work[0]
        step(t, work[1], out[i])
        value = looked_up(t, work[1], keys, before, base, values)  # type: ignore[arg-type]
        if seat:
            value = ONE - value
        best = max(best, value)
        if out[i] == action:
            chosen = value
    return best - chosen if n > 1 else -1


@kernel
def decided(
    tables: Batch[Tables],
    work: Batch[State],
    rngs: Batch[Rng],
    n: int,
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
) -> int:
    """What a player does in `work[0]`, with n actions in `out`; its chance is `rngs[1]`."""
    if kind == RANDOM:
        return out[below(rngs[1], n)]
    if kind != SEARCH:
        return advise(tables[0], work[0], rngs[1], out, n, without)
    if n == 1:
        return out[0]
    mixed = draw(rngs[1])
    return think(tables, work, 0, work, 1, rngs, 2, mixed, budget, tree, path, out, weights, points, won, known)


@kernel
def measure(
    tables: Batch[Tables],
    origin: Batch[State],
    work: Batch[State],
    rngs: Batch[Rng],
    seed: int,
    first: int,
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
    kept: IntRows,
) -> None:
    """Games number `first` and on by one player, and what its moves lost in each; the dice are an arena's."""
    t = tables[0]
    s = work[0]
    for game in range(count):
        work[0] = origin[0]
        start(rngs[0], seed, 2 * (first + game))
        start(rngs[1], seed, 2 * (first + game) + 1)
        seat = settle(t, s, rngs[0], out, weights)
        while seat != OVER:
            n = legal(t, s, out)
            action = decided(
                tables, work, rngs, n, kind, without, budget, tree, path, out, weights, points, won, known
            )
            if moving(s):  # type: ignore[arg-type]
                lost = _lost(t, work, seat, action, out, keys, before, base, values)
                if lost >= 0:
                    kept[game][_DECISIONS] += 1
                    kept[game][_LOST] += lost
                    kept[game][_WORST] = max(kept[game][_WORST], lost)
            step(t, s, action)
            seat = settle(t, s, rngs[0], out, weights)


def all_layers(rules: str, markers: int) -> tuple[npt.NDArray[np.int64], Numbers]:
    """The values of all layers of a game in one array, and where each begins."""
    base = np.zeros(SIDE * SIDE, np.int64)
    parts, total = [], 0
    for mine in range(1, markers + 1):
        for theirs in range(1, markers + 1):
            values = found(rules, mine, theirs)
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
    """Let a player play both sides of some games and look its moves up in tables; `known` is another network."""
    bench = Bench(name, markers, rules, compiled, known, report)
    kept = np.zeros((games, _KEPT), np.int64)
    bench.machine.link(measure)(*bench.place, seed, 0, games, *bench.player, *bench.lent, kept)
    return summed(name, rules, markers, kept)


class Bench:
    """A player, room for it to think in, and the tables of a game."""

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
        options, seats = game.settle({"rules": rules, "markers": markers}, 2)
        base, values = all_layers(rules, markers)
        ranks = ranking(rules)
        self.player = player
        self.machine = Machine(game, compiled=compiled, report=report, filling=filling(game))
        tree = np.zeros((FIELDS, max(player.playouts + 1, ROOM)), np.int64)
        path = np.zeros((ROWS, WAYS), np.int64)
        points, won = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
        learned = knowledge(game) if known is None else known.copy()
        if player.without and player.kind == SEARCH:
            learned[0] = 0
        records = self.machine.records(options, seats)
        self.place = (*records, self.machine.states(1 + POSITIONS), np.zeros(3, Rng.dtype))
        lent = (ranks.keys, ranks.before, base, values)
        self.lent = (tree, path, *game.scratch(), points, won, learned, *lent)


def summed(name: str, rules: str, markers: int, kept: npt.NDArray[np.int64]) -> Regret:
    """The mean over all decisions; games are independent of each other, decisions of one game are not."""
    counts, lost = kept[:, _DECISIONS], kept[:, _LOST] / ONE
    decisions = int(counts.sum())
    mean = float(lost.sum()) / max(decisions, 1)
    error = math.sqrt(float(((lost - mean * counts) ** 2).sum())) / max(decisions, 1)
    return Regret(name, rules, markers, len(kept), decisions, mean, error, int(kept[:, _WORST].max()) / ONE)
