"""Random games of any game, played and measured by kernels over the slots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quadriga.engine.kernels.kernel import IntRows, Ints, kernel
from quadriga.engine.kernels.rng import Rng, local, start
from quadriga.engine.kernels.slots import CHANCE, State, Tables, actor, playout, roll, scores, step
from quadriga.engine.kernels.struct import Batch

if TYPE_CHECKING:
    from quadriga.engine.kernels.machine import Machine
    from quadriga.engine.match.options import Options


class GamesWorkspace(NamedTuple):
    """Arrays for games that are played one after another in `work[0]`, each from the same first position."""

    tables: Batch[Tables]
    origin: Batch[State]
    work: Batch[State]
    rngs: Batch[Rng]
    out: Ints  # legal actions or outcomes
    weights: Ints
    points: Ints  # the score of each seat


def allocate(machine: Machine, options: Options, seats: int) -> GamesWorkspace:
    """Return a workspace for games with these options."""
    tables, origin = machine.structs(options, seats)
    out, weights = machine.game.rules.scratch()
    arrays: dict[str, Any] = {
        "tables": tables,
        "origin": origin,
        "work": machine.states(1),
        "rngs": np.zeros(1, Rng.dtype),
        "out": out,
        "weights": weights,
        "points": np.zeros(seats, np.int64),
    }
    return GamesWorkspace(**arrays)


@kernel
def roll_to_decision(t: Tables, s: State, rng: Rng, out: Ints, weights: Ints) -> int:
    """Roll and draw until a seat is to decide or the game is over; return the actor."""
    seat = actor(t, s)
    while seat == CHANCE:
        step(t, s, roll(t, s, rng, out, weights))
        seat = actor(t, s)
    return seat


@kernel
def measure(w: GamesWorkspace, seed: int, first: int, count: int, results: IntRows) -> None:
    """Play random games number `first` and on; write the measurements of each into a row of `results`.

    A row holds the decisions, the outcomes of chance, the game's own tallies, then the score of each seat.
    """
    t = w.tables[0]
    s = w.work[0]
    rng = local(w.rngs[0])
    seats = len(w.points)
    for game in range(count):
        w.work[0] = w.origin[0]
        start(rng, seed, first + game)
        row = results[game]
        tallies = len(row) - seats
        for i in range(tallies):
            row[i] = 0
        playout(t, s, rng, w.out, w.weights, row)
        scores(t, s, w.points)
        for seat in range(seats):
            row[tallies + seat] = w.points[seat]
