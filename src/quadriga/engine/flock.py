"""Drivers for many games that somebody else drives together: a flock, one action each, all seen at once.

`drivers.vector_step` and its kin step a batch for our own use; these keep what environments hand out: who is
asked, what he sees, what he may do, which games have ended and with what scores.
"""

from __future__ import annotations

from quadriga.engine.drivers import present, settle
from quadriga.engine.kernel import FlagRows, Flags, IntRows, Ints, ShortRows, kernel
from quadriga.engine.record import Batch
from quadriga.engine.rng import Rng, below, start
from quadriga.engine.slots import OVER, State, Tables, observe, scores, step

FINE = -1
"""What `flock_check` returns where every action is legal; else the number of the first game whose is not."""


@kernel
def _deal(
    t: Tables,
    origin: Batch[State],
    batch: Batch[State],
    rngs: Batch[Rng],
    i: int,
    out: Ints,
    weights: Ints,
    seats: Ints,
    masks: FlagRows,
    rows: ShortRows,
    ended: Flags,
) -> None:
    """Start one game; its random stream goes on."""
    batch[i] = origin[0]
    seats[i] = settle(t, batch[i], rngs[i], out, weights)
    present(t, batch[i], seats[i], out, masks[i])
    observe(t, batch[i], seats[i], rows[i])
    ended[i] = 0


@kernel
def flock_seed(rngs: Batch[Rng], seeds: Ints, which: Flags) -> None:
    """Put the generators of some games at the beginning of their seeds."""
    for i in range(len(which)):
        if which[i]:
            start(rngs[i], seeds[i], 0)


@kernel
def flock_deal(
    tables: Batch[Tables],
    origin: Batch[State],
    batch: Batch[State],
    rngs: Batch[Rng],
    which: Flags,
    out: Ints,
    weights: Ints,
    seats: Ints,
    masks: FlagRows,
    rows: ShortRows,
    ended: Flags,
) -> None:
    """Start some games."""
    for i in range(len(which)):
        if which[i]:
            _deal(tables[0], origin, batch, rngs, i, out, weights, seats, masks, rows, ended)


@kernel
def flock_check(actions: Ints, masks: FlagRows, ended: Flags) -> int:
    """The first game that goes on and whose action is not legal, or FINE."""
    for i in range(len(actions)):
        if ended[i] == 0:
            if actions[i] < 0 or actions[i] >= len(masks[i]) or masks[i][actions[i]] == 0:
                return i
    return FINE


@kernel
def flock_step(
    tables: Batch[Tables],
    origin: Batch[State],
    batch: Batch[State],
    rngs: Batch[Rng],
    actions: Ints,
    out: Ints,
    weights: Ints,
    seats: Ints,
    masks: FlagRows,
    rows: ShortRows,
    ended: Flags,
    points: IntRows,
) -> int:
    """Play a legal action in every game that goes on, and start those anew that have ended; returns how many end.

    A game that ends has its scores in `points`, an empty mask, and is seen by the seat that acted last.
    """
    t = tables[0]
    ends = 0
    for i in range(len(batch)):
        if ended[i]:
            _deal(t, origin, batch, rngs, i, out, weights, seats, masks, rows, ended)
            continue
        s = batch[i]
        step(t, s, actions[i])
        seat = settle(t, s, rngs[i], out, weights)
        present(t, s, seat, out, masks[i])
        if seat == OVER:
            scores(t, s, points[i])
            ended[i] = 1
            ends += 1
        else:
            seats[i] = seat
        observe(t, s, seats[i], rows[i])
    return ends


@kernel
def _pick(mask: Flags, n: int) -> int:
    """The n-th legal action, from 0; 0 where there are not so many."""
    left = n
    for action in range(len(mask)):
        if mask[action] == 1:
            if left == 0:
                return action
            left -= 1
    return 0


@kernel
def _number(mask: Flags) -> int:
    """How many actions are legal."""
    n = 0
    for action in range(len(mask)):
        n += mask[action]
    return n


@kernel
def flock_mend(actions: Ints, masks: FlagRows, ended: Flags, rngs: Batch[Rng]) -> int:
    """Put random legal actions in the place of those that are not legal; returns how many."""
    mended = 0
    for i in range(len(actions)):
        if ended[i] == 0:
            if actions[i] < 0 or actions[i] >= len(masks[i]) or masks[i][actions[i]] == 0:
                actions[i] = _pick(masks[i], below(rngs[i], _number(masks[i])))
                mended += 1
    return mended


@kernel
def flock_choose(masks: FlagRows, draws: Ints, actions: Ints) -> None:
    """A legal action for every game by a random number of 31 bits; 0 where there is none."""
    for i in range(len(actions)):
        actions[i] = _pick(masks[i], (draws[i] * _number(masks[i])) >> 31)
