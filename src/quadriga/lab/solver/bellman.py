"""Bellman's equation for Ur, in whole numbers: a position is worth the mean over the rolls of the best move.

Chances are counted in parts of `ONE`, so that plain and compiled code agree to the last bit and every value is as
exact as any other: a part is less than one thousand millionth.
"""

from __future__ import annotations

from quadriga.engine.kernel import Ints, Words, kernel
from quadriga.engine.record import Batch
from quadriga.games.ur.ranking import layer, rank, unrank
from quadriga.games.ur.rules.turn import ROLLS, legal, step
from quadriga.games.ur.state import DONE, MOVE, ROLL, State, Tables

ONE = 1 << 30


@kernel
def looked_up(t: Tables, s: State, keys: Ints, before: Ints, base: Ints, values: Words) -> int:
    """The chance of seat 0 in a position that is to be rolled in, or is over, from the table."""
    if s.phase == DONE:
        return ONE if s.turn == 0 else 0
    me = s.turn & 1
    room = layer(t, s, me)
    value = values[base[room] + rank(t, s, me, room, keys, before)]
    return value if me == 0 else ONE - value


@kernel
def best_move(
    t: Tables, work: Batch[State], keys: Ints, before: Ints, base: Ints, values: Words, out: Ints, n: int
) -> int:
    """The chance of seat 0 after the best of the moves in `out`, all of them to be made in `work[0]`."""
    best = -1
    for i in range(n):
        work[1] = work[0]
        step(t, work[1], out[i])
        value = looked_up(t, work[1], keys, before, base, values)
        best = max(best, value)
    return best


@kernel
def expected(
    t: Tables, work: Batch[State], keys: Ints, before: Ints, base: Ints, values: Words, out: Ints
) -> int:
    """The chance of seat 0, who is to roll in `work[0]`, by the values of what follows."""
    s = work[0]
    total = t.throws >> 1  # rounds to the nearest
    lost = -1
    for face in range(ROLLS):
        if t.dice[face] > 0:
            s.phase = MOVE
            s.roll = face
            n = legal(t, s, out)
            if n > 0:
                total += t.dice[face] * best_move(t, work, keys, before, base, values, out, n)
            else:
                if lost < 0:
                    work[1] = work[0]
                    step_over(work[1])
                    lost = looked_up(t, work[1], keys, before, base, values)
                total += t.dice[face] * lost
    return total // t.throws


@kernel
def step_over(s: State) -> None:
    """UR-4.1: nobody can move, so the turn is lost."""
    s.phase = ROLL
    s.roll = 0
    s.turn ^= 1


@kernel
def sweep(
    tables: Batch[Tables],
    work: Batch[State],
    room: int,
    first: int,
    stop: int,
    keep: bool,
    keys: Ints,
    before: Ints,
    contents: Ints,
    base: Ints,
    values: Words,
    out: Ints,
) -> int:
    """Positions number `first` up to `stop` of a layer, last first; returns the largest change.

    With `keep` the changes are kept, so that those who come later build on them.
    """
    t = tables[0]
    largest = 0
    for number in range(stop - 1, first - 1, -1):
        unrank(t, work[0], room, number, keys, before, contents)
        value = expected(t, work, keys, before, base, values, out)
        at = base[room] + number
        largest = max(largest, abs(value - values[at]))
        if keep:
            values[at] = value
    return largest
