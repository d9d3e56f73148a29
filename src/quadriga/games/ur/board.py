"""The board of Ur and the paths over it, also as bits.

Ben's path goes out and back over the middle row, so two markers can meet on one space at different steps
of their paths. The bit of a marker is chosen so that `&` finds markers that meet:

    a blank marker on step k has bit k         (steps 1 to 15, moving up)
    a dotted marker on step k has bit 28 - k   (steps 13 to 23 are bits 15 to 5, moving down; off is bit 4)

Then bits 5 to 11 are B1 to B7 and bit 14 is B8 for all four kinds of marker (`SHARED`), and on bits 12, 13
and 15 one side's blank bit names the same space as the other side's dotted bit. Two dotted markers of
opposite sides meet with bits 13 and 15 exchanged, and so do a side's own blank and dotted ones.

The other rule sets have one kind of marker: bit k is step k, and off is the bit after the last step.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

LOOPS = ("own", "other")  # the direction in which the small block is shown

STEPS = 23
TURN_BACK = 28  # a dotted marker's step and bit add up to this
LAST_BLANK = 15  # UR-5.5
LONGEST = 4  # steps of a move or jump

_MISSING = ("A5", "A6", "C5", "C6")
SPACES = [f"{row}{column}" for row in "ABC" for column in range(1, 9) if f"{row}{column}" not in _MISSING]

MOTIFS = {
    **dict.fromkeys(("A1", "A7", "B4", "C1", "C7"), "rosette"),
    **dict.fromkeys(("A2", "A4", "B7", "C2", "C4"), "eyes"),
    **dict.fromkeys(("A3", "B2", "B5", "B8", "C3"), "holes"),
    **dict.fromkeys(("B3", "B6"), "passage"),
    **dict.fromkeys(("B1",), "squares"),
    **dict.fromkeys(("A8", "C8"), "conversion"),
}


class RuleSet(NamedTuple):
    """The differences between the rule sets. `dice` are the weights of the rolls 0 to 4."""

    path: tuple[str, ...]
    dice: tuple[int, ...]
    markers: int
    safe: bool  # a marker on a rosette cannot be captured
    capture_again: bool  # a capture gives another roll
    dark_seat: int = 1  # the seat with the dark markers, by the names of the sides


_BEN = tuple("A4 A3 A2 A1 B1 B2 B3 B4 B5 B6 B7 A7 A8 B8 C8 C7 B7 B6 B5 B4 B3 B2 B1".split())  # UR-1
_FINKEL = tuple("A4 A3 A2 A1 B1 B2 B3 B4 B5 B6 B7 B8 A8 A7".split())
_MASTERS = tuple("A4 A3 A2 A1 B1 B2 B3 B4 B5 B6 B7 C7 C8 B8 A8 A7".split())

RULE_SETS = {
    "ben": RuleSet(_BEN, (1, 3, 3, 1, 0), 7, safe=True, capture_again=False, dark_seat=0),
    "finkel": RuleSet(_FINKEL, (1, 4, 6, 4, 1), 7, safe=True, capture_again=False),
    "masters": RuleSet(_MASTERS, (0, 3, 3, 1, 1), 7, safe=False, capture_again=False),
    "blitz": RuleSet(_MASTERS, (1, 4, 6, 4, 1), 5, safe=False, capture_again=True),
}


def mirrored(space: str) -> str:
    """Return the corresponding space of the other side: rows A and C change places."""
    return space.translate(str.maketrans("AC", "CA"))


@cache
def path(rules: str, seat: int) -> tuple[str, ...]:
    """Return the spaces of a seat's path; step 1 comes first."""
    black = RULE_SETS[rules].path
    return black if seat == 0 else tuple(mirrored(space) for space in black)


def steps_with(spaces: tuple[str, ...], *motifs: str) -> int:
    """Return the steps of a path whose space has one of the motifs, as bits."""
    return sum(1 << step for step, space in enumerate(spaces, 1) if MOTIFS[space] in motifs)


def shared_steps(rules: str, apart: int) -> int:
    """Return the steps k, as bits, whose space is the other side's step k + `apart`."""
    mine, theirs = path(rules, 0), path(rules, 1)
    return sum(
        1 << step
        for step, space in enumerate(mine, 1)
        if step + apart <= len(theirs) and theirs[step + apart - 1] == space
    )


_OUTWARD = _BEN[:LAST_BLANK]
PLAIN = steps_with(_OUTWARD, "eyes", "holes")
EYES = steps_with(_OUTWARD, "eyes")
PASSAGE = steps_with(_OUTWARD, "passage", "squares")
ROSETTE = steps_with(_OUTWARD, "rosette")
CONVERSION = steps_with(_OUTWARD, "conversion")
SHARED = shared_steps("ben", 0) & ((1 << (LAST_BLANK + 1)) - 1)
CENTRE = 1 << 8  # the Rosette on B4, which every marker passes twice
FAR = 1 << 12  # the Rosettes A7 and C7: one side's blank markers meet the other's dotted ones there
BLANK_STEPS = (2 << LAST_BLANK) - 2
OFF = 1 << (TURN_BACK - STEPS - 1)
DOTTED_STEPS = (1 << LAST_BLANK) - 2 * OFF  # where a dotted marker may land
GATES = (1 << 13, 1 << 15)  # the two Conversion spaces
