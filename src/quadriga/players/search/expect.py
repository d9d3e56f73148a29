"""Expectimax: every roll and the most promising replies, some rolls deep, for open games of two seats.

The search deepens by one roll at a time while the budget allows it. At every decision all moves are evaluated
first, and only those within a margin of the best are searched. The search keeps its own stack in the rows of the
workspace's tree: for every level a position, the actions or outcomes there, and how many of them are done.
"""

from __future__ import annotations

from quadriga.engine.kernels.kernel import IntRows, kernel
from quadriga.engine.kernels.slots import CHANCE, OVER, actor, legal, outcomes, scores, step
from quadriga.players.search.search_slots import evaluate
from quadriga.players.search.workspace import LEVELS, WIDE, SearchWorkspace

POSITIONS = 64  # positions that one playout of the budget stands for
DEEPEST = 6  # rolls
WON = 1 << 30
POINT = WON // 50  # one per cent of chance: values go from -WON to WON
MARGIN = 3 * POINT  # moves that are evaluated this much worse than the best are not searched,
ROOT_MARGIN = 6 * POINT  # ... and for those of the decision itself this much
KEPT = 4  # moves that are searched, at most
_GROWTH = 8  # about how many times as many positions one roll deeper takes
_NONE = -(1 << 60)

_OPTIONS = 0  # rows of the stack: actions or outcomes, `WIDE` a level,
_WEIGHTS = 1  # ... how likely an outcome is, or how good an action is for the seat that takes it;
_COUNT = 2  # per level: how many options there are,
_AT = 3  # ... how many of them were started,
_SUM = 4  # ... their result so far: the best of a decision, the weighted sum of a roll,
_LEFT = 5  # ... and how many rolls deeper to search

_ACTIONS = 0  # rows of the path: the actions of the decision, the best first,
_VALUES = 1  # ... the value of each for seat 0,
_DEEPER = 2  # ... and the values one roll deeper, while they are searched


@kernel
def _evaluated(w: SearchWorkspace, at: int) -> int:
    """Return the value of `work[at]` for seat 0 without searching; count the position."""
    t = w.tables[0]
    s = w.work[at]
    w.tree[_LEFT][LEVELS] += 1
    if actor(t, s) == OVER:
        scores(t, s, w.points)
        return WON if w.points[0] > w.points[1] else (-WON if w.points[0] < w.points[1] else 0)
    return evaluate(t, s, w.known)


@kernel
def _sort(w: SearchWorkspace, level: int, n: int) -> None:
    """Evaluate the n moves of a level statically, and sort them, the best for the mover first."""
    t = w.tables[0]
    work = w.work
    options = w.tree[_OPTIONS]
    values = w.tree[_WEIGHTS]
    begin = level * WIDE
    seat = actor(t, work[level])
    for i in range(n):
        action = options[begin + i]
        work[level + 1] = work[level]
        step(t, work[level + 1], action)
        value = _evaluated(w, level + 1)
        if seat:
            value = -value
        place = i
        while place > 0 and values[begin + place - 1] < value:
            options[begin + place] = options[begin + place - 1]
            values[begin + place] = values[begin + place - 1]
            place -= 1
        options[begin + place] = action
        values[begin + place] = value


@kernel
def _enter(w: SearchWorkspace, level: int, left: int) -> int:
    """Push a position on the stack and list its options; return its value if it is a leaf, else `_NONE`."""
    t = w.tables[0]
    s = w.work[level]
    stack = w.tree
    out = w.out
    seat = actor(t, s)
    begin = level * WIDE
    if seat == OVER or (seat == CHANCE and left == 0):
        return _evaluated(w, level)
    if seat == CHANCE:
        n = outcomes(t, s, out, w.weights)
        for i in range(n):
            stack[_OPTIONS][begin + i] = out[i]
            stack[_WEIGHTS][begin + i] = w.weights[i]
    else:
        n = legal(t, s, out)
        for i in range(n):
            stack[_OPTIONS][begin + i] = out[i]
        if n > 1 or left == 0:
            _sort(w, level, n)
            best = stack[_WEIGHTS][begin]
            if left == 0:
                return -best if seat else best
            n = min(n, KEPT)
            while stack[_WEIGHTS][begin + n - 1] < best - MARGIN:
                n -= 1
    stack[_COUNT][level] = n
    stack[_AT][level] = 0
    stack[_SUM][level] = 0 if seat == CHANCE else _NONE
    stack[_LEFT][level] = left - 1 if seat == CHANCE else left
    return _NONE


@kernel
def _count(w: SearchWorkspace, level: int, value: int) -> None:
    """Back up the value of the option that was searched last: add it at a chance node, else keep the best."""
    stack = w.tree
    seat = actor(w.tables[0], w.work[level])
    if seat == CHANCE:
        stack[_SUM][level] += value * stack[_WEIGHTS][level * WIDE + stack[_AT][level] - 1]
    elif stack[_SUM][level] == _NONE or (value > stack[_SUM][level]) == (seat == 0):
        stack[_SUM][level] = value


@kernel
def _result(w: SearchWorkspace, level: int) -> int:
    """Return the value of a level whose options were all searched: the expected value or the best."""
    stack = w.tree
    if actor(w.tables[0], w.work[level]) != CHANCE:
        return stack[_SUM][level]
    total = 0
    for i in range(stack[_COUNT][level]):
        total += stack[_WEIGHTS][level * WIDE + i]
    return stack[_SUM][level] // total


@kernel
def _searched(w: SearchWorkspace, rolls: int, most: int) -> int:
    """Return the value of `work[0]` for seat 0, searched this many rolls deep.

    `tree[_LEFT][LEVELS]` counts positions. Returns `_NONE` when there are more than `most`.
    """
    t = w.tables[0]
    work = w.work
    stack = w.tree
    level = 0
    value = _enter(w, 0, rolls)
    while True:
        if value != _NONE:
            if stack[_LEFT][LEVELS] > most:
                return _NONE
            level -= 1
            if level < 0:
                return value
            _count(w, level, value)
        if stack[_AT][level] == stack[_COUNT][level]:
            value = _result(w, level)
        else:
            option = stack[_OPTIONS][level * WIDE + stack[_AT][level]]
            stack[_AT][level] += 1
            work[level + 1] = work[level]
            step(t, work[level + 1], option)
            level += 1
            value = _enter(w, level, stack[_LEFT][level - 1])


@kernel
def _rank(path: IntRows, n: int, seat: int) -> None:
    """Sort the first n moves of the decision, the best for the seat first; equals keep their order."""
    actions = path[_ACTIONS]
    values = path[_VALUES]
    for i in range(1, n):
        action = actions[i]
        value = values[i]
        place = i
        while place > 0 and value != values[place - 1] and (value > values[place - 1]) == (seat == 0):
            actions[place] = actions[place - 1]
            values[place] = values[place - 1]
            place -= 1
        actions[place] = action
        values[place] = value


@kernel
def deepen(w: SearchWorkspace, budget: int) -> int:
    """Return the best action in the root position, searched one roll deeper at a time while the budget lasts.

    Afterwards the path holds the actions, the best first, and the value of each for seat 0.
    """
    t = w.tables[0]
    root = w.root[0]
    work = w.work
    path = w.path
    counts = w.tree[_LEFT]
    seat = actor(t, root)
    n = legal(t, root, w.out)
    counts[LEVELS] = 0
    for i in range(n):
        path[_ACTIONS][i] = w.out[i]
        work[0] = w.root[0]
        step(t, work[0], w.out[i])
        path[_VALUES][i] = _evaluated(w, 0)
    _rank(path, n, seat)
    used = 0
    for rolls in range(1, DEEPEST + 1):
        most = budget * POSITIONS if rolls > 1 else 1 << 60
        kept = 1
        while kept < n and abs(path[_VALUES][kept] - path[_VALUES][0]) <= ROOT_MARGIN:
            kept += 1
        before = counts[LEVELS]
        if kept == 1 or before + _GROWTH * used > most:
            return path[_ACTIONS][0]
        done = 0
        while done < kept:
            work[0] = w.root[0]
            step(t, work[0], path[_ACTIONS][done])
            value = _searched(w, rolls, most)
            if value == _NONE:
                break
            path[_DEEPER][done] = value
            done += 1
        used = counts[LEVELS] - before
        for i in range(done if done > 1 else 0):
            path[_VALUES][i] = path[_DEEPER][i]
        _rank(path, done, seat)
        if done < kept:
            return path[_ACTIONS][0]
    return path[_ACTIONS][0]
