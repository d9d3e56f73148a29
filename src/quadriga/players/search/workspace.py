"""The workspace of a search: the arrays that all its kernels share."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quadriga.engine.kernels.kernel import IntRows, Ints
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.rng import Rng
from quadriga.engine.kernels.slots import State, Tables
from quadriga.engine.kernels.struct import Batch, Structured

LEVELS = 40  # of the stack of expectimax,
WIDE = 64  # ... and actions or outcomes at a level
FIELDS = 6  # rows of a tree
_POSITIONS = LEVELS + 2
_NODES = LEVELS * WIDE + 1  # in every row of a tree, at least
_ROWS = 3  # of a path,
_LONGEST = 1024  # ... and numbers in each


class SearchWorkspace(NamedTuple):
    """Arrays for one search at a time. It decides in `root[0]` and plays its playouts in `work[0]`."""

    tables: Batch[Tables]
    root: Batch[State]
    work: Batch[State]
    rngs: Batch[Rng]  # one: the chance of playouts
    tree: IntRows  # nodes of the tree (`tree`), or the stack of expectimax (`expect`)
    path: IntRows  # three rows, which each kind of search uses in its own way
    out: Ints  # legal actions or outcomes
    weights: Ints
    points: Ints  # the score of each seat
    won: Ints  # the utility of a result for each seat, in parts of `playout.ONE`
    manner: Ints  # one: the temper of the seat that decides, as bits of its rules of thumb
    known: Ints  # the network that evaluates positions, with scratch space


def allocate(
    machine: Machine, tables: Structured, seats: int, playouts: int, known: npt.NDArray[np.int64]
) -> SearchWorkspace:
    """Return a workspace for decisions of up to this many playouts."""
    out, weights = machine.game.rules.scratch()
    arrays: dict[str, Any] = {
        "tables": tables,
        "root": machine.states(1),
        "work": machine.states(_POSITIONS),
        "rngs": np.zeros(1, Rng.dtype),
        "tree": np.zeros((FIELDS, max(playouts + 1, _NODES)), np.int64),
        "path": np.zeros((_ROWS, _LONGEST), np.int64),
        "out": out,
        "weights": weights,
        "points": np.zeros(seats, np.int64),
        "won": np.zeros(seats, np.int64),
        "manner": np.zeros(1, np.int64),
        "known": known,
    }
    return SearchWorkspace(**arrays)
