"""Drivers for one game that somebody else drives: an action in, and all that is to be known of what follows."""

from __future__ import annotations

from quadriga.engine.drivers import present, settle
from quadriga.engine.kernel import Flags, Ints, Shorts, kernel
from quadriga.engine.record import Batch
from quadriga.engine.rng import Rng, start
from quadriga.engine.slots import CHANCE, OVER, State, Tables, actor, legal, observe, outcomes, scores, step

REFUSED = -3
"""What `turn` returns for an action that is not legal: nothing has changed."""

TRIMMED = -1
"""What `recall` returns where the log is too short."""

ACTED = -1
"""Marks the seat's own action in the log of `recall`; what follows it is the action."""


@kernel
def begin(
    tables: Batch[Tables],
    origin: Batch[State],
    batch: Batch[State],
    rngs: Batch[Rng],
    seed: int,
    number: int,
    out: Ints,
    weights: Ints,
    mask: Flags,
) -> int:
    """Start game `number` of a seed and let chance happen; returns who is to decide, and marks what he may do."""
    batch[0] = origin[0]
    start(rngs[0], seed, number)
    seat = settle(tables[0], batch[0], rngs[0], out, weights)
    present(tables[0], batch[0], seat, out, mask)
    return seat


@kernel
def turn(
    tables: Batch[Tables],
    batch: Batch[State],
    rngs: Batch[Rng],
    action: int,
    out: Ints,
    weights: Ints,
    mask: Flags,
) -> int:
    """Play one action and let chance happen; returns who is to decide then, and marks what he may do."""
    if action < 0 or action >= len(mask) or mask[action] == 0:
        return REFUSED
    step(tables[0], batch[0], action)
    seat = settle(tables[0], batch[0], rngs[0], out, weights)
    present(tables[0], batch[0], seat, out, mask)
    return seat


@kernel
def look(tables: Batch[Tables], batch: Batch[State], seat: int, row: Shorts) -> None:
    """What a seat may see."""
    observe(tables[0], batch[0], seat, row)


@kernel
def result(tables: Batch[Tables], batch: Batch[State], points: Ints) -> None:
    """What each seat has scored."""
    scores(tables[0], batch[0], points)


@kernel
def advance(tables: Batch[Tables], batch: Batch[State], action: int, out: Ints, weights: Ints) -> int:
    """Play an action, or let an outcome happen; then as `asked`."""
    step(tables[0], batch[0], action)
    return asked(tables, batch, out, weights)


@kernel
def asked(tables: Batch[Tables], batch: Batch[State], out: Ints, weights: Ints) -> int:
    """Write what may be done or happen here; returns how much that is, and whose it is: `16 * n + seat + 2`."""
    seat = actor(tables[0], batch[0])
    n = 0
    if seat == CHANCE:
        n = outcomes(tables[0], batch[0], out, weights)
    elif seat != OVER:
        n = legal(tables[0], batch[0], out)
    return 16 * n + seat + 2


@kernel
def recall(
    tables: Batch[Tables],
    origin: Batch[State],
    batch: Batch[State],
    actions: Ints,
    count: int,
    seat: int,
    before: Shorts,
    after: Shorts,
    log: Ints,
) -> int:
    """Play a game again and write down what a seat saw of it: its own actions, and what changed before its eyes.

    The log is pairs: a place of the observation and what stands there now, or ACTED and an action.
    Returns its length, or TRIMMED where it does not fit. Moves that leave no trace in what the seat sees
    and are not its own leave none in the log either.
    """
    t = tables[0]
    batch[0] = origin[0]
    s = batch[0]
    room = len(log) - 2 * len(after) - 4
    for k in range(len(before)):
        before[k] = 0
    n = 0
    for i in range(count + 1):
        if n > room:
            return TRIMMED
        if i > 0:
            if actor(t, s) == seat:
                log[n] = ACTED
                log[n + 1] = actions[i - 1]
                n += 2
            step(t, s, actions[i - 1])
        observe(t, s, seat, after)
        for k in range(len(after)):
            if after[k] != before[k]:
                log[n] = k
                log[n + 1] = after[k]
                before[k] = after[k]
                n += 2
    return n
