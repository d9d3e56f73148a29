"""What an action is worth to a seat: playouts by rules of thumb in worlds that fit what the seat knew."""

from __future__ import annotations

from quadriga.engine.drivers import settle
from quadriga.engine.kernel import Ints, kernel
from quadriga.engine.record import Batch
from quadriga.engine.rng import Rng, start
from quadriga.engine.slots import OVER, State, Tables, actor, advise, legal, redeal, step
from quadriga.players.search.insight import building, chapter
from quadriga.players.search.tree import play_on, prospects


@kernel
def judge(
    tables: Batch[Tables],
    origin: Batch[State],
    work: Batch[State],
    rngs: Batch[Rng],
    seed: int,
    playouts: int,
    seat: int,
    actions: Ints,
    count: int,
    out: Ints,
    weights: Ints,
    points: Ints,
    won: Ints,
    totals: Ints,
) -> None:
    """Add up what every seat gets over so many playouts from `origin[0]`, after an action, its pieces, or nothing.

    What is left of an action that is put together comes by rules of thumb.

    Playout i has the same cards and dice for every action, as far as they go.
    """
    t = tables[0]
    s = work[0]
    rng = rngs[0]
    for number in range(playouts):
        start(rng, seed, number)
        work[0] = origin[0]
        if seat >= 0:
            redeal(t, s, seat, rng)
        for i in range(count):
            step(t, s, actions[i])
        if count == 0:
            settle(t, s, rng, out, weights)
        while actor(t, s) >= 0 and building(t, s):
            step(t, s, advise(t, s, rng, out, legal(t, s, out), 0))
        race = chapter(t, s) if actor(t, s) != OVER else 0
        prospects(points, play_on(t, s, rng, race, out, weights, points), won)
        for i in range(len(points)):
            totals[i] += won[i]
