"""Slots: the functions that entry points call. Linking an entry point binds each slot to a kernel of the game."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, Shorts, kernel, slot
from quadriga.engine.kernels.rng import Rng, below, weighted
from quadriga.engine.kernels.struct import Struct

CHANCE = -1
OVER = -2

OWN_COUNTS = 2  # `playout` counts decisions and outcomes of chance, then what the game counts itself


class Tables(Struct):
    """A placeholder for a game's read-only tables."""


class State(Struct):
    """A placeholder for a game's state."""


@slot
def actor(t: Tables, s: State) -> int:
    """Return the seat to decide, CHANCE or OVER."""
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
    """Return a random outcome of chance, distributed as by `roll_by_weight`; a game may have a faster way."""
    raise NotImplementedError


@kernel
def roll_by_weight(t: Tables, s: State, rng: Rng, out: Ints, weights: Ints) -> int:
    """Return one of the `outcomes` at random, by weight."""
    n = outcomes(t, s, out, weights)
    return out[weighted(rng, weights, n)]


@slot
def choose(t: Tables, s: State, rng: Rng, out: Ints) -> int:
    """Return a random legal action, distributed as by `choose_listed`; a game may have a faster way."""
    raise NotImplementedError


@kernel
def choose_listed(t: Tables, s: State, rng: Rng, out: Ints) -> int:
    """Return one of the `legal` actions at random, each equally likely."""
    n = legal(t, s, out)
    return out[below(rng, n)]


@slot
def step(t: Tables, s: State, action: int) -> None:
    """Apply a legal action or an outcome of chance, with all that follows without a decision."""
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
def observe_again(t: Tables, s: State, seat: int, out: Shorts) -> None:
    """Do as `observe`, over an earlier observation with the same tables, or zeros; a game may have a faster way."""
    raise NotImplementedError


@slot
def redeal(t: Tables, s: State, seat: int, rng: Rng) -> None:
    """Determinize the state: replace what the seat cannot know by a random deal consistent with what it knows."""
    raise NotImplementedError


@kernel
def nothing_hidden(t: Tables, s: State, seat: int, rng: Rng) -> None:
    """Change nothing: the `redeal` of a game without hidden information."""


@slot
def remember(t: Tables, s: State) -> int:
    """Return the facts about the position before a step that `tally` compares, packed into one integer."""
    raise NotImplementedError


@slot
def tally(t: Tables, before: int, s: State, action: int, counts: Ints) -> None:
    """Add the events of the step that led to this position to the game's own counts, from `OWN_COUNTS` on."""
    raise NotImplementedError


@kernel
def nothing_remembered(t: Tables, s: State) -> int:
    """Return 0: the `remember` of a game without counts of its own."""
    return 0


@kernel
def nothing_counted(t: Tables, before: int, s: State, action: int, counts: Ints) -> None:
    """Count nothing: the `tally` of a game without counts of its own."""


@slot
def playout(t: Tables, s: State, rng: Rng, out: Ints, weights: Ints, counts: Ints) -> None:
    """Play to the end with random actions and count, as `play_randomly` does; a game may have a faster way."""
    raise NotImplementedError


@kernel
def play_randomly(t: Tables, s: State, rng: Rng, out: Ints, weights: Ints, counts: Ints) -> None:
    """Play the game to its end; every legal action is equally likely.

    Adds the decisions, the outcomes of chance and the game's own tallies to the counts.
    """
    seat = actor(t, s)
    while seat != OVER:
        if seat == CHANCE:
            action = roll(t, s, rng, out, weights)
            counts[1] += 1
        else:
            action = choose(t, s, rng, out)
            counts[0] += 1
        before = remember(t, s)
        step(t, s, action)
        tally(t, before, s, action, counts)
        seat = actor(t, s)


@slot
def advise(t: Tables, s: State, rng: Rng, out: Ints, n: int, without: int) -> int:
    """Return one of the n legal actions in `out`, by rules of thumb over what the seat to decide may see.

    The bits of `without` are the parts of the rules of thumb to leave out, for ablation measurements.
    """
    raise NotImplementedError


@slot
def exploit(t: Tables, s: State, rng: Rng, out: Ints, n: int, habit: int) -> int:
    """Return one of the n legal actions in `out`, as an exploiter does (`Bots.exploit`)."""
    raise NotImplementedError


@kernel
def random_action(t: Tables, s: State, rng: Rng, out: Ints, n: int, without: int) -> int:
    """Return a random legal action: the advice of a game without rules of thumb."""
    return out[below(rng, n)]
