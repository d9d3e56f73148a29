"""Value iteration over a layer of Ur: what every position is worth if both sides always move best."""

from __future__ import annotations

from quadriga.engine.kernel import Ints, Values, kernel
from quadriga.engine.record import Batch
from quadriga.games.ur.rules.turn import ROLLS, legal, step
from quadriga.games.ur.state import DONE, MOVE, State, Tables
from quadriga.players.exact.ranking import LEFT, rank, unrank

ONE = 1 << 30


@kernel
def _worth(t: Tables, s: State, cells: Ints, before: Ints, holds: Ints, layers: Ints, values: Values) -> int:
    """What a position before a roll is worth to seat 0."""
    if s.phase == DONE:
        return ONE
    me = s.turn & 1
    layer = layers[(t.markers - s.off[me]) * LEFT + t.markers - s.off[me ^ 1]]
    value = values[layer + rank(t, s, me, cells, before, holds)]
    return value if me == 0 else ONE - value


@kernel
def backed_up(
    t: Tables,
    work: Batch[State],
    cells: Ints,
    before: Ints,
    holds: Ints,
    layers: Ints,
    values: Values,
    out: Ints,
) -> int:
    """What position `work[0]` is worth by the positions that can follow it (Bellman's equation)."""
    total = 0
    for roll in range(ROLLS):
        if t.dice[roll] > 0:
            work[1] = work[0]
            step(t, work[1], roll)
            if work[1].phase != MOVE:
                best = _worth(t, work[1], cells, before, holds, layers, values)
            else:
                best = 0
                for i in range(legal(t, work[1], out)):
                    work[2] = work[1]
                    step(t, work[2], out[i])
                    best = max(best, _worth(t, work[2], cells, before, holds, layers, values))
            total += t.dice[roll] * best
    return (total + (t.throws >> 1)) // t.throws


@kernel
def sweep(
    tables: Batch[Tables],
    work: Batch[State],
    cells: Ints,
    codes: Ints,
    before: Ints,
    holds: Ints,
    layers: Ints,
    values: Values,
    out: Ints,
    mine: int,
    theirs: int,
    first: int,
    count: int,
    change: bool,
) -> int:
    """Back up positions `first` and on of a layer; returns the largest difference. `change` keeps it."""
    t = tables[0]
    layer = layers[mine * LEFT + theirs]
    largest = 0
    for number in range(first, first + count):
        unrank(t, work[0], number, mine, theirs, cells, codes, before, holds)
        value = backed_up(t, work, cells, before, holds, layers, values, out)
        largest = max(largest, abs(value - values[layer + number]))
        if change:
            values[layer + number] = value
    return largest
