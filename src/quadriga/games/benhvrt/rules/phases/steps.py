"""Steps, passing and shifts (BH-6.3, BH-6.4, BH-6.7, BH-6.9)."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import STEP, STOP
from quadriga.games.benhvrt.deck.operations import CODES, PA, PB
from quadriga.games.benhvrt.rules.chariots import distance, fitted, is_occupied, move_to, owner, set_speed, strength
from quadriga.games.benhvrt.rules.stack import open_window, pop, push
from quadriga.games.benhvrt.state import PASSING, TRACK_WORDS, State, Tables

WHEN_PASSED = CODES["when-passed"]
WHEN_PASSING = CODES["when-passing"]


@kernel
def side_steps(t: Tables, s: State, square: int, out: Ints, n: int) -> int:
    """BH-1.2: write the steps to free squares of neighbouring lanes from index n on; return the end.

    Each is written, and counts if its square is free: a branch would be guessed wrong too often.
    """
    for i in range(t.sides[square]):
        beside = t.beside[square, i]
        out[n] = STEP + beside
        n += 0 if is_occupied(s, beside) else 1
    return n


@kernel
def can_change_lane(t: Tables, s: State, square: int) -> bool:
    """Return whether a square of a neighbouring lane is free."""
    for i in range(t.sides[square]):
        if not is_occupied(s, t.beside[square, i]):
            return True
    return False


@kernel
def legal_steps(t: Tables, s: State, out: Ints) -> int:
    """BH-6.3: write a stop and the steps ahead and sideways. Without allowance only a free lane change is left."""
    square = s.square[s.mover]
    out[0] = STOP
    n = 1
    if s.steps > 0 and not is_occupied(s, t.ahead[square]):
        out[n] = STEP + t.ahead[square]
        n += 1
    return side_steps(t, s, square, out, n)


@kernel
def note_progress(t: Tables, s: State, chariot: int) -> None:
    """BH-6.8: note whether a chariot has passed its own greatest distance of this race."""
    driven = distance(t, s, chariot)
    if driven > s.best[chariot]:
        s.best[chariot] = driven
        s.advanced = 1


@kernel
def pass_others(t: Tables, s: State) -> bool:
    """BH-6.9: apply the automatic effects of passing; then open the windows for each target, by number.

    Return whether anybody was passed.
    """
    targets = passed_now(t, s) & ~s.passed
    s.passed |= targets
    rest = targets
    while rest:
        target = lowest(rest)
        rest &= rest - 1
        _change_speeds(t, s, target, target, WHEN_PASSED)
        _change_speeds(t, s, s.mover, target, WHEN_PASSING)
    if targets:
        s.to_pass = targets
        push(s, PASSING, owner(t, s.mover))
    return targets != 0


@kernel
def _change_speeds(t: Tables, s: State, fitted_to: int, target: int, operation: int) -> None:
    """Change the Speed of a passed chariot by the cards fitted to a chariot."""
    kinds = fitted(t, s, fitted_to, operation)
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        set_speed(s, target, s.speed[target] + strength(t, kind, operation))


@kernel
def passed_now(t: Tables, s: State) -> int:
    """BH-6.9: return the chariots on overlapping squares of neighbouring lanes that the mover has passed."""
    square = s.square[s.mover]
    if not _is_near_others(t, s, square):
        return 0
    found = 0
    rest = s.racing & ~(1 << s.mover)
    while rest:
        other = lowest(rest)
        rest &= rest - 1
        there = s.square[other]
        found |= ((t.passes[square, there >> 5] >> (there & 31)) & 1) << other
    return found


@kernel
def _is_near_others(t: Tables, s: State, square: int) -> bool:
    """Return whether a step to a square passes a chariot."""
    near = 0
    for word in range(TRACK_WORDS):
        near |= t.passes[square, word] & s.taken[word]
    return near != 0


@kernel
def run_passing(t: Tables, s: State, top: int) -> None:
    """BH-6.9: open window PB, then window PA, for each target. A halt closes the rest."""
    if s.halted or s.to_pass == 0:
        s.to_pass = 0
        pop(s)
        return
    target = lowest(s.to_pass)
    if s.at[top] == 0:
        s.at[top] = 1
        open_window(t, s, s.seat[top], PB, target)
    else:
        s.at[top] = 0
        s.to_pass &= ~(1 << target)
        open_window(t, s, owner(t, target), PA, target)


@kernel
def run_shift(t: Tables, s: State, top: int) -> None:
    """Ask for the next square of a shift, or end it."""
    if s.shift_left == 0:
        _end_shift(s)
    else:
        s.asked = s.seat[top]


@kernel
def _end_shift(s: State) -> None:
    s.shifted = 0
    s.shift_left = 0
    pop(s)


@kernel
def legal_shifts(t: Tables, s: State, out: Ints) -> int:
    """Write a stop and the squares to shift to: in any direction, empty, and not across the line."""
    square = s.square[s.shifted]
    out[0] = STOP
    n = 1
    if not t.last[square] and not is_occupied(s, t.ahead[square]):
        out[n] = STEP + t.ahead[square]
        n += 1
    behind = t.behind[square]
    if not t.last[behind] and not is_occupied(s, behind):
        out[n] = STEP + behind
        n += 1
    return side_steps(t, s, square, out, n)


@kernel
def answer_shift(t: Tables, s: State, action: int) -> None:
    """Shift the chariot by one square, without passing; or stop."""
    if action == STOP:
        _end_shift(s)
        return
    move_to(s, s.shifted, action - STEP)
    s.shift_left -= 1
    note_progress(t, s, s.shifted)
