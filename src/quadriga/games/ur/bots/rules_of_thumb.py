"""Rules of thumb for Ur: advance, capture, roll again, bear off, and avoid captures.

A move is worth the steps that it wins: its own steps, those of a captured marker, and a free turn. The steps that
the opponent's next roll may cost are subtracted, weighted by the chance of that roll.
"""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.rng import Rng
from quadriga.games.ur.board import EYES, LAST_BLANK, OFF, ROSETTE, SHARED, STEPS, TURN_BACK
from quadriga.games.ur.rules.ben import exchanged
from quadriga.games.ur.rules.classic import as_seen
from quadriga.games.ur.rules.turn import at_home
from quadriga.games.ur.state import BEN, State, Tables

PARTS = ("captures", "danger", "free")
CAPTURES = 1
DANGER = 2
FREE = 4

_FREE_TURN = 6  # the worth of another roll, in steps,
_HOME_FREE = 3  # ... of a marker that can no longer be captured,
_ROSETTE = 3  # ... and of one that is safe in the middle
_OWN_WAY = 4  # steps at the beginning that only one side uses


@kernel
def advise(t: Tables, s: State, rng: Rng, out: Ints, n: int, without: int) -> int:
    """Return the move that wins most steps; of equal moves, that of the marker that is further on."""
    best = out[0]
    most = -1_000_000
    for i in range(n):
        worth = _worth_ben(t, s, out[i], without) if t.rules == BEN else _worth_classic(t, s, out[i], without)
        if worth >= most:
            most = worth
            best = out[i]
    return best


@kernel
def _worth_classic(t: Tables, s: State, action: int, without: int) -> int:
    """Return the heuristic value of a move under rule sets with one kind of marker, in steps times `throws`."""
    me = s.turn & 1
    source = action >> 2
    to = source + (action & 3) + 1
    worth = t.throws * (to - source)
    if to == t.off:
        return worth + t.throws * _HOME_FREE + _danger_classic(t, s, me, source, without)
    taken = as_seen(t, 1 << to) & s.blank[me ^ 1]
    if taken and not without & CAPTURES:
        worth += t.throws * (to + (_FREE_TURN if t.capture_again else 0))
    if (t.rosettes >> to) & 1:
        if not without & FREE:
            worth += t.throws * _FREE_TURN
        if (t.safe & t.same) >> to & 1:
            worth += t.throws * _ROSETTE
    if (t.safe & t.same) >> source & 1:
        worth -= t.throws * _ROSETTE
    return worth + _danger_classic(t, s, me, source, without) - _danger_classic(t, s, me, to, without)


@kernel
def _danger_classic(t: Tables, s: State, me: int, step: int, without: int) -> int:
    """Return the steps that a marker here may lose by the opponent's next roll, times the throws that do it."""
    them = me ^ 1
    seen = as_seen(t, 1 << step) & ~1
    if without & DANGER or step == 0 or seen == 0 or (t.safe >> step) & 1:
        return 0
    sources = s.blank[them] | (1 if at_home(t, s, them) > 0 else 0)
    ways = 0
    for roll in range(1, 5):
        if (sources << roll) & seen:
            ways += t.dice[roll]
    return ways * step


@kernel
def _worth_ben(t: Tables, s: State, action: int, without: int) -> int:
    """Return the heuristic value of a move under Ben's rules, in steps times `throws`."""
    me = s.turn & 1
    them = me ^ 1
    source = action >> 2
    to = source + (action & 3) + 1
    dotted = source > LAST_BLANK or (source >= 13 and (s.dotted[me] >> (TURN_BACK - source)) & 1 == 1)
    bit = 1 << (TURN_BACK - to) if dotted else 1 << to
    worth = t.throws * (to - source)
    relief = _danger_ben(t, s, me, source, dotted, without) if source > 0 else 0
    if dotted and bit == OFF:
        return worth + t.throws * _HOME_FREE + relief
    prey = s.dotted[them] & exchanged(bit) if dotted else s.blank[them] & bit & SHARED
    taken = s.roll != 0 and (prey & ~ROSETTE) != 0
    if taken and not without & CAPTURES:
        worth += t.throws * to
    if (s.roll == 0 or EYES & bit) and not taken and not without & FREE:
        worth += t.throws * _FREE_TURN
    return worth + relief - _danger_ben(t, s, me, to, dotted or to == 13 or to == 15, without)


@kernel
def _danger_ben(t: Tables, s: State, me: int, step: int, dotted: bool, without: int) -> int:
    """Return the steps that a marker here may lose by the opponent's next roll, times the throws that do it."""
    them = me ^ 1
    bit = 1 << (TURN_BACK - step) if dotted else 1 << step
    if without & DANGER or step <= _OWN_WAY or bit & ROSETTE:
        return 0
    seen = exchanged(bit) if dotted else bit & SHARED
    ways = 0
    for roll in range(1, 4):
        reached = s.dotted[them] >> roll if dotted else s.blank[them] << roll
        if reached & seen:
            ways += t.dice[roll]
    return ways * step


@kernel
def _progress(t: Tables, s: State, seat: int) -> int:
    """Return the steps that a side has moved, with a bonus for markers that are off."""
    total = s.off[seat] * ((STEPS + 1 if t.rules == BEN else t.off) + _HOME_FREE)
    marks = s.blank[seat]
    while marks:
        total += lowest(marks)
        marks &= marks - 1
    marks = s.blank_twin[seat]
    while marks:
        total += lowest(marks)
        marks &= marks - 1
    marks = s.dotted[seat]
    while marks:
        total += TURN_BACK - lowest(marks)
        marks &= marks - 1
    marks = s.dotted_twin[seat]
    while marks:
        total += TURN_BACK - lowest(marks)
        marks &= marks - 1
    return total


@kernel
def evaluate(t: Tables, s: State, known: Ints) -> int:
    """Return the value of a position before a roll for seat 0: its lead in steps and half a roll, times 2 ** 16."""
    turn = 3 if s.turn == 0 else -3
    return (2 * _progress(t, s, 0) - 2 * _progress(t, s, 1) + turn) << 15
