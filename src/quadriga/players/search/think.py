"""Decide by search: by a tree, or by expectimax if a game is open and its positions can be evaluated."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import kernel, slot
from quadriga.engine.kernels.slots import advise, legal
from quadriga.players.search.expect import deepen
from quadriga.players.search.tree import choice, clear, grow
from quadriga.players.search.workspace import SearchWorkspace


@slot
def think(w: SearchWorkspace, seed: int, budget: int) -> int:
    """Return the action to take in the root position, for this many playouts."""
    raise NotImplementedError


@kernel
def by_tree(w: SearchWorkspace, seed: int, budget: int) -> int:
    """Return the action of an information-set tree search; if there is nothing to choose, of the rules of thumb."""
    clear(w.tree)
    grow(w, seed, 0, budget)
    found = choice(w.tree)
    if found >= 0:
        return found
    t = w.tables[0]
    return advise(t, w.root[0], w.rngs[0], w.out, legal(t, w.root[0], w.out), 0)


@kernel
def by_expectation(w: SearchWorkspace, seed: int, budget: int) -> int:
    """Return the action of an expectimax search, which needs no seed."""
    return deepen(w, budget)
