"""How bots play High Card: the lowest card that takes the trick, or the lowest of all."""

from __future__ import annotations

from highcard.state import PLAY, State, Tables
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.rng import Rng
from quadriga.engine.parts.bots import Bots, Search

PARTS = ("thrift",)
THRIFT = 1


@kernel
def advise(t: Tables, s: State, rng: Rng, out: Ints, n: int, without: int) -> int:
    """Return the card to play; in a window, knock if that is possible."""
    if s.phase != PLAY:
        return out[n - 1]
    highest = 0
    for seat in range(t.seats):
        highest = max(highest, s.table[seat])
    if without & THRIFT or out[n - 1] < highest:
        return out[0] if out[n - 1] < highest else out[n - 1]
    for i in range(n):
        if out[i] > highest and s.done > 0:
            return out[i]
    return out[n - 1]


@kernel
def chapter(t: Tables, s: State) -> int:
    """Return the number of the trick: a search looks no further than its end."""
    return s.trick


BOTS: Bots[Tables, State] = Bots(advise=advise, parts=PARTS, search=Search(chapter=chapter))
