"""A small network that judges positions of Ben's Ur, in whole numbers: plain and compiled code judge alike.

What stands where goes into a layer of units that are off below zero, and their sum through a table of the logistic
function: the chance of the side to roll. All of it lies in one row of numbers, with room to work in at its end.
"""

from __future__ import annotations

from quadriga.engine.bits import lowest
from quadriga.engine.kernel import Ints, kernel
from quadriga.games.ur.board import TURN_BACK
from quadriga.games.ur.rules.turn import at_home
from quadriga.games.ur.state import BEN, State, Tables
from quadriga.players.greedy.ur import evaluate as by_steps

SIDE = 28  # inputs a side: blank markers on steps 1 to 15, dotted ones on 13 to 23, at home, off
INPUTS = 2 * SIDE
BITS = 10  # weights are in units of 2 ** -10
CURVE = 2048  # points of the logistic curve, from -16 to 16
ROOM = 2 * INPUTS  # at the end of the row
HEAD = 1  # the number of units comes first; 0 is no network
_WON = 1 << 30


def length(units: int) -> int:
    """How long the row of a network is."""
    return HEAD + INPUTS * units + 2 * units + 1 + CURVE + 1 + ROOM


@kernel
def _kind(marks: int, twins: int, base: int, known: Ints, at: int, back: int) -> int:
    """Note markers of one kind: which input, and how many."""
    while marks:
        bit = lowest(marks)
        marks &= marks - 1
        known[at] = base + (TURN_BACK - bit - 13 + 15 if back else bit - 1)
        known[at + 1] = 1 + ((twins >> bit) & 1)
        at += 2
    return at


@kernel
def noted(t: Tables, s: State, known: Ints, at: int) -> int:
    """Note all inputs that are not nothing from `at` on, those of the side to roll first; returns the end."""
    for side in range(2):
        seat = s.turn & 1 ^ side
        base = side * SIDE
        at = _kind(s.blank[seat], s.blank_twin[seat], base, known, at, 0)
        at = _kind(s.dotted[seat], s.dotted_twin[seat], base, known, at, 1)
        home = at_home(t, s, seat)
        if home:
            known[at] = base + 26
            known[at + 1] = home
            at += 2
        if s.off[seat]:
            known[at] = base + 27
            known[at + 1] = s.off[seat]
            at += 2
    return at


@kernel
def chance(t: Tables, s: State, known: Ints) -> int:
    """The chance of the side to roll, times 2 ** 30."""
    units = known[0]
    room = len(known) - ROOM
    end = noted(t, s, known, room)
    bias = HEAD + INPUTS * units
    total = known[bias + 2 * units]
    for unit in range(units):
        lit = known[bias + unit]
        for i in range(room, end, 2):
            lit += known[HEAD + known[i] * units + unit] * known[i + 1]
        if lit > 0:
            total += lit * known[bias + units + unit]
    total = min(max(total + (16 << (2 * BITS)), 0), (32 << (2 * BITS)) - 1)
    step = 2 * BITS - 6  # 64 points of the curve for every unit
    curve = bias + 2 * units + 1 + (total >> step)
    rest = total & ((1 << step) - 1)
    return known[curve] + ((known[curve + 1] - known[curve]) * rest >> step)


@kernel
def evaluate(t: Tables, s: State, known: Ints) -> int:
    """How good a position before a roll is for seat 0, by the network where there is one for these rules."""
    if known[0] == 0 or t.rules != BEN:
        return by_steps(t, s, known)
    value = 2 * chance(t, s, known) - _WON
    return value if s.turn == 0 else -value
