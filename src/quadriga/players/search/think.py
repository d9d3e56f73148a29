"""Thinking about one decision: by tree search, or by expectimax where a game is open and can be evaluated."""

from __future__ import annotations

from quadriga.engine.kernel import IntRows, Ints, kernel, slot
from quadriga.engine.record import Batch
from quadriga.engine.rng import Rng
from quadriga.engine.slots import State, Tables, advise, legal
from quadriga.players.search.expect import LEVELS, WIDE, deepen
from quadriga.players.search.tree import choice, grow, plant

POSITIONS = LEVELS + 2  # positions that thinking needs room for,
ROOM = LEVELS * WIDE + 1  # ... numbers in every row of its tree at the least,
WAYS = 1024  # ... and in every row of a path
ROWS = 3


@slot
def think(
    tables: Batch[Tables],
    origin: Batch[State],
    at: int,
    work: Batch[State],
    spare: int,
    rngs: Batch[Rng],
    stream: int,
    seed: int,
    budget: int,
    tree: IntRows,
    path: IntRows,
    out: Ints,
    weights: Ints,
    points: Ints,
    won: Ints,
    known: Ints,
) -> int:
    """The action to take at `origin[at]`, for so many playouts; `work` from `spare` on is room to think."""
    raise NotImplementedError


@kernel
def by_tree(
    tables: Batch[Tables],
    origin: Batch[State],
    at: int,
    work: Batch[State],
    spare: int,
    rngs: Batch[Rng],
    stream: int,
    seed: int,
    budget: int,
    tree: IntRows,
    path: IntRows,
    out: Ints,
    weights: Ints,
    points: Ints,
    won: Ints,
    known: Ints,
) -> int:
    """Information-set tree search; the advice of the rules of thumb where there is nothing to choose."""
    plant(tree)
    grow(tables, origin, at, work, spare, rngs, stream, seed, 0, budget, tree, path, out, weights, points, won)
    found = choice(tree)
    if found >= 0:
        return found
    n = legal(tables[0], origin[at], out)
    return advise(tables[0], origin[at], rngs[stream], out, n, 0)


@kernel
def by_expectation(
    tables: Batch[Tables],
    origin: Batch[State],
    at: int,
    work: Batch[State],
    spare: int,
    rngs: Batch[Rng],
    stream: int,
    seed: int,
    budget: int,
    tree: IntRows,
    path: IntRows,
    out: Ints,
    weights: Ints,
    points: Ints,
    won: Ints,
    known: Ints,
) -> int:
    """Expectimax."""
    return deepen(tables, origin, at, work, spare, budget, tree, path, out, weights, points, known)
