"""Entry points for vector environments: many games that a caller steps together, with one action each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quadriga.engine.kernels.kernel import FlagRows, Flags, IntRows, Ints, ShortRows, kernel
from quadriga.engine.kernels.random_games import roll_to_decision
from quadriga.engine.kernels.rng import Rng, below, local, start
from quadriga.engine.kernels.slots import OVER, State, Tables, legal, observe_again, scores, step
from quadriga.engine.kernels.struct import Batch, Structured

if TYPE_CHECKING:
    from quadriga.engine.kernels.machine import Machine

ALL_LEGAL = -1
"""The result of `vector_check` if every action is legal."""


SHORT_MASK = 512
"""The length up to which it is faster to clear a mask than to remove its marks."""


class Vector(NamedTuple):
    """The arrays of a vector environment: its games, and the arrays that it returns."""

    tables: Batch[Tables]
    origin: Batch[State]
    batch: Batch[State]
    rngs: Batch[Rng]
    out: Ints
    weights: Ints
    seats: Ints  # the seat to decide; in a game that has ended, the seat that acted last
    masks: FlagRows  # the legal actions of that seat; they and the rows are not to be written to from outside
    listed: ShortRows  # ... the same as a list,
    counts: Ints  # ... and how many they are
    rows: ShortRows  # what that seat observes
    ended: Flags
    points: IntRows  # the scores of a game that has ended


def allocate(machine: Machine, tables: Structured, origin: Structured, seats: int, count: int) -> Vector:
    """Return the arrays for a number of games. `vector_seed` and `vector_deal` start the games."""
    game = machine.game
    out, weights = game.rules.scratch()
    arrays: dict[str, Any] = {
        "tables": tables,
        "origin": origin,
        "batch": machine.states(count),
        "rngs": np.zeros(count, Rng.dtype),
        "out": out,
        "weights": weights,
        "seats": np.zeros(count, np.int64),
        "masks": np.zeros((count, game.rules.actions), np.int8),
        "listed": np.zeros((count, game.rules.max_legal), np.int16),
        "counts": np.zeros(count, np.int64),
        "rows": np.zeros((count, game.rules.observation(seats)), np.int16),
        "ended": np.zeros(count, np.int8),
        "points": np.zeros((count, seats), np.int64),
    }
    return Vector(**arrays)


@kernel
def _list_legal(v: Vector, i: int, seat: int) -> None:
    """List and mark the legal actions of the seat to decide; none if the game is over.

    Of a long mask, only the marks of the last list are removed.
    """
    mask = v.masks[i]
    listed = v.listed[i]
    if len(mask) <= SHORT_MASK:
        for k in range(len(mask)):
            mask[k] = 0
    else:
        for k in range(v.counts[i]):
            mask[listed[k]] = 0
    n = 0
    if seat != OVER:
        n = legal(v.tables[0], v.batch[i], v.out)
    for k in range(n):
        listed[k] = v.out[k]
        mask[v.out[k]] = 1
    v.counts[i] = n


@kernel
def _deal(v: Vector, i: int) -> None:
    """Start one game. Its random stream continues."""
    t = v.tables[0]
    v.batch[i] = v.origin[0]
    v.seats[i] = roll_to_decision(t, v.batch[i], v.rngs[i], v.out, v.weights)
    _list_legal(v, i, v.seats[i])
    observe_again(t, v.batch[i], v.seats[i], v.rows[i])
    v.ended[i] = 0


@kernel
def vector_seed(rngs: Batch[Rng], seeds: Ints, which: Flags) -> None:
    """Set the generators of the marked games to the start of their seeds."""
    for i in range(len(which)):
        if which[i]:
            start(rngs[i], seeds[i], 0)


@kernel
def vector_deal(v: Vector, which: Flags) -> None:
    """Start the marked games."""
    for i in range(len(which)):
        if which[i]:
            _deal(v, i)


@kernel
def _is_legal(mask: Flags, action: int) -> bool:
    """Return whether a mask allows an action."""
    return action >= 0 and action < len(mask) and mask[action] == 1


@kernel
def vector_check(v: Vector, actions: Ints) -> int:
    """Return the number of the first game under way whose action is not legal, or ALL_LEGAL."""
    for i in range(len(actions)):
        if v.ended[i] == 0 and not _is_legal(v.masks[i], actions[i]):
            return i
    return ALL_LEGAL


@kernel
def vector_step(v: Vector, actions: Ints) -> int:
    """Play a legal action in every game under way and restart the games that have ended; return how many end now.

    A game that ends has its scores in `points`, an empty mask, and the observation of the seat that acted last.
    """
    t = v.tables[0]
    ends = 0
    for i in range(len(v.batch)):
        if v.ended[i]:
            _deal(v, i)
            continue
        s = v.batch[i]
        step(t, s, actions[i])
        seat = roll_to_decision(t, s, v.rngs[i], v.out, v.weights)
        _list_legal(v, i, seat)
        if seat == OVER:
            scores(t, s, v.points[i])
            v.ended[i] = 1
            ends += 1
        else:
            v.seats[i] = seat
        observe_again(t, s, v.seats[i], v.rows[i])
    return ends


@kernel
def vector_replace(v: Vector, actions: Ints) -> int:
    """Replace actions that are not legal by random legal ones; return how many."""
    replaced = 0
    for i in range(len(actions)):
        if v.ended[i] == 0 and not _is_legal(v.masks[i], actions[i]):
            actions[i] = v.listed[i][below(v.rngs[i], v.counts[i])]
            replaced += 1
    return replaced


@kernel
def vector_choose(v: Vector, rngs: Batch[Rng], seed: int, actions: Ints) -> None:
    """Write a random legal action for every game, by the stream of a seed; 0 where there is none."""
    rng = local(rngs[0])
    start(rng, seed, 0)
    for i in range(len(actions)):
        actions[i] = v.listed[i][below(rng, v.counts[i])] if v.counts[i] else 0
