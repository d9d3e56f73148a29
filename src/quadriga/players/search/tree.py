"""Information-set Monte Carlo tree search, entirely in kernels.

Every playout determinizes the position for the seat, descends the tree of decisions so far (selection), adds one
decision to it (expansion), and plays by rules of thumb to the end of the race (rollout). Outcomes of chance are not
in the tree: a decision stands for everything that may happen between it and the next. Selection adds to the mean
value of an action a bonus for its prior and for few visits. The advice of the rules of thumb has a quarter of the
prior.

All numbers are integers, so that plain and compiled code decide the same.
"""

from __future__ import annotations

from quadriga.engine.kernels.bits import root
from quadriga.engine.kernels.kernel import IntRows, Ints, kernel
from quadriga.engine.kernels.random_games import roll_to_decision
from quadriga.engine.kernels.slots import OVER, actor, advise, legal, step
from quadriga.players.search.playout import ONE, deal, play_on, prospects
from quadriga.players.search.search_slots import building, chapter, shortlist
from quadriga.players.search.workspace import FIELDS, SearchWorkspace

FIRST = 0  # rows of a tree: the first child of a node,
NEXT = 1  # ... the next child of its parent,
ACTION = 2  # ... the action that leads to it,
VISITS = 3  # ... its visits,
SEEN = 4  # ... its availability: how often it could have been taken,
VALUE = 5  # ... and the sum of its results for the seat that took it

_CHILDREN = 0  # rows of a path: the node of every decision within the tree,
_SEATS = 1  # ... the seat that decided,
_DEPTH = 2  # ... and, in its first number, how many decisions there are

_EXPLORATION = 5  # the exploration constant, in sixteenths: actions differ by a few hundredths of a win
_ADVICE = 4  # the share of the rules of thumb in the prior: one part in this many
_DEEPEST = 64  # decisions within the tree


@kernel
def clear(tree: IntRows) -> None:
    """Empty the tree. Node 0 is the decision to be made, and `tree[NEXT][0]` counts the nodes."""
    for field in range(FIELDS):
        tree[field][0] = 0
    tree[NEXT][0] = 1


@kernel
def _child(tree: IntRows, node: int, action: int) -> int:
    """Return the child that an action leads to, or 0 if there is none yet."""
    child = tree[FIRST][node]
    while child and tree[ACTION][child] != action:
        child = tree[NEXT][child]
    return child


@kernel
def add(tree: IntRows, node: int, action: int) -> int:
    """Add a child to a node and return it, or return 0 if the tree is full."""
    child = tree[NEXT][0]
    if child == len(tree[FIRST]):
        return 0
    tree[NEXT][0] = child + 1
    tree[FIRST][child] = 0
    tree[ACTION][child] = action
    tree[VISITS][child] = 0
    tree[SEEN][child] = 0
    tree[VALUE][child] = 0
    tree[NEXT][child] = tree[FIRST][node]
    tree[FIRST][node] = child
    return child


@kernel
def _select(tree: IntRows, node: int, advised: int, out: Ints, n: int) -> int:
    """Return the action with the highest mean value plus exploration bonus, which falls with its visits (PUCT)."""
    visits = tree[VISITS][node]
    expected = ONE // 2
    if visits:
        total = 0
        tried = 0
        child = tree[FIRST][node]
        while child:
            total += tree[VALUE][child]
            tried += tree[VISITS][child]
            child = tree[NEXT][child]
        expected = total // max(tried, 1)
    best = out[0]
    most = -1
    for i in range(n):
        child = _child(tree, node, out[i])
        tried = tree[VISITS][child] if child else 0
        seen = tree[SEEN][child] if child else visits
        prior = (ONE - ONE // _ADVICE) // n + (ONE // _ADVICE if out[i] == advised else 0)
        bonus = _EXPLORATION * (prior >> 4) * root((seen + 1) << 8) // (16 * (tried + 1))
        value = tree[VALUE][child] // tried if tried else max(expected - ONE // 16, 0)
        if child:
            tree[SEEN][child] += 1
        if value + bonus > most:
            most = value + bonus
            best = out[i]
    return best


@kernel
def _playout(w: SearchWorkspace, race: int) -> int:
    """Select a path down the tree, expand one node, and roll out to the end of the chapter; write the path.

    Returns the lead that counts as a win there.
    """
    t = w.tables[0]
    s = w.work[0]
    rng = w.rngs[0]
    tree = w.tree
    path = w.path
    out = w.out
    node = 0
    depth = 0
    seat = actor(t, s)
    grown = False
    while seat != OVER and chapter(t, s) == race and not grown and depth < _DEEPEST:
        n = legal(t, s, out)
        action = advise(t, s, rng, out, n, 0)
        if not building(t, s):
            n = shortlist(t, s, out, n)
            if n > 1 or depth == 0:  # the decision itself is always in the tree
                action = _select(tree, node, action, out, n)
                child = _child(tree, node, action)
                if child == 0:
                    grown = True
                    child = add(tree, node, action)
                    tree[SEEN][child] += 1 if child else 0
                path[_CHILDREN][depth] = child
                path[_SEATS][depth] = seat
                depth += 1
                node = child
        step(t, s, action)
        seat = roll_to_decision(t, s, rng, out, w.weights)
    path[_DEPTH][0] = depth
    return play_on(w, race)


@kernel
def grow(w: SearchWorkspace, seed: int, first: int, count: int) -> None:
    """Run playouts number `first` to `first + count - 1` for the seat to decide; back up their results."""
    t = w.tables[0]
    tree = w.tree
    path = w.path
    seat = actor(t, w.root[0])
    race = chapter(t, w.root[0])
    for number in range(first, first + count):
        deal(w, seat, seed, number)
        lead = _playout(w, race)
        prospects(w.points, lead, w.won)
        depth = path[_DEPTH][0]
        tree[VISITS][0] += 1
        for i in range(depth):
            child = path[_CHILDREN][i]
            if child:
                tree[VISITS][child] += 1
                tree[VALUE][child] += w.won[path[_SEATS][i]]


@kernel
def choice(tree: IntRows) -> int:
    """Return the most visited action of the root, of equals that of the higher value; -1 if the tree is empty."""
    best = 0
    child = tree[FIRST][0]
    while child:
        more = tree[VISITS][child] - tree[VISITS][best]
        if best == 0 or more > 0 or (more == 0 and tree[VALUE][child] > tree[VALUE][best]):
            best = child
        child = tree[NEXT][child]
    return tree[ACTION][best] if best else -1
