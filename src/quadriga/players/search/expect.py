"""Expectimax: every roll and every reply, some rolls deep, for games of two in which nothing is hidden.

The search deepens roll by roll while there is room for it in the budget. It keeps its own stack, level by level:
a position, the actions or outcomes there, and how far it is with them.
"""

from __future__ import annotations

from quadriga.engine.kernel import IntRows, Ints, kernel
from quadriga.engine.record import Batch
from quadriga.engine.slots import CHANCE, OVER, State, Tables, actor, legal, outcomes, scores, step
from quadriga.players.search.insight import evaluate

LEVELS = 40
WIDE = 64  # actions or outcomes at a level
POSITIONS = 64  # positions that one playout of the budget stands for
DEEPEST = 6  # rolls
WON = 1 << 30
_NONE = -(1 << 60)

_OPTIONS = 0  # rows of the lent room: what can be done, `WIDE` a level
_WEIGHTS = 1  # ... how likely it is
_COUNT = 2  # per level: how many there are,
_AT = 3  # ... how many have been looked at,
_SUM = 4  # ... what has come of them so far: the best of a decision, the weighted sum of a roll,
_LEFT = 5  # ... and how many rolls deep it is still to be looked


@kernel
def _settled(t: Tables, s: State, points: Ints) -> int:
    """The value for seat 0 of a game that is over."""
    scores(t, s, points)
    return WON if points[0] > points[1] else (-WON if points[0] < points[1] else 0)


@kernel
def _enter(
    t: Tables, s: State, level: int, left: int, room: IntRows, out: Ints, weights: Ints, points: Ints, known: Ints
) -> int:
    """Open a level; returns its value where there is nothing more to look at, else `_NONE`."""
    seat = actor(t, s)
    if seat == OVER:
        return _settled(t, s, points)
    if seat == CHANCE:
        if left == 0:
            return evaluate(t, s, known)
        n = outcomes(t, s, out, weights)
    else:
        n = legal(t, s, out)
    for i in range(n):
        room[_OPTIONS][level * WIDE + i] = out[i]
        room[_WEIGHTS][level * WIDE + i] = weights[i]
    room[_COUNT][level] = n
    room[_AT][level] = 0
    room[_SUM][level] = 0 if seat == CHANCE else _NONE
    room[_LEFT][level] = left - 1 if seat == CHANCE else left
    return _NONE


@kernel
def _returned(t: Tables, s: State, level: int, value: int, room: IntRows) -> None:
    """Count what has come of one action or outcome at a level."""
    seat = actor(t, s)
    if seat == CHANCE:
        room[_SUM][level] += value * room[_WEIGHTS][level * WIDE + room[_AT][level] - 1]
    elif room[_SUM][level] == _NONE or (value > room[_SUM][level]) == (seat == 0):
        room[_SUM][level] = value


@kernel
def _value(t: Tables, s: State, level: int, room: IntRows) -> int:
    """What a level came to."""
    if actor(t, s) != CHANCE:
        return room[_SUM][level]
    total = 0
    for i in range(room[_COUNT][level]):
        total += room[_WEIGHTS][level * WIDE + i]
    return room[_SUM][level] // total


@kernel
def looked_up(
    t: Tables,
    work: Batch[State],
    base: int,
    rolls: int,
    room: IntRows,
    out: Ints,
    weights: Ints,
    points: Ints,
    known: Ints,
    most: int,
) -> int:
    """The value for seat 0 of position `work[base]`, so many rolls deep; `room[5][LEVELS]` counts positions.

    More than `most` positions are not looked at: `_NONE` is returned.
    """
    level = 0
    value = _enter(t, work[base], 0, rolls, room, out, weights, points, known)
    while True:
        if value != _NONE:
            room[_LEFT][LEVELS] += 1
            if room[_LEFT][LEVELS] > most:
                return _NONE
            level -= 1
            if level < 0:
                return value
            _returned(t, work[base + level], level, value, room)
        if room[_AT][level] == room[_COUNT][level]:
            value = _value(t, work[base + level], level, room)
        else:
            option = room[_OPTIONS][level * WIDE + room[_AT][level]]
            room[_AT][level] += 1
            work[base + level + 1] = work[base + level]
            step(t, work[base + level + 1], option)
            level += 1
            left = room[_LEFT][level - 1]
            value = _enter(t, work[base + level], level, left, room, out, weights, points, known)


@kernel
def deepen(
    tables: Batch[Tables],
    origin: Batch[State],
    at: int,
    work: Batch[State],
    spare: int,
    budget: int,
    room: IntRows,
    chosen: IntRows,
    out: Ints,
    weights: Ints,
    points: Ints,
    known: Ints,
) -> int:
    """The best action at `origin[at]`: one roll deeper after the other while the budget lasts.

    `chosen[0]` keeps the actions and `chosen[1]` their values for seat 0 at the last depth that was finished.
    """
    t = tables[0]
    seat = actor(t, origin[at])
    n = legal(t, origin[at], out)
    for i in range(n):
        chosen[0][i] = out[i]
    best = chosen[0][0]
    room[_LEFT][LEVELS] = 0
    for rolls in range(1, DEEPEST + 1):
        before = room[_LEFT][LEVELS]
        favourite = 0
        for i in range(n):
            work[spare] = origin[at]
            step(t, work[spare], chosen[0][i])
            most = budget * POSITIONS if rolls > 1 else 1 << 60
            value = looked_up(t, work, spare, rolls, room, out, weights, points, known, most)
            if value == _NONE:
                return best
            chosen[2][i] = value
            if (value > chosen[2][favourite]) == (seat == 0) and value != chosen[2][favourite]:
                favourite = i
        for i in range(n):
            chosen[1][i] = chosen[2][i]
        best = chosen[0][favourite]
        used = room[_LEFT][LEVELS] - before
        if room[_LEFT][LEVELS] + 12 * used > budget * POSITIONS:
            return best
    return best
