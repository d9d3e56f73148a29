"""Rules of thumb on the track of Ben Hvrt: the shortest way, round whoever is in it."""

from __future__ import annotations

from quadriga.engine.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import KEEP_DIE, PASS, STEP, STOP
from quadriga.games.benhvrt.rules.chariots import FASTEST, occupied, owner
from quadriga.games.benhvrt.rules.race import LEVER, STEPPING
from quadriga.games.benhvrt.state import State, Tables

_BLOCKED = 3  # steps at most that a chariot in the way is thought to cost
_CLOSE = 6  # steps within which a rival behind is dangerous too


@kernel
def steps_left(t: Tables, s: State, lap: int, square: int) -> int:
    """The fewest steps to the finish from a square on a lap."""
    if lap >= s.laps:
        return t.to_line[1, square]
    return t.to_line[0, square] + (s.laps - lap - 1) * t.to_line[0, 0] + t.to_line[1, 0]


@kernel
def to_finish(t: Tables, s: State, chariot: int) -> int:
    """The fewest steps that a chariot still has to go."""
    return steps_left(t, s, s.lap[chariot], s.square[chariot])


@kernel
def best_of(t: Tables, s: State, seat: int) -> int:
    """The steps that the foremost racing chariot of a player still has to go."""
    least = 10_000
    for which in range(t.chariots // t.seats):
        chariot = seat + which * t.seats
        if (s.racing >> chariot) & 1:
            least = min(least, to_finish(t, s, chariot))
    return least


@kernel
def concern(t: Tables, s: State, seat: int, chariot: int) -> int:
    """How much of a player's business another's chariot is, in tenths: more if it is ahead or close behind."""
    if owner(t, chariot) == seat:
        return 0
    return 6 if to_finish(t, s, chariot) <= best_of(t, s, seat) + _CLOSE else 2


@kernel
def in_move(t: Tables, s: State, top: int, out: Ints, n: int) -> int:
    """The higher die; the higher Speed; the step that leaves the shortest way."""
    if s.at[top] == STEPPING:
        return _step(t, s, out, n)
    if s.at[top] == LEVER:
        return out[1] if s.speed[s.mover] > min(s.roll, FASTEST) else PASS
    return KEEP_DIE + max(s.dice[0], s.dice[1]) - 1


@kernel
def _step(t: Tables, s: State, out: Ints, n: int) -> int:
    """The best of the squares that can be reached, where it is better than to stop."""
    here = s.square[s.mover]
    lap = s.lap[s.mover]
    best = STOP
    least = 10 * steps_left(t, s, lap, here) + _in_the_way(t, s, here, s.steps)
    for i in range(1, n):
        square = out[i] - STEP
        crossing = t.last[here] == 1 and square == t.ahead[here]
        if crossing and lap == s.laps:
            return out[i]
        free = s.free_lane == 1 and t.lane[square] != t.lane[here]
        left = s.steps if free else s.steps - 1
        cost = 10 * steps_left(t, s, lap + (1 if crossing else 0), square) + _in_the_way(t, s, square, left)
        if cost < least:
            least = cost
            best = out[i]
    return best


@kernel
def _in_the_way(t: Tables, s: State, square: int, left: int) -> int:
    """What it costs that a chariot stands ahead of a square, with so many steps left; in tenths of steps."""
    if left <= 0 or not occupied(t, s, t.ahead[square]) or t.ahead[square] == s.square[s.mover]:
        return 0
    return 10 * min(left, _BLOCKED)


@kernel
def in_shift(t: Tables, s: State, top: int, out: Ints, n: int) -> int:
    """A rival who was thrown at goes where his way is longest."""
    chariot = s.arg[top]
    best = STOP
    longest = to_finish(t, s, chariot)
    for i in range(1, n):
        left = steps_left(t, s, s.lap[chariot], out[i] - STEP)
        if left > longest:
            longest = left
            best = out[i]
    return best
