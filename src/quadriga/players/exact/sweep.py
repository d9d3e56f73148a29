"""Bellman's equation for Ur: a position is worth the mean over the rolls of the best move.

All in whole numbers, in parts of `ONE`: plain and compiled code agree to the last bit, and every value is as exact
as any other, to less than one thousand millionth.

No roll, no turn that is lost, and no move but a capture takes a marker back. So positions are visited from the most
steps gone to the fewest. Those with equally many do not look at each other, except for a position and the same one
with the other side to roll, where a turn is lost: the two are solved together. So any number of workers gives the
same values.
"""

from __future__ import annotations

from quadriga.engine.kernel import Ints, Shorts, Values, kernel
from quadriga.engine.record import Batch
from quadriga.games.ur.board import LAST_BLANK, TURN_BACK
from quadriga.games.ur.rules.turn import ROLLS, legal, step
from quadriga.games.ur.state import DONE, MOVE, ROLL, State, Tables
from quadriga.players.exact.ranking import SIDE, layer, rank, unrank
from quadriga.players.exact.tables import ONE

NOT_HERE = -1  # a position that is solved with the other one of its pair
_LOST = 31  # bits of the ways to lose the turn
WORK = 4  # positions that a worker needs room for


@kernel
def looked_up(t: Tables, s: State, keys: Ints, before: Ints, base: Ints, values: Values) -> int:
    """The chance of seat 0 in a position that is to be rolled in, or is over; `base` says where layers begin."""
    if s.phase == DONE:
        return ONE if s.turn == 0 else 0
    me = s.turn & 1
    value = values[base[layer(t, s, me)] + rank(t, s, me, keys, before)]
    return value if me == 0 else ONE - value


@kernel
def turn_round(s: State) -> None:
    """Exchange the sides: the position as the other side would have it, to roll."""
    s.blank[0], s.blank[1] = s.blank[1], s.blank[0]
    s.dotted[0], s.dotted[1] = s.dotted[1], s.dotted[0]
    s.blank_twin[0], s.blank_twin[1] = s.blank_twin[1], s.blank_twin[0]
    s.dotted_twin[0], s.dotted_twin[1] = s.dotted_twin[1], s.dotted_twin[0]
    s.off[0], s.off[1] = s.off[1], s.off[0]


@kernel
def _moved(
    t: Tables, work: Batch[State], at: int, keys: Ints, before: Ints, base: Ints, values: Values, out: Ints
) -> int:
    """What rolls bring that seat 0 can move in `work[at]`, weighed by the dice; and the ways to lose the turn."""
    s = work[at]
    total = 0
    lost = 0
    for face in range(ROLLS):
        weight = t.dice[face]
        if weight > 0:
            s.phase = MOVE
            s.roll = face
            best = 0
            n = legal(t, s, out)
            for i in range(n):
                work[at + 1] = work[at]
                step(t, work[at + 1], out[i])
                best = max(best, looked_up(t, work[at + 1], keys, before, base, values))
            total += weight * best
            if n == 0:
                lost += weight
    s.phase = ROLL
    s.roll = 0
    return total * (_LOST + 1) + lost


@kernel
def relax(
    tables: Batch[Tables],
    work: Batch[State],
    room: int,
    order: Values,
    first: int,
    stop: int,
    keys: Ints,
    before: Ints,
    contents: Ints,
    base: Ints,
    values: Values,
    out: Ints,
) -> int:
    """Solve positions `order[first:stop]` of a layer, and the same turned round; returns the largest change."""
    t = tables[0]
    all_ways = t.throws
    across = room % SIDE * SIDE + room // SIDE
    largest = 0
    for i in range(first, stop):
        number = order[i]
        unrank(t, work[0], room, number, before, contents)
        work[2] = work[0]
        turn_round(work[2])
        a = _moved(t, work, 0, keys, before, base, values, out)
        b = _moved(t, work, 2, keys, before, base, values, out)
        lost = a & _LOST
        other_lost = b & _LOST
        a = a // (_LOST + 1)
        b = b // (_LOST + 1)
        ways = all_ways * all_ways - lost * other_lost
        if ways > 0:
            mine = base[room] + number
            theirs = base[across] + rank(t, work[2], 0, keys, before)
            both = lost * other_lost * ONE
            value = (all_ways * (a + lost * ONE) - lost * b - both + (ways >> 1)) // ways
            largest = max(largest, abs(value - values[mine]))
            values[mine] = value
            value = (all_ways * (b + other_lost * ONE) - other_lost * a - both + (ways >> 1)) // ways
            largest = max(largest, abs(value - values[theirs]))
            values[theirs] = value
    return largest


@kernel
def audit(
    tables: Batch[Tables],
    work: Batch[State],
    room: int,
    first: int,
    stop: int,
    keys: Ints,
    before: Ints,
    contents: Ints,
    base: Ints,
    values: Values,
    out: Ints,
) -> int:
    """The Bellman residual of positions `first` to `stop - 1` of a layer: the most that a value is off by."""
    t = tables[0]
    largest = 0
    for number in range(first, stop):
        unrank(t, work[0], room, number, before, contents)
        a = _moved(t, work, 0, keys, before, base, values, out)
        work[1] = work[0]
        work[1].turn = 1
        lost = (a & _LOST) * looked_up(t, work[1], keys, before, base, values)
        value = (a // (_LOST + 1) + lost + (t.throws >> 1)) // t.throws
        largest = max(largest, abs(value - values[base[room] + number]))
    return largest


@kernel
def _gone(s: State) -> int:
    """How many steps all markers on the board have gone."""
    steps = 0
    for seat in range(2):
        for bit in range(1, LAST_BLANK + 2):
            steps += bit * (((s.blank[seat] >> bit) & 1) + ((s.blank_twin[seat] >> bit) & 1))
            dotted = ((s.dotted[seat] >> bit) & 1) + ((s.dotted_twin[seat] >> bit) & 1)
            steps += (TURN_BACK - bit) * dotted
    return steps


@kernel
def survey(
    tables: Batch[Tables],
    work: Batch[State],
    room: int,
    first: int,
    stop: int,
    keys: Ints,
    before: Ints,
    contents: Ints,
    gone: Shorts,
) -> None:
    """How many steps have been gone in each position of a layer; of a pair in one layer only the first counts."""
    t = tables[0]
    symmetric = room % SIDE == room // SIDE
    for number in range(first, stop):
        unrank(t, work[0], room, number, before, contents)
        gone[number] = _gone(work[0])
        if symmetric:
            work[0].turn = 1
            if rank(t, work[0], 1, keys, before) < number:
                gone[number] = NOT_HERE
