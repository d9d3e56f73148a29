"""The opening (UR-3): both sides roll and move one marker until one of them is ahead, which starts."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import kernel
from quadriga.games.ur.board import SHARED
from quadriga.games.ur.rules.ben import jumps_from
from quadriga.games.ur.state import JUMP, OPENING, ROLL, State


@kernel
def marker_step(s: State, seat: int) -> int:
    """Return the step of a seat's only marker; 0 at home."""
    return lowest(s.blank[seat]) if s.blank[seat] else 0


@kernel
def apply_rolls(s: State, black: int, white: int) -> None:
    """UR-3.2, UR-3.3: apply both opening rolls. A roll of 0 is a jump; two zeros may be void."""
    s.turn = 0
    if black == 0 and white == 0:
        common = jumps_from(s, 0, marker_step(s, 0)) & jumps_from(s, 1, marker_step(s, 1)) & SHARED
        s.jumps = 0 if common else 3
    else:
        if black:
            s.blank[0] = 1 << (marker_step(s, 0) + black)
        if white:
            s.blank[1] = 1 << (marker_step(s, 1) + white)
        s.jumps = (0 if black else 1) + (0 if white else 2)
        if s.jumps == 0:
            compare(s)
    if s.jumps:
        s.phase = JUMP
        s.turn = 0 if s.jumps & 1 else 1


@kernel
def apply_jump(s: State, seat: int, to: int) -> None:
    """UR-3.2: apply the jump for an opening roll of 0; continue with the other seat's jump or the comparison."""
    s.blank[seat] = 1 << to
    s.jumps &= ~(1 << seat)
    if s.jumps:
        s.turn = 1
    else:
        compare(s)


@kernel
def compare(s: State) -> None:
    """UR-3.4: compare the markers. The one further along starts; two that meet go home; two level ones roll on."""
    black = marker_step(s, 0)
    white = marker_step(s, 1)
    s.phase = OPENING
    s.turn = 0
    if black != white:
        s.phase = ROLL
        s.turn = 0 if black > white else 1
    elif (1 << black) & SHARED:
        s.blank[0] = 0
        s.blank[1] = 0
