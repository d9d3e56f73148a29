"""Entry points for vector environments: many games that a caller steps together, with one action each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quadriga.engine.kernels.kernel import FlagRows, Flags, IntRows, Ints, ShortRows, kernel
from quadriga.engine.kernels.random_games import mark_legal, roll_to_decision
from quadriga.engine.kernels.rng import Rng, below, start
from quadriga.engine.kernels.slots import OVER, State, Tables, observe, scores, step
from quadriga.engine.kernels.struct import Batch, Structured

if TYPE_CHECKING:
    from quadriga.engine.kernels.machine import Machine

ALL_LEGAL = -1
"""The result of `vector_check` if every action is legal."""


class Vector(NamedTuple):
    """The arrays of a vector environment: its games, and the arrays that it returns."""

    tables: Batch[Tables]
    origin: Batch[State]
    batch: Batch[State]
    rngs: Batch[Rng]
    out: Ints
    weights: Ints
    seats: Ints  # the seat to decide; in a game that has ended, the seat that acted last
    masks: FlagRows  # the legal actions of that seat
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
        "rows": np.zeros((count, game.rules.observation(seats)), np.int16),
        "ended": np.zeros(count, np.int8),
        "points": np.zeros((count, seats), np.int64),
    }
    return Vector(**arrays)


@kernel
def _deal(v: Vector, i: int) -> None:
    """Start one game. Its random stream continues."""
    t = v.tables[0]
    v.batch[i] = v.origin[0]
    v.seats[i] = roll_to_decision(t, v.batch[i], v.rngs[i], v.out, v.weights)
    mark_legal(t, v.batch[i], v.seats[i], v.out, v.masks[i])
    observe(t, v.batch[i], v.seats[i], v.rows[i])
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
        mark_legal(t, s, seat, v.out, v.masks[i])
        if seat == OVER:
            scores(t, s, v.points[i])
            v.ended[i] = 1
            ends += 1
        else:
            v.seats[i] = seat
        observe(t, s, v.seats[i], v.rows[i])
    return ends


@kernel
def _pick(mask: Flags, n: int) -> int:
    """Return the n-th legal action, counted from 0, or 0 if there are fewer."""
    left = n
    for action in range(len(mask)):
        if mask[action] == 1:
            if left == 0:
                return action
            left -= 1
    return 0


@kernel
def _count(mask: Flags) -> int:
    """Return how many actions are legal."""
    n = 0
    for action in range(len(mask)):
        n += mask[action]
    return n


@kernel
def vector_replace(v: Vector, actions: Ints) -> int:
    """Replace actions that are not legal by random legal ones; return how many."""
    replaced = 0
    for i in range(len(actions)):
        if v.ended[i] == 0 and not _is_legal(v.masks[i], actions[i]):
            actions[i] = _pick(v.masks[i], below(v.rngs[i], _count(v.masks[i])))
            replaced += 1
    return replaced


@kernel
def vector_choose(masks: FlagRows, draws: Ints, actions: Ints) -> None:
    """Write a legal action for every game, by a random number of 31 bits; 0 where there is none."""
    for i in range(len(actions)):
        actions[i] = _pick(masks[i], (draws[i] * _count(masks[i])) >> 31)
