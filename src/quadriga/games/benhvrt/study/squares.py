"""Count on the squares of Ben Hvrt: where chariots stand, move, are in the way, and are passed."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import PLAY, STEP
from quadriga.games.benhvrt.rules.chariots import is_occupied, move_to
from quadriga.games.benhvrt.rules.phases.race import STEPPING
from quadriga.games.benhvrt.rules.phases.steps import passed_now
from quadriga.games.benhvrt.state import MOVING, SHIFT, State, Tables
from quadriga.games.benhvrt.study.counts import BLOCKS, LANDINGS, OVERTAKES, SQUARE_FIELDS, STANDS
from quadriga.games.benhvrt.study.row import SQUARES

_MOVE = 2  # the frame of a move: above the series and the race


@kernel
def count_squares(t: Tables, before: State, s: State, seat: int, action: int, at: Ints, row: Ints) -> None:
    """Count a step or a shift, which is then applied to the copy; and the chariots at the start of each move."""
    top = before.depth - 1
    is_step = seat >= 0 and action >= STEP and action < PLAY
    if before.task[top] == MOVING and before.at[top] == STEPPING and seat >= 0:
        ahead = t.ahead[before.square[before.mover]]
        if before.steps > 0 and is_occupied(before, ahead):
            row[at[SQUARES] + ahead * SQUARE_FIELDS + BLOCKS] += 1
        if is_step and not _finishes(t, before, action - STEP):
            _move_to(t, before, before.mover, action - STEP, at, row)
            rest = passed_now(t, before) & ~before.passed
            while rest:
                row[at[SQUARES] + before.square[lowest(rest)] * SQUARE_FIELDS + OVERTAKES] += 1
                rest &= rest - 1
    elif before.task[top] == SHIFT and is_step:
        _move_to(t, before, before.shifted, action - STEP, at, row)
    if _begins_move(before, s):
        rest = s.racing
        while rest:
            row[at[SQUARES] + s.square[lowest(rest)] * SQUARE_FIELDS + STANDS] += 1
            rest &= rest - 1


@kernel
def _finishes(t: Tables, s: State, to: int) -> bool:
    """BH-6.7: return whether a step of the mover to a square leads over the Finish Line in the last lap."""
    square = s.square[s.mover]
    return t.last[square] == 1 and to == t.ahead[square] and s.lap[s.mover] == s.laps


@kernel
def _move_to(t: Tables, s: State, chariot: int, to: int, at: Ints, row: Ints) -> None:
    """Apply a step to the copy, and count it."""
    square = s.square[chariot]
    if t.last[square] and to == t.ahead[square]:
        s.lap[chariot] += 1
    move_to(s, chariot, to)
    row[at[SQUARES] + to * SQUARE_FIELDS + LANDINGS] += 1


@kernel
def _begins_move(before: State, s: State) -> bool:
    """Return whether the move of a chariot has begun in this step. Within a move, its stage only rises."""
    if s.task[_MOVE] != MOVING or s.depth <= _MOVE:
        return False
    if before.depth <= _MOVE or before.task[_MOVE] != MOVING:
        return True
    return before.mover != s.mover or s.at[_MOVE] < before.at[_MOVE]
