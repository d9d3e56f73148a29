"""Drivers: what can be done with any game, written once over the slots and linked per game."""

from __future__ import annotations

from quadriga.engine.kernel import FlagRows, Flags, IntRows, Ints, ShortRows, kernel
from quadriga.engine.record import Batch
from quadriga.engine.rng import Rng, below, start
from quadriga.engine.slots import (
    CHANCE,
    OVER,
    State,
    Tables,
    actor,
    legal,
    observe,
    roll,
    scores,
    step,
    tally,
)


@kernel
def settle(t: Tables, s: State, rng: Rng, out: Ints, weights: Ints) -> int:
    """Let chance happen until somebody is to decide or the game is over; returns the actor."""
    seat = actor(t, s)
    while seat == CHANCE:
        step(t, s, roll(t, s, rng, out, weights))
        seat = actor(t, s)
    return seat


@kernel
def playout(t: Tables, s: State, rng: Rng, out: Ints, weights: Ints) -> int:
    """Play random legal actions to the end; returns the number of decisions."""
    decisions = 0
    while settle(t, s, rng, out, weights) != OVER:
        n = legal(t, s, out)
        step(t, s, out[below(rng, n)])
        decisions += 1
    return decisions


@kernel
def playouts(
    tables: Batch[Tables],
    origin: Batch[State],
    work: Batch[State],
    rngs: Batch[Rng],
    seed: int,
    first: int,
    count: int,
    out: Ints,
    weights: Ints,
    points: Ints,
    totals: Ints,
) -> int:
    """Random games number `first` and on from one position; adds up scores, returns the decisions."""
    t = tables[0]
    s = work[0]
    rng = rngs[0]
    decisions = 0
    for game in range(first, first + count):
        work[0] = origin[0]
        start(rng, seed, game)
        decisions += playout(t, s, rng, out, weights)
        scores(t, s, points)
        for seat in range(len(points)):
            totals[seat] += points[seat]
    return decisions


@kernel
def _tallied(t: Tables, s: State, before: State, action: int, work: Batch[State], counts: Ints) -> None:
    """One step, with what happened in it counted."""
    work[1] = work[0]
    step(t, s, action)
    tally(t, before, s, action, counts)


@kernel
def sample(
    tables: Batch[Tables],
    origin: Batch[State],
    work: Batch[State],
    rngs: Batch[Rng],
    seed: int,
    first: int,
    count: int,
    out: Ints,
    weights: Ints,
    points: Ints,
    counts: Ints,
    results: IntRows,
) -> None:
    """Random games with everything measured, a row of `results` per game.

    A row holds the decisions, the outcomes of chance, the score of each seat, then the game's own tallies.
    """
    t = tables[0]
    s = work[0]
    before = work[1]
    rng = rngs[0]
    for game in range(count):
        work[0] = origin[0]
        start(rng, seed, first + game)
        row = results[game]
        for i in range(len(row)):
            row[i] = 0
        for i in range(len(counts)):
            counts[i] = 0
        seat = actor(t, s)
        while seat != OVER:
            if seat == CHANCE:
                action = roll(t, s, rng, out, weights)
                row[1] += 1
            else:
                n = legal(t, s, out)
                action = out[below(rng, n)]
                row[0] += 1
            _tallied(t, s, before, action, work, counts)
            seat = actor(t, s)
        scores(t, s, points)
        for i in range(len(points)):
            row[2 + i] = points[i]
        for i in range(len(counts)):
            row[2 + len(points) + i] = counts[i]


@kernel
def present(t: Tables, s: State, seat: int, out: Ints, mask: Flags) -> None:
    """Mark the legal actions of the seat to decide; none where nobody is."""
    for action in range(len(mask)):
        mask[action] = 0
    if seat >= 0:
        for i in range(legal(t, s, out)):
            mask[out[i]] = 1


@kernel
def vector_reset(
    tables: Batch[Tables],
    origin: Batch[State],
    batch: Batch[State],
    rngs: Batch[Rng],
    seed: int,
    first: int,
    out: Ints,
    weights: Ints,
    seats: Ints,
    masks: FlagRows,
) -> None:
    """Start every game of a batch: game i is number `first + i`, at its first decision."""
    t = tables[0]
    for i in range(len(batch)):
        batch[i] = origin[0]
        start(rngs[i], seed, first + i)
        seats[i] = settle(t, batch[i], rngs[i], out, weights)
        present(t, batch[i], seats[i], out, masks[i])


@kernel
def vector_step(
    tables: Batch[Tables],
    batch: Batch[State],
    rngs: Batch[Rng],
    actions: Ints,
    out: Ints,
    weights: Ints,
    points: Ints,
    seats: Ints,
    masks: FlagRows,
    rewards: IntRows,
) -> int:
    """Play one action in every game of a batch that is not over, and let chance happen.

    Refuses an action that its mask does not allow: nothing of that game changes, and the number of such
    games is returned. A game that ends has its scores in `rewards`, the seat OVER and an empty mask.
    """
    t = tables[0]
    refused = 0
    for i in range(len(batch)):
        if seats[i] == OVER:
            continue
        if actions[i] < 0 or actions[i] >= len(masks[i]) or masks[i][actions[i]] == 0:
            refused += 1
            continue
        s = batch[i]
        step(t, s, actions[i])
        seats[i] = settle(t, s, rngs[i], out, weights)
        present(t, s, seats[i], out, masks[i])
        if seats[i] == OVER:
            scores(t, s, points)
            for seat in range(len(points)):
                rewards[i][seat] = points[seat]
    return refused


@kernel
def vector_renew(
    tables: Batch[Tables],
    origin: Batch[State],
    batch: Batch[State],
    rngs: Batch[Rng],
    out: Ints,
    weights: Ints,
    seats: Ints,
    masks: FlagRows,
) -> int:
    """Start every finished game of a batch again, its stream going on; returns how many."""
    t = tables[0]
    renewed = 0
    for i in range(len(batch)):
        if seats[i] == OVER:
            batch[i] = origin[0]
            seats[i] = settle(t, batch[i], rngs[i], out, weights)
            present(t, batch[i], seats[i], out, masks[i])
            renewed += 1
    return renewed


@kernel
def vector_observe(tables: Batch[Tables], batch: Batch[State], seats: Ints, rows: ShortRows) -> None:
    """What the seat to decide may see, for every game of a batch; seat 0's view where nobody is to."""
    t = tables[0]
    for i in range(len(batch)):
        observe(t, batch[i], max(seats[i], 0), rows[i])


@kernel
def vector_random(masks: FlagRows, rngs: Batch[Rng], actions: Ints) -> None:
    """A random legal action for every game of a batch."""
    for i in range(len(actions)):
        n = 0
        for action in range(len(masks[i])):
            n += masks[i][action]
        actions[i] = -1
        if n > 0:
            left = below(rngs[i], n)
            for action in range(len(masks[i])):
                if masks[i][action] == 1:
                    if left == 0:
                        actions[i] = action
                    left -= 1
