"""The network's inputs for a position of Ben's Ur: each side's markers, what can take them, and markers at home.

An input is on or off. Both sides have the same inputs, those of the side to roll first. The number of markers that
are off is no input: a game of seven markers with two left is the same as a game of two.
"""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.ur.board import ROSETTE, SHARED
from quadriga.games.ur.bots.network.classic_inputs import INPUTS as CLASSIC_INPUTS
from quadriga.games.ur.bots.network.classic_inputs import write_classic_inputs
from quadriga.games.ur.rules.ben import exchanged
from quadriga.games.ur.rules.turn import at_home
from quadriga.games.ur.state import BEN, State, Tables

_DOTTED = 15  # blank markers on bits 1 to 15 come first (see `board`), then dotted ones on bits 5 to 15,
_TWINS = 26  # ... a second blank marker on bits 4, 8 and 12, a second dotted one on 8 and 12,
_HOME = 31  # ... 1 to 7 markers at home,
_PREY = 38  # ... by bit from 5 to 14: the places, of three, with an enemy blank marker that can take this one,
_DOTTED_PREY = _PREY + 70  # ... and the same for dotted markers, on bits 5 to 15
_PATTERNS = 7
SIDE = _DOTTED_PREY + 77
INPUTS = 2 * SIDE
MOST = 64  # inputs that are on, at most


def input_count(rules: str) -> int:
    """Return how many inputs the network of a rule set has."""
    return INPUTS if rules == "ben" else CLASSIC_INPUTS


@kernel
def _blank(s: State, me: int, base: int, known: Ints, at: int) -> int:
    """Write the inputs of a side's blank markers, and of the enemy markers one to three steps behind them."""
    theirs = s.blank[me ^ 1]
    marks = s.blank[me]
    while marks:
        bit = lowest(marks)
        marks &= marks - 1
        known[at] = base + bit - 1
        at += 1
        if (SHARED & ~ROSETTE) >> bit & 1:
            hunters = (theirs >> (bit - 3)) & 7
            if hunters:
                known[at] = base + _PREY + (bit - 5) * _PATTERNS + hunters - 1
                at += 1
    marks = s.blank_twin[me]
    while marks:
        known[at] = base + _TWINS + (lowest(marks) >> 2) - 1
        at += 1
        marks &= marks - 1
    return at


@kernel
def _dotted(s: State, me: int, base: int, known: Ints, at: int) -> int:
    """Write the inputs of a side's dotted markers, and of the enemy markers one to three steps behind them."""
    theirs = s.dotted[me ^ 1]
    marks = s.dotted[me]
    while marks:
        bit = lowest(marks)
        known[at] = base + _DOTTED + bit - 5
        at += 1
        if not (ROSETTE >> bit) & 1:
            hunters = (theirs >> (lowest(exchanged(1 << bit)) + 1)) & 7
            if hunters:
                known[at] = base + _DOTTED_PREY + (bit - 5) * _PATTERNS + hunters - 1
                at += 1
        marks &= marks - 1
    marks = s.dotted_twin[me]
    while marks:
        known[at] = base + _TWINS + 3 + (lowest(marks) >> 2) - 2
        at += 1
        marks &= marks - 1
    return at


@kernel
def write_inputs(t: Tables, s: State, known: Ints, at: int) -> int:
    """Write all inputs that are on, from `at` on, those of the side to roll first; return the end."""
    if t.rules != BEN:
        return write_classic_inputs(t, s, known, at)
    for side in range(2):
        seat = s.turn & 1 ^ side
        base = side * SIDE
        at = _blank(s, seat, base, known, at)
        at = _dotted(s, seat, base, known, at)
        home = at_home(t, s, seat)
        if home:
            known[at] = base + _HOME + home - 1
            at += 1
    return at
