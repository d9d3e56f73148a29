"""Moves under the rule sets with one kind of marker: finkel, masters and blitz."""

from __future__ import annotations

from quadriga.engine.kernels.bits import count, lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.ur.state import State, Tables


@kernel
def as_seen(t: Tables, theirs: int) -> int:
    """Return the other side's markers on the steps of this side's path. The function is its own inverse."""
    return (
        (theirs & t.same)
        | ((theirs & t.two) << 2)
        | ((theirs >> 2) & t.two)
        | ((theirs & t.four) << 4)
        | ((theirs >> 4) & t.four)
    )


@kernel
def targets(t: Tables, s: State, me: int, roll: int) -> int:
    """Return the steps that markers reach: not those with own markers, nor safe rosettes with enemy ones."""
    mine = s.blank[me]
    sources = mine | (1 if count(mine) + s.off[me] < t.markers else 0)
    blocked = mine | (as_seen(t, s.blank[me ^ 1]) & t.safe)
    return (sources << roll) & ~blocked & t.reach


@kernel
def legal_moves(t: Tables, s: State, me: int, roll: int, out: Ints) -> int:
    """Write the moves of one marker by the full roll; return how many. The exact roll bears off."""
    n = 0
    left = targets(t, s, me, roll)
    while left:
        out[n] = (lowest(left) - roll) * 4 + roll - 1
        n += 1
        left &= left - 1
    return n


@kernel
def move(t: Tables, s: State, me: int, step: int, to: int) -> int:
    """Move a marker; return the number of captured markers, 0 or 1."""
    them = me ^ 1
    s.blank[me] &= ~(1 << step)
    if to == t.off:
        s.off[me] += 1
        return 0
    s.blank[me] |= 1 << to
    victim = as_seen(t, 1 << to) & s.blank[them]
    s.blank[them] &= ~victim
    return 1 if victim else 0
