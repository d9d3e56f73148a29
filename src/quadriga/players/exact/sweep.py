"""Bellman's equation for Ur: the value of a position is the mean, over the rolls, of the best move's value.

All values are integers, in parts of `ONE`. Plain and compiled code agree to the last bit, and every value is exact
to less than one thousand millionth.

Only a capture takes a marker back; no roll, lost turn or other move does. Therefore positions are visited from the
most steps taken to the fewest. Positions with equally many steps do not refer to each other, except for a position
and the same one with the other side to roll, where a turn is lost: these two are solved together. So any number of
workers gives the same values.
"""

from __future__ import annotations

from typing import NamedTuple

from quadriga.engine.kernels.kernel import Flags, Ints, Shorts, Values, kernel
from quadriga.engine.kernels.struct import Batch
from quadriga.games.ur.board import LAST_BLANK, TURN_BACK
from quadriga.games.ur.rules.turn import ROLLS, at_home, legal, step
from quadriga.games.ur.state import DONE, MOVE, ROLL, State, Tables
from quadriga.players.exact.ranking import SIDE, Ranks, layer, rank, unrank
from quadriga.players.exact.tables import ONE

NOT_HERE = -1  # a position that is solved with the other one of its pair
ALWAYS = (1 << 31) - 1  # the drift of a position with nothing to choose: its moves always stay the best
_LOST = 31  # bits of the ways to lose the turn
WORK = 4  # positions that a worker needs room for

# Values stand in one array: two that are always 0, then the layers below, then the layer under way. A reference is
# a place in it. With all its bits inverted it refers to the other side's chance: the rest of `ONE`.
OVER = 0  # a lost game; inverted, a won one
NO_MOVE = 1  # a turn that is lost
BELOW = 2  # where the layers below begin


class SweepWorkspace(NamedTuple):
    """A layer under way, and one worker's own arrays."""

    tables: Batch[Tables]
    work: Batch[State]  # the worker's own,
    out: Ints  # ... for legal moves,
    lead: Ints  # ... and, as its only number, the least by which a best move is better than the next
    ranks: Ranks
    base: Ints  # where layers begin: those below in `values`, the own ones in `place`
    own: Flags  # the layers that are under way
    place: Values  # where the values of the own layers are, by number
    values: Values
    order: Values  # positions by number, in the order in which they are visited
    weights: Ints  # of the rolls that the dice can show
    book: Values  # for each position of the order, and the same turned round: a reference for each of these rolls
    sure: Values  # by the order: up to which drift the moves in the book are the best


@kernel
def _reference(w: SweepWorkspace, s: State) -> int:
    """Return seat 0's reference to the value of a position before a roll or at the end."""
    if s.phase == DONE:
        return ~OVER if s.turn == 0 else OVER
    me = s.turn & 1
    room = layer(w.tables[0], s, me)
    at = w.base[room] + rank(w.tables[0], s, me, w.ranks)
    if w.own[room]:
        at = w.place[at]
    return at if me == 0 else ~at


@kernel
def _worth(values: Values, reference: int) -> int:
    """Return the value of seat 0 that a reference leads to."""
    turned = reference >> 63
    return (values[reference ^ turned] ^ turned) - turned + (ONE & turned)


@kernel
def _turn_round(s: State) -> None:
    """Exchange the two sides' markers in a position, so that the same seat rolls with the other side's."""
    s.blank[0], s.blank[1] = s.blank[1], s.blank[0]
    s.dotted[0], s.dotted[1] = s.dotted[1], s.dotted[0]
    s.blank_twin[0], s.blank_twin[1] = s.blank_twin[1], s.blank_twin[0]
    s.dotted_twin[0], s.dotted_twin[1] = s.dotted_twin[1], s.dotted_twin[0]
    s.off[0], s.off[1] = s.off[1], s.off[0]


@kernel
def _look_for_moves(w: SweepWorkspace, at: int, line: int) -> int:
    """Find the best move of seat 0 in `work[at]` for every roll.

    A reference to where each leads goes into the book, from `line` on. `lead[0]` is lowered to the least by which a
    best move is better than the next. Returns the sum of their values, weighted by the dice, times `_LOST + 1`,
    plus the ways to lose the turn.
    """
    t = w.tables[0]
    work = w.work
    values = w.values
    out = w.out
    s = work[at]
    total = 0
    lost = 0
    for face in range(ROLLS):
        weight = t.dice[face]
        if weight > 0:
            s.phase = MOVE
            s.roll = face
            best = -ONE
            second = -ONE
            chosen = NO_MOVE
            n = legal(t, s, out)
            for i in range(n):
                work[at + 1] = work[at]
                step(t, work[at + 1], out[i])
                reference = _reference(w, work[at + 1])
                value = _worth(values, reference)
                if value > best:
                    second = best
                    best = value
                    chosen = reference
                elif value > second:
                    second = value
            if n == 0:
                lost += weight
            else:
                total += weight * best
                w.lead[0] = min(w.lead[0], best - second)
            w.book[line] = chosen
            line += 1
    s.phase = ROLL
    s.roll = 0
    return total * (_LOST + 1) + lost


@kernel
def _solve_pair(all_ways: int, a: int, b: int, lost: int, other_lost: int, mine: int, values: Values) -> int:
    """Solve a position and the same turned round, at `mine` and after it; return the larger change.

    `a` and `b` are the sums of the values of their moves. The ways to lose the turn lead from each to the other.
    """
    ways = all_ways * all_ways - lost * other_lost
    if ways == 0:
        return 0
    both = lost * other_lost * ONE
    value = (all_ways * (a + lost * ONE) - lost * b - both + (ways >> 1)) // ways
    change = abs(value - values[mine])
    values[mine] = value
    value = (all_ways * (b + other_lost * ONE) - other_lost * a - both + (ways >> 1)) // ways
    change = max(change, abs(value - values[mine + 1]))
    values[mine + 1] = value
    return change


@kernel
def _by_the_book(w: SweepWorkspace, i: int, begin: int) -> int:
    """Solve the pair at `i` in the order for the moves in the book; return the larger change."""
    weights = w.weights
    values = w.values
    book = w.book
    lines = len(weights)
    line = 2 * i * lines
    a = 0
    b = 0
    lost = 0
    other_lost = 0
    for j in range(lines):
        weight = weights[j]
        reference = book[line + j]
        a += weight * _worth(values, reference)
        lost += weight if reference == NO_MOVE else 0
        reference = book[line + lines + j]
        b += weight * _worth(values, reference)
        other_lost += weight if reference == NO_MOVE else 0
    return _solve_pair(w.tables[0].throws, a, b, lost, other_lost, begin + 2 * i, values)


@kernel
def relax(w: SweepWorkspace, room: int, first: int, stop: int, begin: int, drift: int) -> int:
    """Do value iteration on positions `order[first:stop]` and the same turned round; return the largest change.

    The best moves go into the book. `drift` is how far any value may have moved since the drift was 0. Until it
    exceeds `sure` of a position, its moves in the book are the best and are not looked for again.
    """
    t = w.tables[0]
    work = w.work
    sure = w.sure
    lines = len(w.weights)
    parts = _LOST + 1
    largest = 0
    for i in range(first, stop):
        if sure[i] >= drift:
            change = _by_the_book(w, i, begin)
        else:
            unrank(t, work[0], room, w.order[i], w.ranks)
            work[2] = work[0]
            _turn_round(work[2])
            line = 2 * i * lines
            w.lead[0] = ONE
            a = _look_for_moves(w, 0, line)
            b = _look_for_moves(w, 2, line + lines)
            sure[i] = ALWAYS if w.lead[0] == ONE else drift + (w.lead[0] >> 1)
            change = _solve_pair(t.throws, a // parts, b // parts, a & _LOST, b & _LOST, begin + 2 * i, w.values)
        largest = max(largest, change)
    return largest


@kernel
def follow(w: SweepWorkspace, first: int, stop: int, begin: int) -> int:
    """Evaluate the policy of the book on positions `order[first:stop]`; return the largest change."""
    largest = 0
    for i in range(first, stop):
        largest = max(largest, _by_the_book(w, i, begin))
    return largest


@kernel
def audit(w: SweepWorkspace, room: int, first: int, stop: int) -> int:
    """Return the Bellman residual of positions `first` to `stop - 1` of a layer: the largest error of a value."""
    t = w.tables[0]
    work = w.work
    largest = 0
    for number in range(first, stop):
        unrank(t, work[0], room, number, w.ranks)
        a = _look_for_moves(w, 0, 0)
        work[1] = work[0]
        work[1].turn = 1
        lost = (a & _LOST) * _worth(w.values, _reference(w, work[1]))
        value = (a // (_LOST + 1) + lost + (t.throws >> 1)) // t.throws
        largest = max(largest, abs(value - w.values[w.place[w.base[room] + number]]))
    return largest


@kernel
def _steps_taken(s: State) -> int:
    """Return how many steps all markers on the board have taken."""
    steps = 0
    for seat in range(2):
        for bit in range(1, LAST_BLANK + 2):
            steps += bit * (((s.blank[seat] >> bit) & 1) + ((s.blank_twin[seat] >> bit) & 1))
            dotted = ((s.dotted[seat] >> bit) & 1) + ((s.dotted_twin[seat] >> bit) & 1)
            steps += (TURN_BACK - bit) * dotted
    return steps


@kernel
def survey(w: SweepWorkspace, room: int, first: int, stop: int, steps: Shorts) -> None:
    """Write the steps taken in each position of a layer; NOT_HERE for the second of a pair in one layer."""
    t = w.tables[0]
    work = w.work
    symmetric = room % SIDE == room // SIDE
    for number in range(first, stop):
        unrank(t, work[0], room, number, w.ranks)
        steps[number] = _steps_taken(work[0])
        if symmetric:
            work[0].turn = 1
            if rank(t, work[0], 1, w.ranks) < number:
                steps[number] = NOT_HERE


@kernel
def _without_last(t: Tables, s: State, seat: int) -> None:
    """Bear off a seat's rearmost marker, wherever it is."""
    s.off[seat] += 1
    if at_home(t, s, seat) >= 0:
        return
    last = s.blank[seat] & -s.blank[seat]
    if s.blank_twin[seat] & last:
        s.blank_twin[seat] &= ~last
    elif last:
        s.blank[seat] &= ~last
    else:
        last = 1
        while last * 2 <= s.dotted[seat]:
            last *= 2
        if s.dotted_twin[seat] & last:
            s.dotted_twin[seat] &= ~last
        else:
            s.dotted[seat] &= ~last


@kernel
def _guess(w: SweepWorkspace) -> int:
    """Return the initial value of `work[0]`: the mean of the values without one or the other side's last marker."""
    t = w.tables[0]
    work = w.work
    total = 0
    for seat in range(2):
        work[1] = work[0]
        _without_last(t, work[1], seat)
        if work[1].off[seat] == t.markers:
            work[1].phase = DONE
            work[1].turn = seat
        total += _worth(w.values, _reference(w, work[1]))
    return total >> 1


@kernel
def arrange(w: SweepWorkspace, room: int, first: int, stop: int, begin: int) -> None:
    """Give positions `order[first:stop]` places, each followed by the same turned round, and a first value."""
    t = w.tables[0]
    s = w.work[0]
    across = room % SIDE * SIDE + room // SIDE
    for i in range(first, stop):
        unrank(t, s, room, w.order[i], w.ranks)
        s.turn = 1
        w.place[w.base[across] + rank(t, s, 1, w.ranks)] = begin + 2 * i + 1
        w.place[w.base[room] + w.order[i]] = begin + 2 * i
        w.values[begin + 2 * i + 1] = ONE - _guess(w)
        s.turn = 0
        w.values[begin + 2 * i] = _guess(w)
