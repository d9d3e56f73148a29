"""Playouts in pairs: what rules of thumb advise against everything else, in the same worlds with the same dice.

Where a game is long and most decisions are worth a few thousandths of it, a tree tosses up: its playouts differ by
far more than the actions do. Here every action worth a thought is tried in the same worlds as the advice, and what
counts is the difference. Actions that fall behind are dropped after eight worlds, and each time that there were
twice as many; where all are, there is no need to think on. The advice stands unless another is better beyond doubt.

All numbers are integers, so that plain and compiled code decide the same.
"""

from __future__ import annotations

from quadriga.engine.kernel import IntRows, Ints, kernel
from quadriga.engine.record import Batch
from quadriga.engine.rng import Rng, start
from quadriga.engine.slots import OVER, State, Tables, actor, advise, legal, redeal, step
from quadriga.players.search.insight import building, chapter, shortlist
from quadriga.players.search.tree import ACTION, VALUE, VISITS, add, plant, play_on, prospects

_FEWEST = 8  # worlds before anything is dropped
_SURE = 5  # how sure it must be: the square of so many standard errors
_FINE = 4  # bits of a result that differences do without, so that their squares fit
_LEAD = 0  # rows of a path, by child: by how much it is ahead of the advice in all,
_SQUARES = 1  # ... and the squares of that


@kernel
def _candidates(t: Tables, s: State, advised: int, tree: IntRows, path: IntRows, out: Ints) -> int:
    """Put the advice, which is child 1, and all else that is worth a thought into the tree; returns how many."""
    n = shortlist(t, s, out, legal(t, s, out))
    count = 1
    add(tree, 0, advised)
    for i in range(n):
        if out[i] != advised and count < len(path[_LEAD]) - 1:
            add(tree, 0, out[i])
            count += 1
    for child in range(1, count + 1):
        path[_LEAD][child] = 0
        path[_SQUARES][child] = 0
    return count


@kernel
def _tried(
    t: Tables,
    s: State,
    rng: Rng,
    race: int,
    seat: int,
    action: int,
    out: Ints,
    weights: Ints,
    points: Ints,
    won: Ints,
) -> int:
    """What an action brings a seat by rules of thumb, in the world that `s` is."""
    step(t, s, action)
    while actor(t, s) >= 0 and building(t, s):
        step(t, s, advise(t, s, rng, out, legal(t, s, out), 0))
    if actor(t, s) == OVER:
        race = 0
    prospects(points, play_on(t, s, rng, race, out, weights, points), won)
    return won[seat]


@kernel
def _best(tree: IntRows, path: IntRows, count: int) -> int:
    """The child that is ahead of the advice beyond doubt, the most of several; else the advice."""
    best = 1
    most = 0
    for child in range(2, count + 1):
        worlds = tree[VISITS][child]
        if worlds >= _FEWEST:
            ahead = path[_LEAD][child] // worlds
            varied = path[_SQUARES][child] // worlds - ahead * ahead
            if ahead > most and ahead * ahead * worlds > _SURE * varied:
                best = child
                most = ahead
    return best


@kernel
def by_pairs(
    tables: Batch[Tables],
    origin: Batch[State],
    at: int,
    work: Batch[State],
    spare: int,
    rngs: Batch[Rng],
    stream: int,
    seed: int,
    budget: int,
    tree: IntRows,
    path: IntRows,
    out: Ints,
    weights: Ints,
    points: Ints,
    won: Ints,
    known: Ints,
) -> int:
    """What rules of thumb advise at `origin[at]`, unless so many playouts find something better beyond doubt."""
    t = tables[0]
    s = work[spare]
    rng = rngs[stream]
    seat = actor(t, origin[at])
    race = chapter(t, origin[at])
    start(rng, seed, 0)
    work[spare] = origin[at]
    advised = advise(t, s, rng, out, legal(t, s, out), 0)
    plant(tree)
    if building(t, origin[at]):
        return advised
    count = _candidates(t, s, advised, tree, path, out)
    played = 0
    worlds = 0
    look = _FEWEST
    left = count
    while left > 1 and played + left <= max(budget, 2):
        basis = 0
        for child in range(1, count + 1):
            if tree[VISITS][child] == worlds:  # what was dropped has fewer
                start(rng, seed, worlds)
                work[spare] = origin[at]
                redeal(t, s, seat, rng)
                result = _tried(t, s, rng, race, seat, tree[ACTION][child], out, weights, points, won)
                basis = result if child == 1 else basis
                ahead = (result - basis) >> _FINE
                path[_LEAD][child] += ahead
                path[_SQUARES][child] += ahead * ahead
                tree[VALUE][child] += result
                tree[VISITS][child] += 1
                played += 1
        worlds += 1
        if worlds == look:
            look *= 2
            left = 1
            for child in range(2, count + 1):
                if tree[VISITS][child] == worlds and path[_LEAD][child] > 0:
                    left += 1
                elif tree[VISITS][child] == worlds:
                    tree[VISITS][child] -= 1  # dropped: its last world no longer counts
                    tree[VALUE][child] = tree[VALUE][child] * (worlds - 1) // worlds
    tree[VISITS][0] = played
    return tree[ACTION][_best(tree, path, count)]
