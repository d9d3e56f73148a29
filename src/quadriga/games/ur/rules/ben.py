"""Moves under Ben's rules (UR-5, UR-6, UR-7)."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.ur.board import (
    BLANK_STEPS,
    CENTRE,
    CONVERSION,
    DOTTED_STEPS,
    FAR,
    LAST_BLANK,
    OFF,
    PASSAGE,
    PLAIN,
    ROSETTE,
    SHARED,
    STEPS,
    TURN_BACK,
)
from quadriga.games.ur.state import State


@kernel
def exchanged(dotted: int) -> int:
    """Return dotted markers with bits 13 and 15 exchanged (see `board`).

    In this form they meet the other side's dotted markers and their own side's blank ones.
    """
    return (dotted & ~CONVERSION) | ((dotted & CONVERSION) << 2 | (dotted & CONVERSION) >> 2) & CONVERSION


@kernel
def _full_rosettes(mine: int, mine_other: int, theirs: int, theirs_other: int, twins: int) -> int:
    """UR-5.2: return the Rosettes that hold two markers already. "other" markers are those of the other type."""
    a = mine_other & CENTRE
    b = theirs & CENTRE
    c = theirs_other & (CENTRE | FAR)
    return (twins | (mine & a) | (b & c) | ((mine | a) & (b | c))) & ROSETTE


@kernel
def free_for_blank(s: State, me: int, jump: bool) -> int:
    """UR-5, UR-6.2: return the steps on which a blank marker may land. A jump captures nothing."""
    them = me ^ 1
    blank = s.blank[me]
    dotted = s.dotted[me]
    facing = s.blank[them] & SHARED
    across = s.dotted[them]
    twins = (
        s.blank_twin[me]
        | ((s.dotted_twin[me] | s.blank_twin[them]) & CENTRE)
        | (s.dotted_twin[them] & (CENTRE | FAR))
    )
    taken = facing if jump else 0
    return (
        (PLAIN & ~(blank | dotted | across | taken))
        | (PASSAGE & ~(blank | taken))
        | (ROSETTE & ~_full_rosettes(blank, dotted, facing, across, twins))
        | (CONVERSION & ~(exchanged(dotted) | across))
    )


@kernel
def free_for_dotted(s: State, me: int, jump: bool) -> int:
    """UR-5, UR-6.2: return the bits on which a dotted marker may land."""
    them = me ^ 1
    blank = s.blank[me] & SHARED
    dotted = s.dotted[me]
    facing = exchanged(s.dotted[them])
    across = s.blank[them]
    twins = (
        s.dotted_twin[me]
        | ((s.blank_twin[me] | s.dotted_twin[them]) & CENTRE)
        | (s.blank_twin[them] & (CENTRE | FAR))
    )
    taken = facing if jump else 0
    return DOTTED_STEPS & (
        (PLAIN & ~(blank | dotted | across | taken))
        | ((PASSAGE | CONVERSION) & ~(dotted | taken))
        | (ROSETTE & ~_full_rosettes(dotted, blank, facing, across, twins))
    )


@kernel
def blank_span(step: int) -> int:
    """UR-6.1, UR-5.5: return the steps to which a blank marker may jump: up to the next Rosette and step 15."""
    last = min((step | 3) + 1, LAST_BLANK)
    return (2 << last) - (2 << step)


@kernel
def dotted_span(bit: int) -> int:
    """UR-6.1: return the bits to which a dotted marker may jump: up to the next Rosette and step 23."""
    last = min(((TURN_BACK - bit) | 3) + 1, STEPS)
    return (1 << bit) - (1 << (TURN_BACK - last))


@kernel
def blank_targets(s: State, me: int, home: int, roll: int) -> int:
    """Return the steps that blank markers reach with a roll other than 0."""
    sources = s.blank[me] | (1 if home > 0 else 0)
    return (sources << roll) & BLANK_STEPS & free_for_blank(s, me, False)


@kernel
def dotted_targets(s: State, me: int, roll: int) -> int:
    """Return the bits that dotted markers reach with a roll other than 0. The exact roll bears off (UR-7.1)."""
    return (s.dotted[me] >> roll) & (free_for_dotted(s, me, False) | OFF)


@kernel
def jumps_from(s: State, me: int, step: int) -> int:
    """Return the steps to which the blank marker on a step, or one at home (step 0), may jump."""
    return blank_span(step) & free_for_blank(s, me, True)


@kernel
def legal_moves(s: State, me: int, home: int, roll: int, out: Ints) -> int:
    """UR-4.1: write the moves of one marker by the full roll; return how many."""
    n = 0
    targets = blank_targets(s, me, home, roll)
    while targets:
        out[n] = (lowest(targets) - roll) * 4 + roll - 1
        n += 1
        targets &= targets - 1
    targets = dotted_targets(s, me, roll)
    while targets:
        out[n] = (TURN_BACK - lowest(targets) - roll) * 4 + roll - 1
        n += 1
        targets &= targets - 1
    return n


@kernel
def legal_jumps(s: State, me: int, home: int, out: Ints) -> int:
    """UR-6, UR-7.1: write the jumps, to any free step up to the next Rosette and off from step 23."""
    n = 0
    room = free_for_blank(s, me, True)
    sources = s.blank[me] | (1 if home > 0 else 0)
    while sources:
        step = lowest(sources)
        targets = blank_span(step) & room
        while targets:
            out[n] = step * 4 + lowest(targets) - step - 1
            n += 1
            targets &= targets - 1
        sources &= sources - 1
    room = free_for_dotted(s, me, True)
    sources = s.dotted[me]
    while sources:
        bit = lowest(sources)
        targets = OFF if bit == TURN_BACK - STEPS else dotted_span(bit) & room
        while targets:
            out[n] = (TURN_BACK - bit) * 4 + bit - lowest(targets) - 1
            n += 1
            targets &= targets - 1
        sources &= sources - 1
    return n


@kernel
def can_jump(s: State, me: int, home: int) -> bool:
    """UR-6: return whether a marker can jump after a roll of 0."""
    room = free_for_blank(s, me, True)
    sources = s.blank[me] | (1 if home > 0 else 0)
    while sources:
        if blank_span(lowest(sources)) & room:
            return True
        sources &= sources - 1
    room = free_for_dotted(s, me, True)
    sources = s.dotted[me]
    while sources:
        bit = lowest(sources)
        if bit == TURN_BACK - STEPS or dotted_span(bit) & room:
            return True
        sources &= sources - 1
    return False


@kernel
def _remove(s: State, me: int, step: int) -> bool:
    """Remove a marker from its step; return whether it is dotted."""
    bit = 1 << (TURN_BACK - step) if step >= 13 else 0
    if s.dotted[me] & bit:
        if s.dotted_twin[me] & bit:
            s.dotted_twin[me] &= ~bit
        else:
            s.dotted[me] &= ~bit
        return True
    bit = 1 << step
    if s.blank_twin[me] & bit:
        s.blank_twin[me] &= ~bit
    elif step > 0:
        s.blank[me] &= ~bit
    return False


@kernel
def move(s: State, me: int, step: int, to: int) -> int:
    """UR-4.1, UR-5.4: move a marker and convert it; return the number of captured markers, 0 or 1."""
    them = me ^ 1
    captured = 0
    if _remove(s, me, step):
        bit = 1 << (TURN_BACK - to)
        if bit == OFF:
            s.off[me] += 1
            return 0
        victim = exchanged(bit) & ~ROSETTE & s.dotted[them]
        if victim:
            s.dotted[them] &= ~victim
            captured = 1
        s.dotted_twin[me] |= s.dotted[me] & bit
        s.dotted[me] |= bit
        return captured
    bit = 1 << to
    victim = bit & SHARED & ~ROSETTE & s.blank[them]
    if victim:
        s.blank[them] &= ~victim
        captured = 1
    if bit & CONVERSION:
        s.dotted[me] |= 1 << (TURN_BACK - to)
    else:
        s.blank_twin[me] |= s.blank[me] & bit
        s.blank[me] |= bit
    return captured
