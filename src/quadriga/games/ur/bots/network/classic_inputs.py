"""The network's inputs for positions of the rule sets with one kind of marker: finkel, masters and blitz.

An input is on or off. Both sides have the same inputs, those of the side to roll first: every marker by its step,
the markers at home, and for every marker that can be captured which of the four places behind it hold an enemy.
"""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.ur.rules.classic import as_seen
from quadriga.games.ur.rules.turn import at_home
from quadriga.games.ur.state import State, Tables

_HOME = 16  # markers on steps 1 to 16 come first, then 1 to 7 markers at home,
_PREY = 23  # ... by step from 5 to 16: the places, of four, with an enemy marker that can take this one
_FIRST_SHARED = 5
_PATTERNS = 15
SIDE = _PREY + 12 * _PATTERNS
INPUTS = 2 * SIDE


@kernel
def _markers(t: Tables, s: State, me: int, base: int, known: Ints, at: int) -> int:
    """Write the inputs of a side's markers, and of the enemy markers one to four steps behind them."""
    theirs = s.blank[me ^ 1]
    marks = s.blank[me]
    while marks:
        step = lowest(marks)
        marks &= marks - 1
        known[at] = base + step - 1
        at += 1
        seen = as_seen(t, 1 << step)
        if seen and not (t.safe >> step) & 1:
            hunters = (theirs >> (lowest(seen) - 4)) & 15
            if hunters:
                known[at] = base + _PREY + (step - _FIRST_SHARED) * _PATTERNS + hunters - 1
                at += 1
    return at


@kernel
def write_classic_inputs(t: Tables, s: State, known: Ints, at: int) -> int:
    """Write all inputs that are on, from `at` on, those of the side to roll first; return the end."""
    for side in range(2):
        seat = s.turn & 1 ^ side
        base = side * SIDE
        at = _markers(t, s, seat, base, known, at)
        home = at_home(t, s, seat)
        if home:
            known[at] = base + _HOME + home - 1
            at += 1
    return at
