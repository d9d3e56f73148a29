"""The network that evaluates positions of Ur, in integers, so that plain and compiled code agree.

The inputs (`inputs`) go into a layer of rectified units, these into a second, smaller layer, and their sum through
a table of the logistic function: the win probability of the side to roll. There is a network for each of a few
groups of positions, by how many markers are left. Everything is in one row of numbers:

    units of the first layer, units of the second, groups, inputs; the group for every number of markers left;
    for every group: inputs by units and their biases, three units a number (see `pack_lanes`);
    units by units of the second layer, their biases, the last weights, the last bias;
    the logistic curve; scratch space.
"""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.ur.bots.network.inputs import MOST, write_inputs
from quadriga.games.ur.bots.rules_of_thumb import evaluate as by_steps
from quadriga.games.ur.state import ROLL, State, Tables

BITS = 12  # weights are in units of 2 ** -12
LANES = 3  # units of the first layer that are added up in one number,
LANE = 21  # ... each in this many bits of it
CURVE = 2048  # points of the logistic curve, from -16 to 16
LEFT = 15  # numbers of markers left of both sides together
GROUP_OF = 4  # where the group for every number of markers left begins
HEAD = GROUP_OF + LEFT
_HALF = 1 << (LANE - 1)
_MASK = (1 << LANE) - 1
_PLACE = (1 << 40) - 1  # any index
_FEW = 255  # units
_WON = 1 << 30


def size(inputs: int, units: int, second: int) -> int:
    """Return how many numbers of the row the network of one group takes."""
    return (inputs + 1) * units // LANES + units * second + 2 * second + 1


def length(inputs: int, units: int, second: int, groups: int) -> int:
    """Return the length of the row."""
    return HEAD + groups * size(inputs, units, second) + CURVE + 1 + units // LANES + second + MOST


@kernel
def _first(known: Ints, bias: int, wide: int, room: int, marks: int, end: int) -> None:
    """Write the first layer before its activation into the scratch space at `room`, three units in a number."""
    bias &= _PLACE
    room &= _PLACE  # here and below: tells the compiler that no index is negative, so that it vectorizes
    wide &= _FEW
    for word in range(wide):
        known[room + word] = known[bias + word]
    for i in range(marks, end):
        row = known[i] & _PLACE
        for word in range(wide):
            known[room + word] += known[row + word]


@kernel
def _second(known: Ints, at: int, wide: int, second: int, room: int) -> int:
    """Compute the second layer and return its sum, in units of 2 ** -(2 * BITS)."""
    second &= _FEW
    after = (room + wide) & _PLACE
    bias = (at + wide * LANES * second) & _PLACE
    for unit in range(second):
        known[after + unit] = known[bias + unit] << BITS
    for word in range(wide):
        total = known[room + word]
        for _ in range(LANES):
            lit = ((total + _HALF) & _MASK) - _HALF
            total = (total - lit) >> LANE
            if lit > 0:
                row = at & _PLACE
                for unit in range(second):
                    known[after + unit] += lit * known[row + unit]
            at += second
    total = known[bias + 2 * second]
    last = bias + second
    for unit in range(second):
        total += max(known[after + unit] >> BITS, 0) * known[last + unit]
    return total


@kernel
def chance(t: Tables, s: State, known: Ints) -> int:
    """Return the probability that the side to roll wins, times 2 ** 30."""
    second = known[1]
    wide = known[0] // LANES
    inputs = known[3]
    numbers = (inputs + 1) * wide + known[0] * second + 2 * second + 1
    base = HEAD + known[GROUP_OF + 2 * t.markers - s.off[0] - s.off[1]] * numbers
    curve = HEAD + known[2] * numbers
    room = curve + CURVE + 1
    marks = room + wide + second
    end = write_inputs(t, s, known, marks)
    for i in range(marks, end):
        known[i] = base + known[i] * wide
    _first(known, base + inputs * wide, wide, room, marks, end)
    total = _second(known, base + (inputs + 1) * wide, wide, second, room)
    total = min(max(total + (16 << (2 * BITS)), 0), (32 << (2 * BITS)) - 1)
    step = 2 * BITS - 6  # 64 points of the curve for every unit
    curve += total >> step
    rest = total & ((1 << step) - 1)
    return known[curve] + ((known[curve + 1] - known[curve]) * rest >> step)


@kernel
def evaluate(t: Tables, s: State, known: Ints) -> int:
    """Return the value of a position before a roll for seat 0: by the network if there is one, else by steps."""
    if known[0] == 0:
        return by_steps(t, s, known)
    if s.phase != ROLL:
        return 0  # the sides are about even before it is known who starts
    value = 2 * chance(t, s, known) - _WON
    return value if s.turn == 0 else -value
