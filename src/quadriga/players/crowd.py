"""The greedy player for many games at once, in compiled code: a sparring partner for vector environments."""

from __future__ import annotations

from quadriga.engine import slots
from quadriga.engine.game import Game
from quadriga.engine.kernel import Flags, Ints, kernel
from quadriga.engine.machine import Machine
from quadriga.engine.record import Batch
from quadriga.engine.rng import Rng
from quadriga.engine.slots import State, Tables, advise, legal, redeal
from quadriga.players.greedy import advice


@kernel
def advise_all(
    tables: Batch[Tables],
    batch: Batch[State],
    work: Batch[State],
    rngs: Batch[Rng],
    seats: Ints,
    ended: Flags,
    out: Ints,
    actions: Ints,
) -> None:
    """What the rules of thumb advise the seat to decide in every game that goes on; 0 in the others.

    They are asked in a world dealt at random that fits what the seat knows, never in the true one.
    """
    t = tables[0]
    for i in range(len(seats)):
        actions[i] = 0
        if ended[i] == 0:
            work[0] = batch[i]
            redeal(t, work[0], seats[i], rngs[0])
            actions[i] = advise(t, work[0], rngs[0], out, legal(t, work[0], out), 0)


def crowd(game: Game, compiled: bool | None = None) -> Machine:
    """A machine that `advise_all` can be linked with."""
    return Machine(game, compiled=compiled, filling={slots.advise: advice(game).kernel})
