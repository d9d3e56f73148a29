"""Bellman's equation for Ur: a position is worth the mean over the rolls of the best move.

All in whole numbers, in parts of `ONE`: plain and compiled code agree to the last bit, and every value is as exact
as any other, to less than one thousand millionth.

No roll, no turn that is lost, and no move but a capture takes a marker back. So positions are visited from the most
steps gone to the fewest. Those with equally many do not look at each other, except for a position and the same one
with the other side to roll, where a turn is lost: the two are solved together. So any number of workers gives the
same values.
"""

from __future__ import annotations

from quadriga.engine.kernel import Flags, Ints, Shorts, Values, kernel
from quadriga.engine.record import Batch
from quadriga.games.ur.board import LAST_BLANK, TURN_BACK
from quadriga.games.ur.rules.turn import ROLLS, at_home, legal, step
from quadriga.games.ur.state import DONE, MOVE, ROLL, State, Tables
from quadriga.players.exact.ranking import SIDE, layer, rank, unrank
from quadriga.players.exact.tables import ONE

NOT_HERE = -1  # a position that is solved with the other one of its pair
ALWAYS = (1 << 31) - 1  # sure whatever happens: there is nothing to choose
_LOST = 31  # bits of the ways to lose the turn
WORK = 4  # positions that a worker needs room for

# Values stand in one array: two that are always 0, then the layers below, then the layer under way. A reference is
# a place in it, or that with all bits turned over for the other side's chance: what is left of `ONE`.
OVER = 0  # a lost game; turned over, a won one
NO_MOVE = 1  # a turn that is lost
BELOW = 2  # where the layers below begin


@kernel
def referred(t: Tables, s: State, keys: Ints, before: Ints, base: Ints, own: Flags, place: Values) -> int:
    """The reference of seat 0 to a position that is to be rolled in, or is over.

    `base` says where layers begin: those below among the values, the `own` ones in the list of their places.
    """
    if s.phase == DONE:
        return ~OVER if s.turn == 0 else OVER
    me = s.turn & 1
    room = layer(t, s, me)
    at = base[room] + rank(t, s, me, keys, before)
    if own[room]:
        at = place[at]
    return at if me == 0 else ~at


@kernel
def worth(values: Values, reference: int) -> int:
    """The value that is referred to."""
    turned = reference >> 63
    return (values[reference ^ turned] ^ turned) - turned + (ONE & turned)


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
    t: Tables,
    work: Batch[State],
    at: int,
    keys: Ints,
    before: Ints,
    base: Ints,
    own: Flags,
    place: Values,
    values: Values,
    out: Ints,
    book: Values,
    line: int,
    lead: Ints,
) -> int:
    """What rolls bring that seat 0 can move in `work[at]`, weighed by the dice; and the ways to lose the turn.

    A reference to what the best move of each roll leads to goes into the book, from `line` on; `lead` is lowered
    to the least by which a best move is better than the next.
    """
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
                reference = referred(t, work[at + 1], keys, before, base, own, place)
                value = worth(values, reference)
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
                lead[0] = min(lead[0], best - second)
            book[line] = chosen
            line += 1
    s.phase = ROLL
    s.roll = 0
    return total * (_LOST + 1) + lost


@kernel
def _settle(all_ways: int, a: int, b: int, lost: int, other_lost: int, mine: int, values: Values) -> int:
    """Solve a position and the same turned round, at `mine` and after it; returns the larger change.

    `a` and `b` are what moves bring to either, and the ways to lose the turn lead from each to the other.
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
def _by_the_book(i: int, all_ways: int, weights: Ints, begin: int, values: Values, book: Values) -> int:
    """Solve the pair at `i` in the order for the moves in the book; returns the larger change."""
    lines = len(weights)
    line = 2 * i * lines
    a = 0
    b = 0
    lost = 0
    other_lost = 0
    for j in range(lines):
        weight = weights[j]
        reference = book[line + j]
        a += weight * worth(values, reference)
        lost += weight if reference == NO_MOVE else 0
        reference = book[line + lines + j]
        b += weight * worth(values, reference)
        other_lost += weight if reference == NO_MOVE else 0
    return _settle(all_ways, a, b, lost, other_lost, begin + 2 * i, values)


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
    own: Flags,
    place: Values,
    values: Values,
    out: Ints,
    book: Values,
    weights: Ints,
    begin: int,
    sure: Values,
    drift: int,
    lead: Ints,
) -> int:
    """Solve positions `order[first:stop]` of a layer, and the same turned round; returns the largest change.

    The best moves go into the book. `drift` is how far any value may have moved since the drift was 0; until it is
    more than what `sure` says of a position, its moves in the book are the best and are not looked for again.
    """
    t = tables[0]
    lines = len(weights)
    parts = _LOST + 1
    largest = 0
    for i in range(first, stop):
        if sure[i] >= drift:
            change = _by_the_book(i, t.throws, weights, begin, values, book)
        else:
            unrank(t, work[0], room, order[i], before, contents)
            work[2] = work[0]
            turn_round(work[2])
            line = 2 * i * lines
            lead[0] = ONE
            a = _moved(t, work, 0, keys, before, base, own, place, values, out, book, line, lead)
            b = _moved(t, work, 2, keys, before, base, own, place, values, out, book, line + lines, lead)
            sure[i] = ALWAYS if lead[0] == ONE else drift + (lead[0] >> 1)
            change = _settle(t.throws, a // parts, b // parts, a & _LOST, b & _LOST, begin + 2 * i, values)
        largest = max(largest, change)
    return largest


@kernel
def follow(all_ways: int, first: int, stop: int, weights: Ints, begin: int, values: Values, book: Values) -> int:
    """Solve positions `first` to `stop - 1` of the order again, for the moves in the book; the largest change."""
    largest = 0
    for i in range(first, stop):
        largest = max(largest, _by_the_book(i, all_ways, weights, begin, values, book))
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
    own: Flags,
    place: Values,
    values: Values,
    out: Ints,
    book: Values,
    lead: Ints,
) -> int:
    """The Bellman residual of positions `first` to `stop - 1` of a layer: the most that a value is off by."""
    t = tables[0]
    largest = 0
    for number in range(first, stop):
        unrank(t, work[0], room, number, before, contents)
        a = _moved(t, work, 0, keys, before, base, own, place, values, out, book, 0, lead)
        work[1] = work[0]
        work[1].turn = 1
        lost = (a & _LOST) * worth(values, referred(t, work[1], keys, before, base, own, place))
        value = (a // (_LOST + 1) + lost + (t.throws >> 1)) // t.throws
        largest = max(largest, abs(value - values[place[base[room] + number]]))
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


@kernel
def _without_last(t: Tables, s: State, seat: int) -> None:
    """Bear off a seat's rearmost marker, wherever it stands."""
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
def _guess(
    t: Tables, work: Batch[State], keys: Ints, before: Ints, base: Ints, own: Flags, place: Values, values: Values
) -> int:
    """What `work[0]` were worth without the rearmost marker of one side or of the other: the mean of both."""
    total = 0
    for seat in range(2):
        work[1] = work[0]
        _without_last(t, work[1], seat)
        if work[1].off[seat] == t.markers:
            work[1].phase = DONE
            work[1].turn = seat
        total += worth(values, referred(t, work[1], keys, before, base, own, place))
    return total >> 1


@kernel
def arrange(
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
    begin: int,
    own: Flags,
    place: Values,
    values: Values,
) -> None:
    """Give positions `order[first:stop]` places, each followed by the same turned round, and a first value."""
    t = tables[0]
    across = room % SIDE * SIDE + room // SIDE
    for i in range(first, stop):
        unrank(t, work[0], room, order[i], before, contents)
        work[0].turn = 1
        place[base[across] + rank(t, work[0], 1, keys, before)] = begin + 2 * i + 1
        place[base[room] + order[i]] = begin + 2 * i
        values[begin + 2 * i + 1] = ONE - _guess(t, work, keys, before, base, own, place, values)
        work[0].turn = 0
        values[begin + 2 * i] = _guess(t, work, keys, before, base, own, place, values)
