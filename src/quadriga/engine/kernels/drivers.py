"""Drivers: kernels over the slots that play or measure random games of any game, and are linked per game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quadriga.engine.kernels.kernel import Flags, IntRows, Ints, kernel
from quadriga.engine.kernels.record import Batch
from quadriga.engine.kernels.rng import Rng, below, start
from quadriga.engine.kernels.slots import CHANCE, OVER, State, Tables, actor, legal, roll, scores, step, tally

if TYPE_CHECKING:
    from quadriga.engine.kernels.machine import Machine
    from quadriga.engine.match.options import Options


class Workspace(NamedTuple):
    """Arrays for games that are played one after another in `work[0]`, each from the same first position."""

    tables: Batch[Tables]
    origin: Batch[State]
    work: Batch[State]
    rngs: Batch[Rng]
    out: Ints  # legal actions or outcomes
    weights: Ints
    points: Ints  # the score of each seat


def allocate(machine: Machine, options: Options, seats: int) -> Workspace:
    """Return a workspace for games with these options."""
    tables, origin = machine.records(options, seats)
    out, weights = machine.game.scratch()
    arrays: dict[str, Any] = {
        "tables": tables,
        "origin": origin,
        "work": machine.states(2),
        "rngs": np.zeros(1, Rng.dtype),
        "out": out,
        "weights": weights,
        "points": np.zeros(seats, np.int64),
    }
    return Workspace(**arrays)


@kernel
def roll_to_decision(t: Tables, s: State, rng: Rng, out: Ints, weights: Ints) -> int:
    """Roll and draw until a seat is to decide or the game is over; return the actor."""
    seat = actor(t, s)
    while seat == CHANCE:
        step(t, s, roll(t, s, rng, out, weights))
        seat = actor(t, s)
    return seat


@kernel
def playouts(w: Workspace, seed: int, first: int, count: int, totals: Ints) -> int:
    """Play random games number `first` and on; add up their scores and return the number of decisions."""
    t = w.tables[0]
    s = w.work[0]
    rng = w.rngs[0]
    out = w.out
    decisions = 0
    for game in range(first, first + count):
        w.work[0] = w.origin[0]
        start(rng, seed, game)
        while roll_to_decision(t, s, rng, out, w.weights) != OVER:
            n = legal(t, s, out)
            step(t, s, out[below(rng, n)])
            decisions += 1
        scores(t, s, w.points)
        for seat in range(len(w.points)):
            totals[seat] += w.points[seat]
    return decisions


@kernel
def measure(w: Workspace, seed: int, first: int, count: int, counts: Ints, results: IntRows) -> None:
    """Play random games number `first` and on; write the measurements of each into a row of `results`.

    A row holds the decisions, the outcomes of chance, the score of each seat, then the game's own tallies.
    """
    t = w.tables[0]
    s = w.work[0]
    before = w.work[1]
    rng = w.rngs[0]
    points = w.points
    for game in range(count):
        w.work[0] = w.origin[0]
        start(rng, seed, first + game)
        row = results[game]
        for i in range(len(row)):
            row[i] = 0
        for i in range(len(counts)):
            counts[i] = 0
        seat = actor(t, s)
        while seat != OVER:
            if seat == CHANCE:
                action = roll(t, s, rng, w.out, w.weights)
                row[1] += 1
            else:
                n = legal(t, s, w.out)
                action = w.out[below(rng, n)]
                row[0] += 1
            w.work[1] = w.work[0]
            step(t, s, action)
            tally(t, before, s, action, counts)
            seat = actor(t, s)
        scores(t, s, points)
        for i in range(len(points)):
            row[2 + i] = points[i]
        for i in range(len(counts)):
            row[2 + len(points) + i] = counts[i]


@kernel
def mark_legal(t: Tables, s: State, seat: int, out: Ints, mask: Flags) -> None:
    """Mark the legal actions of the seat to decide in `mask`; none if the game is over."""
    for action in range(len(mask)):
        mask[action] = 0
    if seat >= 0:
        for i in range(legal(t, s, out)):
            mask[out[i]] = 1
