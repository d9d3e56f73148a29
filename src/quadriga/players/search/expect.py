"""Expectimax: every roll and the replies worth a thought, some rolls deep, for open games of two.

The search deepens roll by roll while there is room for it in the budget. Wherever somebody is to move, all moves
are judged first, and only those within a margin of the best are looked into. The search keeps its own stack, level
by level: a position, the actions or outcomes there, and how far it is with them.
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
POINT = WON // 50  # one per cent of chance: values go from -WON to WON
MARGIN = 3 * POINT  # moves that are judged so much worse than the best are not looked into,
ROOT_MARGIN = 6 * POINT  # ... and neither are those of the decision itself
KEPT = 4  # moves that are looked into, at the most
_GROWTH = 8  # how many times more one roll deeper takes, about
_NONE = -(1 << 60)

_OPTIONS = 0  # rows of the lent room: what can be done, `WIDE` a level
_WEIGHTS = 1  # ... how likely a roll is, how good a move is judged for who makes it
_COUNT = 2  # per level: how many there are,
_AT = 3  # ... how many have been looked at,
_SUM = 4  # ... what has come of them so far: the best of a decision, the weighted sum of a roll,
_LEFT = 5  # ... and how many rolls deep it is still to be looked


@kernel
def _judged(t: Tables, s: State, room: IntRows, points: Ints, known: Ints) -> int:
    """The value for seat 0 of a position as it stands."""
    room[_LEFT][LEVELS] += 1
    if actor(t, s) == OVER:
        scores(t, s, points)
        return WON if points[0] > points[1] else (-WON if points[0] < points[1] else 0)
    return evaluate(t, s, known)


@kernel
def _sorted(
    t: Tables, work: Batch[State], at: int, begin: int, n: int, room: IntRows, points: Ints, known: Ints
) -> None:
    """Judge the n moves of `work[at]` that stand in the options from `begin` on, and put the best first."""
    seat = actor(t, work[at])
    for i in range(n):
        action = room[_OPTIONS][begin + i]
        work[at + 1] = work[at]
        step(t, work[at + 1], action)
        value = _judged(t, work[at + 1], room, points, known)
        if seat:
            value = -value
        place = i
        while place > 0 and room[_WEIGHTS][begin + place - 1] < value:
            room[_OPTIONS][begin + place] = room[_OPTIONS][begin + place - 1]
            room[_WEIGHTS][begin + place] = room[_WEIGHTS][begin + place - 1]
            place -= 1
        room[_OPTIONS][begin + place] = action
        room[_WEIGHTS][begin + place] = value


@kernel
def _enter(
    t: Tables,
    work: Batch[State],
    base: int,
    level: int,
    left: int,
    room: IntRows,
    out: Ints,
    weights: Ints,
    points: Ints,
    known: Ints,
) -> int:
    """Open a level; returns its value where there is nothing more to look at, else `_NONE`."""
    s = work[base + level]
    seat = actor(t, s)
    begin = level * WIDE
    if seat == OVER or (seat == CHANCE and left == 0):
        return _judged(t, s, room, points, known)
    if seat == CHANCE:
        n = outcomes(t, s, out, weights)
        for i in range(n):
            room[_OPTIONS][begin + i] = out[i]
            room[_WEIGHTS][begin + i] = weights[i]
    else:
        n = legal(t, s, out)
        for i in range(n):
            room[_OPTIONS][begin + i] = out[i]
        if n > 1 or left == 0:
            _sorted(t, work, base + level, begin, n, room, points, known)
            best = room[_WEIGHTS][begin]
            if left == 0:
                return -best if seat else best
            n = min(n, KEPT)
            while room[_WEIGHTS][begin + n - 1] < best - MARGIN:
                n -= 1
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

    Once there are more than `most` of them, `_NONE` is returned.
    """
    level = 0
    value = _enter(t, work, base, 0, rolls, room, out, weights, points, known)
    while True:
        if value != _NONE:
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
            value = _enter(t, work, base, level, left, room, out, weights, points, known)


@kernel
def _ranked(chosen: IntRows, n: int, seat: int) -> None:
    """Put the n moves into order, the best for the seat first; equals stay as they are."""
    for i in range(1, n):
        action = chosen[0][i]
        value = chosen[1][i]
        place = i
        while place > 0 and value != chosen[1][place - 1] and (value > chosen[1][place - 1]) == (seat == 0):
            chosen[0][place] = chosen[0][place - 1]
            chosen[1][place] = chosen[1][place - 1]
            place -= 1
        chosen[0][place] = action
        chosen[1][place] = value


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

    `chosen[0]` keeps the actions, the best first, and `chosen[1]` the value for seat 0 of each, as deep as it was
    looked at.
    """
    t = tables[0]
    seat = actor(t, origin[at])
    n = legal(t, origin[at], out)
    room[_LEFT][LEVELS] = 0
    for i in range(n):
        chosen[0][i] = out[i]
        work[spare] = origin[at]
        step(t, work[spare], out[i])
        chosen[1][i] = _judged(t, work[spare], room, points, known)
    _ranked(chosen, n, seat)
    used = 0
    for rolls in range(1, DEEPEST + 1):
        most = budget * POSITIONS if rolls > 1 else 1 << 60
        kept = 1
        while kept < n and abs(chosen[1][kept] - chosen[1][0]) <= ROOT_MARGIN:
            kept += 1
        before = room[_LEFT][LEVELS]
        if kept == 1 or before + _GROWTH * used > most:
            return chosen[0][0]
        done = 0
        while done < kept:
            work[spare] = origin[at]
            step(t, work[spare], chosen[0][done])
            value = looked_up(t, work, spare, rolls, room, out, weights, points, known, most)
            if value == _NONE:
                break
            chosen[2][done] = value
            done += 1
        used = room[_LEFT][LEVELS] - before
        for i in range(done if done > 1 else 0):
            chosen[1][i] = chosen[2][i]
        _ranked(chosen, done, seat)
        if done < kept:
            return chosen[0][0]
    return chosen[0][0]
