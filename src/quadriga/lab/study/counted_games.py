"""Play games in compiled code and count what happens in them, step by step.

A game's study fills two slots: `count_step` sees every step, and `standing` says how far ahead each seat is. Both
write integers into one row per game, whose parts `Layout` names.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from quadriga.engine.game import Game
from quadriga.engine.kernels.compiler import Report
from quadriga.engine.kernels.kernel import IntRows, Ints, kernel, slot
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.kernels.slots import (
    CHANCE,
    OVER,
    OWN_COUNTS,
    State,
    Tables,
    actor,
    legal,
    remember,
    roll,
    scores,
    step,
    tally,
)
from quadriga.engine.kernels.struct import Batch, Struct
from quadriga.engine.match.options import Options
from quadriga.engine.parts.study import Counts
from quadriga.players.compiled_match import SEARCH, Bot, decide
from quadriga.players.search import bindings, knowledge
from quadriga.players.search.think import think
from quadriga.players.search.workspace import SearchWorkspace, allocate

CHOICES = 0  # common counts after the scores: decisions with several legal actions,
LEGAL = 1  # ... legal actions of all decisions,
LEAD_CHANGES = 2
DECIDED = 3  # ... the decision after which the winner led to the end,
LED = 4  # ... and, per seat, the decisions after which it led; then the game's own counts

OWN = 0  # offsets in `CountArrays.at`: the first of the common counts; the blocks of the game's study follow
PARTS = 16


@slot
def count_step(t: Tables, before: State, s: State, seat: int, action: int, at: Ints, row: Ints) -> None:
    """Count the events of one step, from `before` to `s`, by a seat or by CHANCE. `before` may be overwritten."""
    raise NotImplementedError


@slot
def standing(t: Tables, s: State, out: Ints) -> None:
    """Write how far ahead each seat is; the seat with the largest number leads."""
    raise NotImplementedError


@kernel
def count_nothing(t: Tables, before: State, s: State, seat: int, action: int, at: Ints, row: Ints) -> None:
    """Count nothing: the watcher of a game without one."""


@kernel
def by_score(t: Tables, s: State, out: Ints) -> None:
    """Write the scores so far: the standing of a game without one."""
    scores(t, s, out)


@kernel
def no_search(w: SearchWorkspace, seed: int, budget: int) -> int:
    """Return the first legal action: the `think` of a study without search players, which never calls it."""
    return w.out[0]


class CountArrays(NamedTuple):
    """Arrays of the games that are played and counted one after another."""

    origin: Batch[State]
    before: Batch[State]
    rngs: Batch[Rng]  # chance, players
    kinds: IntRows  # by lineup and seat: RANDOM, GREEDY or SEARCH,
    without: IntRows  # ... the parts that the player leaves out,
    budgets: IntRows  # ... its playouts
    at: Ints
    since: Ints  # by seat: the decision since which it leads, or -1
    log: Ints  # the actions of the last game, as far as there is room; the first number is their count


@kernel
def _note_lead(w: SearchWorkspace, v: CountArrays, decisions: int, leader: int, row: Ints) -> int:
    """Count which seat leads after a decision; return the seat that was the last sole leader."""
    own = v.at[OWN]
    best = w.points[0]
    for i in range(len(w.points)):
        best = max(best, w.points[i])
    leaders = 0
    alone = 0
    for i in range(len(w.points)):
        if w.points[i] == best:
            leaders += 1
            alone = i
            if v.since[i] < 0:
                v.since[i] = decisions
            if decisions > 0:
                row[own + LED + i] += 1
        else:
            v.since[i] = -1
    if leaders > 1:
        return leader
    if leader >= 0 and leader != alone:
        row[own + LEAD_CHANGES] += 1
    return alone


@kernel
def _apply(w: SearchWorkspace, v: CountArrays, seat: int, action: int, row: Ints) -> None:
    """Apply an action or an outcome of chance, and count its events."""
    t = w.tables[0]
    s = w.root[0]
    if v.log[0] + 1 < len(v.log):
        v.log[0] += 1
        v.log[v.log[0]] = action
    v.before[0] = s
    noted = remember(t, s)
    step(t, s, action)
    tally(t, noted, s, action, row)
    count_step(t, v.before[0], s, seat, action, v.at, row)


@kernel
def _roll_to_decision(w: SearchWorkspace, v: CountArrays, row: Ints) -> int:
    """Roll and draw until a seat is to decide or the game is over; return the actor."""
    t = w.tables[0]
    s = w.root[0]
    seat = actor(t, s)
    while seat == CHANCE:
        row[1] += 1
        _apply(w, v, CHANCE, roll(t, s, v.rngs[0], w.out, w.weights), row)
        seat = actor(t, s)
    return seat


@kernel
def play_counted(
    w: SearchWorkspace, v: CountArrays, seed: int, first: int, count: int, lineups: int, streams: int, rows: IntRows
) -> None:
    """Play games number `first` and on; write a row of counts each. The rows are zero before.

    With one stream a game, chance and players share it, as in a simulation of random games. With two, chance has
    its own, as in an arena.
    """
    t = w.tables[0]
    s = w.root[0]
    own = v.at[OWN]
    seats = len(w.points)
    for game in range(count):
        row = rows[game]
        lineup = (first + game) % lineups
        w.root[0] = v.origin[0]
        for i in range(streams):
            start(v.rngs[i], seed, streams * (first + game) + i)
        v.log[0] = 0
        for i in range(seats):
            v.since[i] = -1
        seat = _roll_to_decision(w, v, row)
        standing(t, s, w.points)
        leader = _note_lead(w, v, 0, -1, row)
        while seat != OVER:
            n = legal(t, s, w.out)
            row[0] += 1
            row[own + LEGAL] += n
            if n > 1:
                row[own + CHOICES] += 1
            kinds = v.kinds[lineup]
            without = v.without[lineup]
            budgets = v.budgets[lineup]
            action = decide(w, v.rngs[streams - 1], n, kinds[seat], without[seat], budgets[seat])
            _apply(w, v, seat, action, row)
            seat = _roll_to_decision(w, v, row)
            if seat == OVER:
                scores(t, s, w.points)
            else:
                standing(t, s, w.points)
            leader = _note_lead(w, v, row[0], leader, row)
        for i in range(seats):
            row[own - seats + i] = w.points[i]
            row[own + DECIDED] = max(row[own + DECIDED], v.since[i])


class Layout:
    """The parts of a row: those of `random_games.measure`, the common ones, and the blocks of the game."""

    def __init__(self, game: Game, t: Struct, seats: int) -> None:
        self.game, self.t, self.seats = game, t, seats
        self.blocks = () if game.study is None else game.study.blocks
        self.measured = OWN_COUNTS + len(game.tallies) + seats  # columns that a simulation has as well
        sizes = [LED + seats, *(block.width * math.prod(block.shape(t, seats)) for block in self.blocks)]
        self.at = np.zeros(PARTS, np.int64)
        self.at[: len(sizes)] = self.measured + np.cumsum([0, *sizes[:-1]])
        self.width = self.measured + sum(sizes)

    def common(self, rows: Counts) -> Counts:
        """Return the counts that all games have."""
        first = int(self.at[OWN])
        return rows[:, first : first + LED + self.seats]

    def tallied(self, rows: Counts) -> dict[str, Counts]:
        """Return what `quadriga sim` counts as well, by name."""
        return {name: rows[:, OWN_COUNTS + number] for number, name in enumerate(self.game.tallies)}


def bound_slots(game: Game, *, searches: bool) -> dict[object, object]:
    """Return the kernel of each slot. Without search players there is less to compile."""
    study = game.study
    own: dict[object, object] = {
        count_step: (None if study is None else study.count_step) or count_nothing,
        standing: (None if study is None else study.standing) or by_score,
    }
    return {**bindings(game), **own, **({} if searches else {think: no_search, **game.rules.knowledge})}


class CountedGames:
    """Plays games of one setup between players that are kernels, and counts what happens."""

    def __init__(
        self,
        game: Game,
        options: Options,
        seats: int,
        lineups: Sequence[Sequence[Bot]],
        *,
        longest: int = 0,
        compiled: bool | None = None,
        report: Report | None = None,
    ) -> None:
        self._lineups = len(lineups)
        bots = [each for lineup in lineups for each in lineup]
        self._streams = 2 if any(each.kind for each in bots) else 1
        bound = bound_slots(game, searches=any(each.kind == SEARCH for each in bots))
        machine = Machine(game, compiled=compiled, report=report, bindings=bound)
        self._play = machine.link(play_counted)
        t, s = game.rules.new(options, seats)
        tables, origin = t.array(), s.array()
        self.layout = layout = Layout(game, t, seats)
        most = max(each.budget for each in bots)
        self._workspace = allocate(machine, tables, seats, most, knowledge(game, t))
        self.log = np.zeros(longest + 1, np.int64)
        numbers = np.array(lineups, np.int64).reshape(len(lineups), seats, 3)
        arrays: dict[str, Any] = {
            "origin": origin,
            "before": machine.states(1),
            "rngs": np.zeros(2, Rng.dtype),
            "kinds": np.ascontiguousarray(numbers[:, :, 0]),
            "without": np.ascontiguousarray(numbers[:, :, 1]),
            "budgets": np.ascontiguousarray(numbers[:, :, 2]),
            "at": layout.at,
            "since": np.zeros(seats, np.int64),
            "log": self.log,
        }
        self._arrays = CountArrays(**arrays)

    def play(self, seed: int, first: int, count: int) -> Counts:
        """Play games number `first` and on; return a row of counts each."""
        rows = np.zeros((count, self.layout.width), np.int64)
        self._play(self._workspace, self._arrays, seed, first, count, self._lineups, self._streams, rows)
        return rows
