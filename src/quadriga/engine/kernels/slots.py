"""Slots: the names that drivers call, each bound to a kernel of the game that a driver is linked for."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, Shorts, kernel, slot
from quadriga.engine.kernels.record import Record
from quadriga.engine.kernels.rng import Rng, below, weighted

CHANCE = -1
OVER = -2


class Tables(Record):
    """Stands for a game's read-only tables."""


class State(Record):
    """Stands for a game's state."""


@slot
def actor(t: Tables, s: State) -> int:
    """Return who is to decide: a seat, CHANCE or OVER."""
    raise NotImplementedError


@slot
def legal(t: Tables, s: State, out: Ints) -> int:
    """Write the legal actions of the seat to decide; return how many."""
    raise NotImplementedError


@slot
def outcomes(t: Tables, s: State, out: Ints, weights: Ints) -> int:
    """Write the possible outcomes of chance and their weights; return how many."""
    raise NotImplementedError


@slot
def roll(t: Tables, s: State, rng: Rng, out: Ints, weights: Ints) -> int:
    """Return a random outcome of chance, as `roll_by_weight` does; a game may have a faster way."""
    raise NotImplementedError


@kernel
def roll_by_weight(t: Tables, s: State, rng: Rng, out: Ints, weights: Ints) -> int:
    """Return one of the `outcomes` at random, by weight."""
    n = outcomes(t, s, out, weights)
    return out[weighted(rng, weights, n)]


@slot
def step(t: Tables, s: State, action: int) -> None:
    """Play a legal action, or let an outcome happen, and whatever follows by itself."""
    raise NotImplementedError


@slot
def scores(t: Tables, s: State, out: Ints) -> None:
    """Write the score of each seat."""
    raise NotImplementedError


@slot
def observe(t: Tables, s: State, seat: int, out: Shorts) -> None:
    """Write what the seat may see, as numbers."""
    raise NotImplementedError


@slot
def redeal(t: Tables, s: State, seat: int, rng: Rng) -> None:
    """Replace what the seat cannot know by a random deal that fits what it does know."""
    raise NotImplementedError


@slot
def tally(t: Tables, before: State, after: State, action: int, counts: Ints) -> None:
    """Count what happened in one step, for simulations."""
    raise NotImplementedError


@slot
def advise(t: Tables, s: State, rng: Rng, out: Ints, n: int, without: int) -> int:
    """Return one of the n legal actions in `out`, by rules of thumb over what the seat to decide may see.

    `without` has the parts of the rules of thumb to leave out, as bits: to measure what each is worth.
    """
    raise NotImplementedError


@kernel
def random_action(t: Tables, s: State, rng: Rng, out: Ints, n: int, without: int) -> int:
    """Return any legal action: the advice in a game without rules of thumb."""
    return out[below(rng, n)]
