"""A perfect ranking of the positions of Ur: every position before a roll has a number, and every number a position.

The board is taken apart into cells. What stands on a cell is a small code that says how many markers of the mover
and of the other it holds. A position is a code for every cell, such that neither side has more markers on the board
than it has left; its number counts the positions whose codes come before. Markers at home need no cell.

Positions are seen from the side that is to roll, by the markers that both have left, so one ranking serves every
number of markers that a game is played with.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from quadriga.engine.kernel import Ints, kernel
from quadriga.games.ur.board import RULE_SETS, meeting
from quadriga.games.ur.rules.classic import as_seen
from quadriga.games.ur.state import BEN, ROLL, State, Tables

CELLS = 24
CODES = 81
LEFT = 8  # markers left, 0 to 7

MINE = 0  # what a cell of the one-kind rule sets is: a step of the mover's alone,
THEIRS = 1  # ... of the other's alone,
BOTH = 2  # ... or one where they meet
PLAIN = 3  # Ben's: one marker of either side and type,
PASSAGE = 4  # ... one blank and one dotted,
CENTRE = 5  # ... two of any kind,
FAR_OWN = 6  # ... the mover's blank ones and the other's dotted ones, two in all,
FAR_OTHER = 7  # ... the mover's dotted ones and the other's blank ones,
GATE_OWN = 8  # ... one dotted marker: the mover's bit 15, the other's 13,
GATE_OTHER = 9  # ... the other way round,
CORNER_OWN = 10  # ... up to two blank markers of the mover,
CORNER_THEIRS = 11  # ... or of the other

_BEN_CELLS = (
    *((MINE, step) for step in (1, 2, 3)),
    (CORNER_OWN, 4),
    *((THEIRS, step) for step in (1, 2, 3)),
    (CORNER_THEIRS, 4),
    (PASSAGE, 5),
    (PLAIN, 6),
    (PASSAGE, 7),
    (CENTRE, 8),
    (PLAIN, 9),
    (PASSAGE, 10),
    (PLAIN, 11),
    (FAR_OWN, 12),
    (FAR_OTHER, 12),
    (GATE_OWN, 13),
    (GATE_OTHER, 13),
    (PLAIN, 14),
)


@dataclass(frozen=True, eq=False)
class Ranking:
    """The cells of a rule set, and the numbers that ranking needs, as kernels take them."""

    cells: npt.NDArray[np.int64]  # kind and bit of every cell,
    codes: npt.NDArray[np.int64]  # ... how many codes it has and which, CODES + 1 a cell,
    before: npt.NDArray[np.int64]  # ... and the positions that come before a code, by what is left of both sides
    holds: npt.NDArray[np.int64]  # markers of the mover and the other in a code, 16 times the first
    ways: npt.NDArray[np.int64]  # positions by markers left of the mover and the other

    def count(self, mine: int, theirs: int) -> int:
        """How many positions there are with so many markers left."""
        return int(self.ways[mine * LEFT + theirs])


def _held(kind: int, code: int) -> tuple[int, int] | None:
    """Markers of the mover and of the other that a code stands for; None where it stands for nothing."""
    if kind in (MINE, THEIRS):
        return ((code, 0) if kind == MINE else (0, code)) if code < 2 else None
    if kind in (CORNER_OWN, CORNER_THEIRS):
        return ((code, 0) if kind == CORNER_OWN else (0, code)) if code < 3 else None
    if kind in (BOTH, GATE_OWN, GATE_OTHER):
        return ((0, 0), (1, 0), (0, 1))[code] if code < 3 else None
    if kind == PLAIN:
        return ((0, 0), (1, 0), (1, 0), (0, 1), (0, 1))[code] if code < 5 else None
    if kind == PASSAGE:
        return (((code // 3 == 1) + (code % 3 == 1)), ((code // 3 == 2) + (code % 3 == 2))) if code < 9 else None
    if kind in (FAR_OWN, FAR_OTHER):
        return (code // 3, code % 3) if code < 9 and code // 3 + code % 3 <= 2 else None
    mine, theirs = code // 27 + code // 9 % 3, code // 3 % 3 + code % 3
    return (mine, theirs) if mine + theirs <= 2 else None


def _cells(rules: str) -> list[tuple[int, int]]:
    if rules == "ben":
        return list(_BEN_CELLS)
    steps = range(1, len(RULE_SETS[rules].path) + 1)
    two, four = meeting(rules, 2), meeting(rules, 4)
    met = meeting(rules, 0) | two | two << 2 | four | four << 4
    private = [step for step in steps if not met >> step & 1]
    return [
        *((MINE, step) for step in private),
        *((THEIRS, step) for step in private),
        *((BOTH, step) for step in steps if met >> step & 1),
    ]


@cache
def ranking(rules: str) -> Ranking:
    """The ranking of a rule set."""
    cells = _cells(rules)
    codes = np.zeros(CELLS * (CODES + 1), np.int64)
    before = np.zeros(CELLS * CODES * LEFT * LEFT, np.int64)
    holds = np.zeros(CELLS * CODES, np.int64)
    following = np.ones((LEFT, LEFT), np.int64)
    for cell in reversed(range(len(cells))):
        kind, _ = cells[cell]
        known = [(code, held) for code in range(CODES) if (held := _held(kind, code)) is not None]
        codes[cell * (CODES + 1)] = len(known)
        total = np.zeros((LEFT, LEFT), np.int64)
        for place, (code, (mine, theirs)) in enumerate(known):
            codes[cell * (CODES + 1) + 1 + place] = code
            holds[cell * CODES + code] = 16 * mine + theirs
            start = (cell * CODES + code) * LEFT * LEFT
            before[start : start + LEFT * LEFT] = total.reshape(-1)
            total[mine:, theirs:] += following[: LEFT - mine, : LEFT - theirs]
        following = total
    laid = np.array([(kind, bit) for kind, bit in cells], np.int64).reshape(-1)
    return Ranking(laid, codes, before, holds, following.reshape(-1))


@kernel
def _two(single: int, twin: int, bit: int) -> int:
    """How many markers of a kind stand on a Rosette."""
    return ((single >> bit) & 1) + ((twin >> bit) & 1)


@kernel
def _code(s: State, me: int, kind: int, bit: int, mine: int, theirs: int) -> int:
    """What stands on a cell, seen by the mover."""
    them = me ^ 1
    if kind == MINE:
        return (mine >> bit) & 1
    if kind == THEIRS:
        return (s.blank[them] >> bit) & 1
    if kind == BOTH:
        return ((mine >> bit) & 1) + 2 * ((theirs >> bit) & 1)
    if kind == PLAIN:
        own = ((s.blank[me] >> bit) & 1) + 2 * ((s.dotted[me] >> bit) & 1)
        return own + 3 * ((s.blank[them] >> bit) & 1) + 4 * ((s.dotted[them] >> bit) & 1)
    if kind == PASSAGE:
        blank = ((s.blank[me] >> bit) & 1) + 2 * ((s.blank[them] >> bit) & 1)
        return 3 * blank + ((s.dotted[me] >> bit) & 1) + 2 * ((s.dotted[them] >> bit) & 1)
    if kind == FAR_OWN:
        return 3 * _two(s.blank[me], s.blank_twin[me], bit) + _two(s.dotted[them], s.dotted_twin[them], bit)
    if kind == FAR_OTHER:
        return 3 * _two(s.dotted[me], s.dotted_twin[me], bit) + _two(s.blank[them], s.blank_twin[them], bit)
    if kind == GATE_OWN:
        return ((s.dotted[me] >> 15) & 1) + 2 * ((s.dotted[them] >> 13) & 1)
    if kind == GATE_OTHER:
        return ((s.dotted[me] >> 13) & 1) + 2 * ((s.dotted[them] >> 15) & 1)
    if kind == CORNER_OWN:
        return _two(s.blank[me], s.blank_twin[me], bit)
    if kind == CORNER_THEIRS:
        return _two(s.blank[them], s.blank_twin[them], bit)
    own = 27 * _two(s.blank[me], s.blank_twin[me], bit) + 9 * _two(s.dotted[me], s.dotted_twin[me], bit)
    return own + 3 * _two(s.blank[them], s.blank_twin[them], bit) + _two(s.dotted[them], s.dotted_twin[them], bit)


@kernel
def rank(t: Tables, s: State, me: int, cells: Ints, before: Ints, holds: Ints) -> int:
    """The number of a position before a roll of `me`, among those with as many markers left."""
    mine_left = t.markers - s.off[me]
    theirs_left = t.markers - s.off[me ^ 1]
    theirs = as_seen(t, s.blank[me ^ 1]) if t.rules != BEN else 0
    number = 0
    for cell in range(len(cells) >> 1):
        code = _code(s, me, cells[2 * cell], cells[2 * cell + 1], s.blank[me], theirs)
        number += before[((cell * CODES + code) * LEFT + mine_left) * LEFT + theirs_left]
        held = holds[cell * CODES + code]
        mine_left -= held >> 4
        theirs_left -= held & 15
    return number


@kernel
def _put(s: State, blank: bool, seat: int, bit: int, many: int) -> None:
    """Lay so many markers of a kind on a bit."""
    if many > 0 and blank:
        s.blank[seat] |= 1 << bit
    elif many > 0:
        s.dotted[seat] |= 1 << bit
    if many > 1 and blank:
        s.blank_twin[seat] |= 1 << bit
    elif many > 1:
        s.dotted_twin[seat] |= 1 << bit


@kernel
def _lay(t: Tables, s: State, kind: int, bit: int, code: int) -> None:
    """Lay what a code stands for; seat 0 is the mover."""
    if kind == MINE or kind == CORNER_OWN:
        _put(s, True, 0, bit, code)
    elif kind == THEIRS or kind == CORNER_THEIRS:
        _put(s, True, 1, bit, code)
    elif kind == BOTH:
        _put(s, True, 0, bit, code & 1)
        if code == 2:
            s.blank[1] |= as_seen(t, 1 << bit)
    elif kind == PLAIN:
        if code > 0:
            _put(s, code == 1 or code == 3, (code - 1) >> 1, bit, 1)
    elif kind == PASSAGE:
        if code // 3:
            _put(s, True, code // 3 - 1, bit, 1)
        if code % 3:
            _put(s, False, code % 3 - 1, bit, 1)
    elif kind == FAR_OWN:
        _put(s, True, 0, bit, code // 3)
        _put(s, False, 1, bit, code % 3)
    elif kind == FAR_OTHER:
        _put(s, False, 0, bit, code // 3)
        _put(s, True, 1, bit, code % 3)
    elif kind == GATE_OWN or kind == GATE_OTHER:
        if code > 0:
            _put(s, False, code - 1, 15 if (kind == GATE_OWN) == (code == 1) else 13, 1)
    else:
        _put(s, True, 0, bit, code // 27)
        _put(s, False, 0, bit, code // 9 % 3)
        _put(s, True, 1, bit, code // 3 % 3)
        _put(s, False, 1, bit, code % 3)


@kernel
def unrank(
    t: Tables, s: State, number: int, mine: int, theirs: int, cells: Ints, codes: Ints, before: Ints, holds: Ints
) -> None:
    """Lay out position `number` of those with so many markers left; seat 0 is to roll."""
    for seat in range(2):
        s.blank[seat] = 0
        s.dotted[seat] = 0
        s.blank_twin[seat] = 0
        s.dotted_twin[seat] = 0
    s.off[0] = t.markers - mine
    s.off[1] = t.markers - theirs
    s.phase = ROLL
    s.turn = 0
    s.roll = 0
    for cell in range(len(cells) >> 1):
        place = cell * (CODES + 1)
        found = 0
        for i in range(codes[place]):
            code = codes[place + 1 + i]
            held = holds[cell * CODES + code]
            if held >> 4 <= mine and held & 15 <= theirs:
                if before[((cell * CODES + code) * LEFT + mine) * LEFT + theirs] > number:
                    break
                found = code
        number -= before[((cell * CODES + found) * LEFT + mine) * LEFT + theirs]
        held = holds[cell * CODES + found]
        mine -= held >> 4
        theirs -= held & 15
        _lay(t, s, cells[2 * cell], cells[2 * cell + 1], found)
