"""Information-set Monte Carlo tree search, entirely in kernels.

Every playout deals the hidden cards anew to fit what the seat knows, walks down the tree of decisions taken so far,
adds one decision to it and plays on by rules of thumb to the end of the race. Outcomes of chance are not in the
tree: a decision stands for all that may happen between it and the next. What is chosen at each step weighs what an
action has won against how seldom it was tried, and the rules of thumb have a quarter of the say in what is tried
first.

All numbers are integers, so that plain and compiled code decide the same.
"""

from __future__ import annotations

from quadriga.engine.bits import root
from quadriga.engine.drivers import settle
from quadriga.engine.kernel import IntRows, Ints, kernel
from quadriga.engine.record import Batch
from quadriga.engine.rng import Rng, start
from quadriga.engine.slots import OVER, State, Tables, actor, advise, legal, redeal, scores, step
from quadriga.players.search.insight import appraise, building, chapter, enough, shortlist

FIRST = 0  # rows of a tree: the first child of a node,
NEXT = 1  # ... the next child of its parent,
ACTION = 2  # ... the action that leads to it,
VISITS = 3  # ... how often it was taken,
SEEN = 4  # ... how often it could have been taken,
VALUE = 5  # ... and what it has won in all for who took it
FIELDS = 6

ONE = 1 << 20  # a game that is won
_BOLD = 5  # how much curiosity counts, in sixteenths: actions differ by a few hundredths of a win
_SAY = 4  # the rules of thumb have a quarter of the say
_DEEPEST = 64  # decisions within the tree


@kernel
def plant(tree: IntRows) -> None:
    """An empty tree: node 0 is the decision to be made, `tree[NEXT][0]` counts the nodes."""
    for field in range(FIELDS):
        tree[field][0] = 0
    tree[NEXT][0] = 1


@kernel
def _child(tree: IntRows, node: int, action: int) -> int:
    """The child that an action leads to; 0 if there is none yet."""
    child = tree[FIRST][node]
    while child and tree[ACTION][child] != action:
        child = tree[NEXT][child]
    return child


@kernel
def add(tree: IntRows, node: int, action: int) -> int:
    """A new child; 0 where the tree is full."""
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
    """The action that promises most: what it has won on average, and more the less it was tried."""
    visits = tree[VISITS][node]
    hoped = ONE // 2
    if visits:
        total = 0
        tried = 0
        child = tree[FIRST][node]
        while child:
            total += tree[VALUE][child]
            tried += tree[VISITS][child]
            child = tree[NEXT][child]
        hoped = total // max(tried, 1)
    best = out[0]
    most = -1
    for i in range(n):
        child = _child(tree, node, out[i])
        tried = tree[VISITS][child] if child else 0
        seen = tree[SEEN][child] if child else visits
        say = (ONE - ONE // _SAY) // n + (ONE // _SAY if out[i] == advised else 0)
        curiosity = _BOLD * (say >> 4) * root((seen + 1) << 8) // (16 * (tried + 1))
        value = tree[VALUE][child] // tried if tried else max(hoped - ONE // 16, 0)
        if child:
            tree[SEEN][child] += 1
        if value + curiosity > most:
            most = value + curiosity
            best = out[i]
    return best


@kernel
def utilities(points: Ints, won: Ints) -> None:
    """What a result is worth to each seat: half for the win, which equals share, half for the seats left behind."""
    seats = len(points)
    highest = points[0]
    for i in range(seats):
        highest = max(highest, points[i])
    winners = 0
    for i in range(seats):
        winners += 1 if points[i] == highest else 0
    for i in range(seats):
        beaten = 0
        for j in range(seats):
            if i != j:
                beaten += 2 if points[j] < points[i] else (1 if points[j] == points[i] else 0)
        won[i] = ONE // 2 // winners if points[i] == highest else 0
        won[i] += ONE // 4 * beaten // max(seats - 1, 1)


@kernel
def prospects(points: Ints, lead: int, won: Ints) -> None:
    """What a chapter's result is worth to each seat, where a lead of so much is as good as won; 0: any lead.

    Half is for the lead over the best of the others, half for the leads over each of them.
    """
    seats = len(points)
    if lead == 0:
        utilities(points, won)
        return
    for i in range(seats):
        least = 2 * lead
        total = 0
        for j in range(seats):
            if i != j:
                share = min(max(points[i] - points[j], -lead), lead) + lead
                least = min(least, share)
                total += share
        won[i] = ONE // 2 * least // (2 * lead) + ONE // 2 * total // (2 * lead * max(seats - 1, 1))


@kernel
def play_on(t: Tables, s: State, rng: Rng, race: int, out: Ints, weights: Ints, points: Ints) -> int:
    """By rules of thumb to the end of the chapter; returns the lead that is enough there, 0 at the end of all."""
    seat = settle(t, s, rng, out, weights)
    while seat != OVER and chapter(t, s) == race:
        step(t, s, advise(t, s, rng, out, legal(t, s, out), 0))
        seat = settle(t, s, rng, out, weights)
    if seat == OVER:
        scores(t, s, points)
        return 0
    appraise(t, s, points)
    return enough(t, s)


@kernel
def _playout(
    t: Tables, s: State, rng: Rng, race: int, tree: IntRows, path: IntRows, out: Ints, weights: Ints, points: Ints
) -> int:
    """Down the tree, one node more, and on to the end; `path[2][0]` is how deep it is, the lead is returned."""
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
                path[0][depth] = child
                path[1][depth] = seat
                depth += 1
                node = child
        step(t, s, action)
        seat = settle(t, s, rng, out, weights)
    path[2][0] = depth
    return play_on(t, s, rng, race, out, weights, points)


@kernel
def grow(
    tables: Batch[Tables],
    origin: Batch[State],
    at: int,
    work: Batch[State],
    spare: int,
    rngs: Batch[Rng],
    stream: int,
    seed: int,
    first: int,
    count: int,
    tree: IntRows,
    path: IntRows,
    out: Ints,
    weights: Ints,
    points: Ints,
    won: Ints,
) -> None:
    """Playouts number `first` and on from position `origin[at]`, for the seat that is to decide there."""
    t = tables[0]
    s = work[spare]
    rng = rngs[stream]
    seat = actor(t, origin[at])
    race = chapter(t, origin[at])
    for number in range(first, first + count):
        start(rng, seed, number)
        work[spare] = origin[at]
        redeal(t, s, seat, rng)
        lead = _playout(t, s, rng, race, tree, path, out, weights, points)
        prospects(points, lead, won)
        depth = path[2][0]
        tree[VISITS][0] += 1
        for i in range(depth):
            child = path[0][i]
            if child:
                tree[VISITS][child] += 1
                tree[VALUE][child] += won[path[1][i]]


@kernel
def choice(tree: IntRows) -> int:
    """The action that was taken most; of equals the one that has won more. -1 of an empty tree."""
    best = 0
    child = tree[FIRST][0]
    while child:
        more = tree[VISITS][child] - tree[VISITS][best]
        if best == 0 or more > 0 or (more == 0 and tree[VALUE][child] > tree[VALUE][best]):
            best = child
        child = tree[NEXT][child]
    return tree[ACTION][best] if best else -1
