"""Rules of thumb on the track of Ben Hvrt: take the shortest way round the other chariots."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import KEEP_DIE, PASS, STEP, STOP
from quadriga.games.benhvrt.bots.values import (
    CLOSE_AHEAD,
    CLOSE_BEHIND,
    FAR_AHEAD,
    FAR_BEHIND,
    HOW_CLOSE_AHEAD,
    HOW_CLOSE_BEHIND,
    OF_FIRST,
    value,
)
from quadriga.games.benhvrt.rules.chariots import FASTEST, is_occupied, owner, steps_left, to_finish
from quadriga.games.benhvrt.rules.phases.race import LEVER, STEPPING
from quadriga.games.benhvrt.state import State, Tables

_HALF = 63  # squares whose bits fit into one integer


@kernel
def best_of(t: Tables, s: State, seat: int) -> int:
    """Return the fewest steps to the finish from the foremost racing chariot of a player."""
    least = 10_000
    for which in range(t.chariots // t.seats):
        chariot = seat + which * t.seats
        if (s.racing >> chariot) & 1:
            least = min(least, to_finish(t, s, chariot))
    return least


@kernel
def concern(t: Tables, s: State, seat: int, chariot: int) -> int:
    """Return how much a rival chariot matters to a player, in eightieths, by where it is."""
    if owner(t, chariot) == seat:
        return 0
    behind = to_finish(t, s, chariot) - best_of(t, s, seat)
    much = value(t, s, FAR_AHEAD)
    if 8 * behind > value(t, s, HOW_CLOSE_BEHIND):
        much = value(t, s, FAR_BEHIND)
    elif behind > 0:
        much = value(t, s, CLOSE_BEHIND)
    elif -8 * behind < value(t, s, HOW_CLOSE_AHEAD):
        much = value(t, s, CLOSE_AHEAD)
    return much * value(t, s, OF_FIRST + rank(t, s, chariot)) // 64


@kernel
def rank(t: Tables, s: State, chariot: int) -> int:
    """Return how many chariots are ahead of a racing one, those that have finished too; 3 if more."""
    mine = to_finish(t, s, chariot)
    ahead = s.finishers
    rest = s.racing
    while rest:
        if to_finish(t, s, lowest(rest)) < mine:
            ahead += 1
        rest &= rest - 1
    return min(ahead, 3)


@kernel
def rank_of_seat(t: Tables, s: State, seat: int) -> int:
    """Return how many chariots are ahead of the foremost racing one of a player; 3 if more."""
    best = 3
    for which in range(t.chariots // t.seats):
        chariot = seat + which * t.seats
        if (s.racing >> chariot) & 1:
            best = min(best, rank(t, s, chariot))
    return best


@kernel
def in_move(t: Tables, s: State, top: int, out: Ints, n: int, lanes: bool) -> int:
    """Return the higher die, the higher Speed, or the step on the best way; without `lanes`, the nearest step."""
    if s.at[top] == STEPPING:
        if (
            n > 1
            and s.steps > 0
            and to_finish(t, s, s.mover) == 1
            and not is_occupied(s, t.ahead[s.square[s.mover]])
        ):
            return out[1]
        return _best_way_step(t, s, out, n) if lanes else _nearest_step(t, s, out, n)
    if s.at[top] == LEVER:
        return out[1] if s.speed[s.mover] > min(s.roll, FASTEST) else PASS
    return KEEP_DIE + max(s.dice[0], s.dice[1]) - 1


@kernel
def _nearest_step(t: Tables, s: State, out: Ints, n: int) -> int:
    """Return the step that leaves the fewest steps, without looking at chariots further on."""
    least = to_finish(t, s, s.mover)
    best = STOP
    for i in range(1, n):
        left = _steps_from(t, s, out[i] - STEP)
        if left < least:
            least = left
            best = out[i]
    return best


@kernel
def _best_way_step(t: Tables, s: State, out: Ints, n: int) -> int:
    """Return the first step of a way that ends as near to the finish as the allowance and other chariots permit."""
    low = 0
    high = 0
    rest = s.racing
    while rest:
        square = s.square[lowest(rest)]
        rest &= rest - 1
        if square < _HALF:
            low |= 1 << square
        else:
            high |= 1 << (square - _HALF)
    here = s.square[s.mover]
    now = to_finish(t, s, s.mover)
    for goal in range(now - s.steps, now):
        for i in range(1, n):
            square = out[i] - STEP
            free = s.free_lane == 1 and t.lane[square] != t.lane[here]
            if _reaches(t, s, square, s.steps if free else s.steps - 1, goal, low, high):
                return out[i]
    return STOP


@kernel
def _steps_from(t: Tables, s: State, square: int) -> int:
    """Return the fewest steps to the finish from a square near the mover. A square far behind is past the line."""
    past = t.front[square] < t.front[s.square[s.mover]] - t.lap_length // 2
    return steps_left(t, s, s.lap[s.mover] + (1 if past else 0), square)


@kernel
def _reaches(t: Tables, s: State, square: int, left: int, goal: int, taken_low: int, taken_high: int) -> bool:
    """Return whether the mover, on a square with `left` steps, can come within `goal` steps of the finish.

    Sets of squares are bits in two integers.
    """
    low = 1 << square if square < _HALF else 0
    high = 1 << (square - _HALF) if square >= _HALF else 0
    for rest in range(left, -1, -1):
        now_low = low & ~taken_low
        now_high = high & ~taken_high
        low = 0
        high = 0
        while now_low | now_high:
            if now_low:
                place = lowest(now_low)
                now_low &= now_low - 1
            else:
                place = lowest(now_high) + _HALF
                now_high &= now_high - 1
            near = _steps_from(t, s, place)
            if near <= goal or (near == 1 and rest > 0 and not is_occupied(s, t.ahead[place])):
                return True
            if near - rest <= goal:
                if t.ahead[place] < _HALF:
                    low |= 1 << t.ahead[place]
                else:
                    high |= 1 << (t.ahead[place] - _HALF)
                for i in range(t.sides[place]):
                    if t.beside[place, i] < _HALF:
                        low |= 1 << t.beside[place, i]
                    else:
                        high |= 1 << (t.beside[place, i] - _HALF)
    return False


@kernel
def in_shift(t: Tables, s: State, out: Ints, n: int) -> int:
    """Return the square that leaves a shifted rival the longest way."""
    chariot = s.shifted
    best = STOP
    longest = to_finish(t, s, chariot)
    for i in range(1, n):
        left = steps_left(t, s, s.lap[chariot], out[i] - STEP)
        if left > longest:
            longest = left
            best = out[i]
    return best
