"""Count in games of Ur: the steps of markers, captures, and which side started."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.ur.board import TURN_BACK
from quadriga.games.ur.rules.turn import on_board
from quadriga.games.ur.state import JUMP, MOVE, OPENING, ROLL, State, Tables
from quadriga.games.ur.study.columns import (
    ALL_STEPS,
    CAPTURES,
    FIELDS,
    LANDINGS,
    LOSSES,
    MARKERS,
    OPENED,
    SPACES,
    STANDS,
    STARTED,
)


@kernel
def _add_blank(bits: int, base: int, field: int, row: Ints) -> None:
    """Add 1 to a count of every step with a blank marker."""
    while bits:
        row[base + lowest(bits) * FIELDS + field] += 1
        bits &= bits - 1


@kernel
def _add_dotted(bits: int, base: int, field: int, row: Ints) -> None:
    """Add 1 to a count of every step with a dotted marker."""
    while bits:
        row[base + (TURN_BACK - lowest(bits)) * FIELDS + field] += 1
        bits &= bits - 1


@kernel
def count_step(t: Tables, before: State, s: State, seat: int, action: int, at: Ints, row: Ints) -> None:
    """Count where markers stand before a decision, where the moved one lands, and where one is captured."""
    if (before.phase == OPENING or before.phase == JUMP) and s.phase == ROLL:
        opened = at[OPENED]
        row[opened + STARTED] = s.turn
        row[opened + MARKERS] = s.blank[0]
        row[opened + MARKERS + 1] = s.blank[1]
    if seat < 0:
        return
    for side in range(2):
        base = at[SPACES] + side * ALL_STEPS * FIELDS
        _add_blank(before.blank[side], base, STANDS, row)
        _add_blank(before.blank_twin[side], base, STANDS, row)
        _add_dotted(before.dotted[side], base, STANDS, row)
        _add_dotted(before.dotted_twin[side], base, STANDS, row)
    mine = at[SPACES] + seat * ALL_STEPS * FIELDS
    to = (action >> 2) + (action & 3) + 1
    row[mine + to * FIELDS + LANDINGS] += 1
    them = seat ^ 1
    if before.phase == MOVE and on_board(s, them) < on_board(before, them):
        row[mine + to * FIELDS + CAPTURES] += 1
        theirs = at[SPACES] + them * ALL_STEPS * FIELDS
        _add_blank(before.blank[them] & ~s.blank[them], theirs, LOSSES, row)
        _add_dotted(before.dotted[them] & ~s.dotted[them], theirs, LOSSES, row)


@kernel
def standing(t: Tables, s: State, out: Ints) -> None:
    """Write the steps that the markers of each side have made."""
    for side in range(2):
        steps = s.off[side] * t.off
        for twin in range(2):
            bits = s.blank_twin[side] if twin else s.blank[side]
            while bits:
                steps += lowest(bits)
                bits &= bits - 1
            bits = s.dotted_twin[side] if twin else s.dotted[side]
            while bits:
                steps += TURN_BACK - lowest(bits)
                bits &= bits - 1
        out[side] = steps
