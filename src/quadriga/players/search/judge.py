"""Estimate the value of an action for every seat, by playouts in determinizations of one seat's information set."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.random_games import roll_to_decision
from quadriga.engine.kernels.slots import OVER, actor, step
from quadriga.players.search.playout import complete, deal, play_on, prospects
from quadriga.players.search.search_slots import chapter
from quadriga.players.search.workspace import SearchWorkspace


@kernel
def judge(
    w: SearchWorkspace, seed: int, first: int, end: int, seat: int, actions: Ints, count: int, totals: Ints
) -> None:
    """Add the results of playouts `first` to `end` - 1 to every seat's total, after an action, its pieces, or none.

    Rules of thumb choose the remaining pieces of an action that is put together from several. Playout i has the
    same cards and dice for every action, as far as they go.
    """
    t = w.tables[0]
    s = w.work[0]
    for number in range(first, end):
        deal(w, seat, seed, number)
        for i in range(count):
            step(t, s, actions[i])
        if count == 0:
            roll_to_decision(t, s, w.rngs[0], w.out, w.weights)
        complete(w)
        race = chapter(t, s) if actor(t, s) != OVER else 0
        prospects(w.points, play_on(w, race), w.won)
        for i in range(len(w.points)):
            totals[i] += w.won[i]
