"""Paired playouts: the advice of rules of thumb against every other action, with the same hidden cards and dice.

In a long game most decisions are worth a few thousandths of it. A tree cannot tell such actions apart: its playouts
differ by far more than the actions do. Here every action on the shortlist is tried in the same worlds as the
advice, and what counts is the difference. Actions that are behind by more than a standard error are dropped after
eight worlds, and again each time the number of worlds has doubled. When all are dropped, the search ends. The
advice stands unless another action is clearly better: by 2.2 standard errors after eight worlds, by one after 40,
and by less after more. For actions are on average worse than the advice, and few worlds say little against that.

All numbers are integers, so that plain and compiled code decide the same.
"""

from __future__ import annotations

from quadriga.engine.kernels.kernel import IntRows, kernel
from quadriga.engine.kernels.rng import start
from quadriga.engine.kernels.slots import actor, advise, legal, step
from quadriga.players.search.playout import complete, deal, play_on, prospects
from quadriga.players.search.search_slots import building, chapter, shortlist
from quadriga.players.search.tree import ACTION, VALUE, VISITS, add, clear
from quadriga.players.search.workspace import SearchWorkspace

_FEWEST = 8  # worlds before anything is dropped
_DOUBT = 40  # worlds after which an action must be ahead by one standard error; after fewer, by more
_FINE = 4  # bits of a result that differences do without, so that their squares fit
_LEAD = 0  # rows of a path, by child: the sum of its leads over the advice,
_SQUARES = 1  # ... and the sum of their squares


@kernel
def _candidates(w: SearchWorkspace, advised: int) -> int:
    """Put the advice, as child 1, and the rest of the shortlist into the tree; return how many there are."""
    t = w.tables[0]
    out = w.out
    path = w.path
    n = shortlist(t, w.work[0], out, legal(t, w.work[0], out))
    count = 1
    add(w.tree, 0, advised)
    for i in range(n):
        if out[i] != advised and count < len(path[_LEAD]) - 1:
            add(w.tree, 0, out[i])
            count += 1
    for child in range(1, count + 1):
        path[_LEAD][child] = 0
        path[_SQUARES][child] = 0
    return count


@kernel
def _tried(w: SearchWorkspace, race: int, seat: int, action: int) -> int:
    """Play an action, then by rules of thumb, from the determinization in `work[0]`; return the seat's result."""
    step(w.tables[0], w.work[0], action)
    complete(w)
    prospects(w.points, play_on(w, race), w.won)
    return w.won[seat]


@kernel
def _best(tree: IntRows, path: IntRows, count: int) -> int:
    """Return the child that is furthest ahead of the advice among those significantly ahead; else the advice."""
    best = 1
    most = 0
    for child in range(2, count + 1):
        worlds = tree[VISITS][child]
        if worlds >= _FEWEST:
            ahead = path[_LEAD][child] // worlds
            variance = path[_SQUARES][child] // worlds - ahead * ahead
            if ahead > most and ahead * ahead * worlds > _DOUBT * variance // worlds:
                best = child
                most = ahead
    return best


@kernel
def _is_behind(path: IntRows, child: int, worlds: int) -> bool:
    """Return whether an action is behind the advice by more than a standard error, or has never differed."""
    lead = path[_LEAD][child]
    squares = path[_SQUARES][child]
    return squares == 0 or (lead < 0 and lead * lead * worlds > squares * worlds - lead * lead)


@kernel
def by_pairs(w: SearchWorkspace, seed: int, budget: int) -> int:
    """Return the advice of rules of thumb, unless this many playouts find a significantly better action."""
    t = w.tables[0]
    s = w.work[0]
    tree = w.tree
    path = w.path
    seat = actor(t, w.root[0])
    race = chapter(t, w.root[0])
    start(w.rngs[0], seed, 0)
    w.work[0] = w.root[0]
    advised = advise(t, s, w.rngs[0], w.out, legal(t, s, w.out), w.manner[0])
    clear(tree)
    if building(t, w.root[0]):
        return advised
    count = _candidates(w, advised)
    played = 0
    worlds = 0
    look = _FEWEST
    left = count
    while left > 1 and played + left <= max(budget, 2):
        basis = 0
        for child in range(1, count + 1):
            if tree[VISITS][child] == worlds:  # those that were dropped have fewer
                deal(w, seat, seed, worlds)
                result = _tried(w, race, seat, tree[ACTION][child])
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
                if tree[VISITS][child] == worlds and not _is_behind(path, child, worlds):
                    left += 1
                elif tree[VISITS][child] == worlds:
                    tree[VISITS][child] -= 1  # dropped: its last world no longer counts
                    tree[VALUE][child] = tree[VALUE][child] * (worlds - 1) // worlds
    tree[VISITS][0] = played
    return tree[ACTION][_best(tree, path, count)]
