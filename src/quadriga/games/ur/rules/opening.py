"""Who starts (UR-3): both roll and move one marker until one of them is ahead."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import kernel
from quadriga.games.ur.board import SHARED
from quadriga.games.ur.rules.ben import jumps_from
from quadriga.games.ur.state import JUMP, OPENING, ROLL, State


@kernel
def place(s: State, seat: int) -> int:
    """The step of a seat's one marker; 0 at home."""
    return lowest(s.blank[seat]) if s.blank[seat] else 0


@kernel
def both_rolled(s: State, black: int, white: int) -> None:
    """UR-3.2, UR-3.3: forced moves happen at once, rolls of 0 are jumped, two zeros may be void."""
    s.turn = 0
    if black == 0 and white == 0:
        common = jumps_from(s, 0, place(s, 0)) & jumps_from(s, 1, place(s, 1)) & SHARED
        s.jumps = 0 if common else 3
    else:
        if black:
            s.blank[0] = 1 << (place(s, 0) + black)
        if white:
            s.blank[1] = 1 << (place(s, 1) + white)
        s.jumps = (0 if black else 1) + (0 if white else 2)
        if s.jumps == 0:
            judge(s)
    if s.jumps:
        s.phase = JUMP
        s.turn = 0 if s.jumps & 1 else 1


@kernel
def jumped(s: State, seat: int, to: int) -> None:
    """An opening roll of 0 has been jumped; then the other's, or the judgement."""
    s.blank[seat] = 1 << to
    s.jumps &= ~(1 << seat)
    if s.jumps:
        s.turn = 1
    else:
        judge(s)


@kernel
def judge(s: State) -> None:
    """UR-3.4: the marker further along starts; who meets goes home; level markers go on."""
    black = place(s, 0)
    white = place(s, 1)
    s.phase = OPENING
    s.turn = 0
    if black != white:
        s.phase = ROLL
        s.turn = 0 if black > white else 1
    elif (1 << black) & SHARED:
        s.blank[0] = 0
        s.blank[1] = 0
