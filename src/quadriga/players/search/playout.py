"""Playouts by rules of thumb in determinizations of a seat's information set, and the utility of their results.

All numbers are integers, so that plain and compiled code decide the same.
"""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.random_games import roll_to_decision
from quadriga.engine.kernels.rng import start
from quadriga.engine.kernels.slots import OVER, actor, advise, legal, redeal, scores, step
from quadriga.players.search.search_slots import appraise, building, chapter, enough
from quadriga.players.search.workspace import SearchWorkspace

ONE = 1 << 20  # the worth of a game that is won


@kernel
def deal(w: SearchWorkspace, seat: int, seed: int, number: int) -> None:
    """Set up playout `number` in `work[0]`: a determinization of the root for the seat.

    A negative seat knows everything. The same seed and number give the same cards and dice.
    """
    start(w.rngs[0], seed, number)
    w.work[0] = w.root[0]
    if seat >= 0:
        redeal(w.tables[0], w.work[0], seat, w.rngs[0])


@kernel
def complete(w: SearchWorkspace) -> None:
    """Play the remaining pieces of a half-built compound action, chosen by rules of thumb."""
    t = w.tables[0]
    s = w.work[0]
    while actor(t, s) >= 0 and building(t, s):
        step(t, s, advise(t, s, w.rngs[0], w.out, legal(t, s, w.out), 0))


@kernel
def play_on(w: SearchWorkspace, race: int) -> int:
    """Play by rules of thumb to the end of the chapter; write the points of each seat.

    Returns the lead that counts as a win there, or 0 at the end of the game.
    """
    t = w.tables[0]
    s = w.work[0]
    rng = w.rngs[0]
    out = w.out
    seat = roll_to_decision(t, s, rng, out, w.weights)
    while seat != OVER and chapter(t, s) == race:
        step(t, s, advise(t, s, rng, out, legal(t, s, out), 0))
        seat = roll_to_decision(t, s, rng, out, w.weights)
    if seat == OVER:
        scores(t, s, w.points)
        return 0
    appraise(t, s, w.points)
    return enough(t, s)


@kernel
def utilities(points: Ints, won: Ints) -> None:
    """Write the utility of a final result for each seat, in parts of `ONE`.

    Half is for winning, which equals share. Half is for the seats that have fewer points.
    """
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
    """Write the utility of a chapter's result for each seat, if this lead counts as a win; 0: any lead.

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
