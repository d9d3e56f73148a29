"""Moves under the rule sets with one kind of marker: finkel, masters and blitz."""

from __future__ import annotations

from quadriga.engine.kernels.bits import count, lowest, without_lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.rng import Rng, below
from quadriga.engine.kernels.slots import OWN_COUNTS
from quadriga.games.ur.state import DONE, State, Tables


@kernel
def as_seen(t: Tables, theirs: int) -> int:
    """Return the other side's markers on the steps of this side's path. The function is its own inverse."""
    if (t.two | t.four) == 0:
        return theirs & t.same
    return (
        (theirs & t.same)
        | ((theirs & t.two) << 2)
        | ((theirs >> 2) & t.two)
        | ((theirs & t.four) << 4)
        | ((theirs >> 4) & t.four)
    )


@kernel
def reached(t: Tables, mine: int, off: int, theirs: int, roll: int) -> int:
    """Return the steps that markers reach: not those with own markers, nor safe rosettes with enemy ones."""
    sources = mine | (1 if count(mine) + off < t.markers else 0)
    blocked = mine | (as_seen(t, theirs) & t.safe)
    return (sources << roll) & ~blocked & t.reach


@kernel
def rolls_again(t: Tables, target: int, victim: int) -> int:
    """Return 1 if a move to this bit, with this capture, gives another roll, else 0."""
    return (1 if target & t.rosettes else 0) | (t.capture_again if victim else 0)


@kernel
def targets(t: Tables, s: State, me: int, roll: int) -> int:
    """Return the steps that the markers of a seat reach."""
    return reached(t, s.blank[me], s.off[me], s.blank[me ^ 1], roll)


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
    """Move a marker; return 1 if the same player rolls again, else 0."""
    them = me ^ 1
    target = 1 << to
    s.blank[me] &= ~(1 << step)
    if to == t.off:
        s.off[me] += 1
        return 0
    s.blank[me] |= target
    victim = as_seen(t, target) & s.blank[them]
    s.blank[them] &= ~victim
    return rolls_again(t, target, victim)


@kernel
def playout(t: Tables, s: State, rng: Rng, counts: Ints) -> None:
    """Play from a roll to the end with random moves, and count what `turn.tally` counts.

    The position is in local variables, which compiled code keeps in registers.
    """
    me = s.turn & 1
    mine = s.blank[me]
    my_off = s.off[me]
    theirs = s.blank[me ^ 1]
    their_off = s.off[me ^ 1]
    rolls = 0
    moves = 0
    turns = 0  # that passed to the other side
    captures = 0
    while my_off < t.markers:
        rolls += 1
        again = 0
        roll = t.faces[below(rng, t.throws)]
        left = reached(t, mine, my_off, theirs, roll)
        if left:
            moves += 1
            left = without_lowest(left, below(rng, count(left)))
            target = left & -left
            mine &= ~(target >> roll)
            if target >> t.off:
                my_off += 1
                if my_off == t.markers:
                    break
            else:
                mine |= target
                victim = as_seen(t, target) & theirs
                theirs &= ~victim
                captures += 1 if victim else 0
                again = rolls_again(t, target, victim)
        if not again:
            turns += 1
            mine, theirs = theirs, mine
            my_off, their_off = their_off, my_off
    me ^= turns & 1
    s.phase = DONE
    s.turn = me
    s.blank[me] = mine
    s.off[me] = my_off
    s.blank[me ^ 1] = theirs
    s.off[me ^ 1] = their_off
    counts[0] += moves
    counts[1] += rolls
    counts[OWN_COUNTS] += captures
    counts[OWN_COUNTS + 2] += rolls - 1 - turns
    counts[OWN_COUNTS + 3] += rolls - moves
