"""The greedy player for many games at once, in compiled code: an opponent for vector environments."""

from __future__ import annotations

from quadriga.engine.game import Game
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.rng import Rng
from quadriga.engine.kernels.slots import State, advise, legal, redeal
from quadriga.engine.kernels.struct import Batch
from quadriga.engine.kernels.vector_env import Vector


@kernel
def advise_all(v: Vector, work: Batch[State], rngs: Batch[Rng], actions: Ints) -> None:
    """Write the action that rules of thumb advise in every game under way; 0 in the others.

    The rules see a determinization of the seat's information set, never the true position.
    """
    t = v.tables[0]
    for i in range(len(v.seats)):
        actions[i] = 0
        if v.ended[i] == 0:
            work[0] = v.batch[i]
            redeal(t, work[0], v.seats[i], rngs[0])
            actions[i] = advise(t, work[0], rngs[0], v.out, legal(t, work[0], v.out), 0)


def vector_greedy(game: Game, compiled: bool | None = None) -> Machine:
    """Return a machine to link `advise_all` with."""
    return Machine(game, compiled=compiled)
