"""The probability that a marker of Ur is captured before its side's next turn."""

from __future__ import annotations

from typing import NamedTuple, cast

from quadriga.games.ur.board import ROSETTE, TURN_BACK
from quadriga.games.ur.rules.turn import legal, step
from quadriga.games.ur.state import BEN, DONE, MOVE, ROLL, State, Tables
from quadriga.games.ur.view import markers_of, space_of

_ROLLS = 3  # of the other side in a row; more free turns than that are not followed
_MOST_MOVES = 64


def risk(t: Tables, s: State, seat: int, place: int) -> float:
    """Return the probability that the other side can capture the marker on a step before `seat` moves again.

    The position is one before a roll. If `seat` itself is to roll, nothing can happen before its next turn.
    """
    if s.turn == seat or s.phase == DONE or _is_safe(t, s, seat, place):
        return 0.0
    return _Hunt(t, seat, place).chance(_quick_copy(s), _ROLLS)


def _is_safe(t: Tables, s: State, seat: int, place: int) -> bool:
    """UR-5.2: return whether a marker on this step cannot be captured at all."""
    if t.rules != BEN:
        return bool(t.safe >> place & 1)
    bit = TURN_BACK - place if place > TURN_BACK // 2 else place
    return bool(ROSETTE >> bit & 1)


class _QuickTables(NamedTuple):
    """The fields of the tables that moves read, as plain numbers: the rules run several times as fast on them."""

    rules: int
    markers: int
    capture_again: int
    off: int
    reach: int
    rosettes: int
    safe: int
    same: int
    two: int
    four: int


class _QuickState:
    """The fields of a state, as plain numbers."""

    __slots__ = ("blank", "blank_twin", "dotted", "dotted_twin", "first", "jumps", "off", "phase", "roll", "turn")

    def copy(self) -> _QuickState:
        twin = _QuickState.__new__(_QuickState)
        twin.blank, twin.dotted = self.blank[:], self.dotted[:]
        twin.blank_twin, twin.dotted_twin = self.blank_twin[:], self.dotted_twin[:]
        twin.off = self.off[:]
        twin.phase, twin.turn, twin.roll = self.phase, self.turn, self.roll
        twin.first, twin.jumps = self.first, self.jumps
        return twin

    blank: list[int]
    dotted: list[int]
    blank_twin: list[int]
    dotted_twin: list[int]
    off: list[int]
    phase: int
    turn: int
    roll: int
    first: int
    jumps: int


def _quick_copy(s: State) -> State:
    """Return a copy of a state on which the rules run fast."""
    quick = _QuickState()
    quick.blank, quick.dotted = [s.blank[0], s.blank[1]], [s.dotted[0], s.dotted[1]]
    quick.blank_twin = [s.blank_twin[0], s.blank_twin[1]]
    quick.dotted_twin = [s.dotted_twin[0], s.dotted_twin[1]]
    quick.off = [s.off[0], s.off[1]]
    quick.phase, quick.turn, quick.roll, quick.first, quick.jumps = s.phase, s.turn, s.roll, s.first, s.jumps
    return cast("State", quick)


class _Hunt:
    """A search over the rolls of the other side, which plays only to capture one marker."""

    def __init__(self, t: Tables, seat: int, place: int) -> None:
        self._t = cast("Tables", _QuickTables(*(getattr(t, name) for name in _QuickTables._fields)))
        self._seat, self._place = seat, place
        self._weights = {face: t.dice[face] for face in range(5) if t.dice[face] > 0}
        other, space = seat ^ 1, space_of(t, seat, place)
        self._steps = [step for step in range(1, t.off) if space_of(t, other, step) == space]  # on its own path
        self._known: dict[tuple[object, ...], float] = {}
        self._out = [0] * _MOST_MOVES

    def chance(self, s: State, rolls: int) -> float:
        """Return the probability of a capture within the next `rolls` rolls of the other side."""
        if not self._steps:
            return 0.0
        quick = cast("_QuickState", s)
        key = (*quick.blank, *quick.dotted, *quick.blank_twin, *quick.dotted_twin, rolls)
        if key not in self._known:
            total = sum(weight * self._after_roll(s, face, rolls) for face, weight in self._weights.items())
            self._known[key] = total / sum(self._weights.values())
        return self._known[key]

    def _after_roll(self, s: State, face: int, rolls: int) -> float:
        """Return the probability of a capture after a roll, if the other side makes the best move for it."""
        is_jump = self._t.rules == BEN and face == 0
        if is_jump and rolls == 1:
            return 0.0  # UR-6.2: jumps capture nothing
        rolled = s.copy()
        rolled.phase, rolled.roll = MOVE, face
        count = legal(self._t, rolled, self._out)
        best = 0.0
        for action in self._out[:count]:
            reaches = (action >> 2) + (action & 3) + 1 in self._steps
            if not reaches and rolls == 1:
                continue
            after = rolled.copy()
            step(self._t, after, action)
            if reaches and not self._stands(after):
                return 1.0
            if rolls > 1 and after.phase == ROLL and after.turn != self._seat:
                best = max(best, self.chance(after, rolls - 1))
        return best

    def _stands(self, s: State) -> bool:
        dotted = s.dotted[self._seat] >> TURN_BACK - self._place & 1 if self._t.rules == BEN else 0
        return bool(dotted or s.blank[self._seat] >> self._place & 1)


def riskiest(t: Tables, s: State, seat: int) -> tuple[int, float]:
    """Return the step whose marker is most likely to be captured, and the probability; step 0 if none can be."""
    found = [(risk(t, s, seat, marker.step), marker.step) for marker in markers_of(t, s, seat)]
    chance, place = max(found, default=(0.0, 0))
    return (place, chance) if chance > 0 else (0, 0.0)
