"""Rules of thumb for Ben Hvrt: what to do in each task."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.rng import Rng
from quadriga.games.benhvrt.actions import PASS
from quadriga.games.benhvrt.bots.market import in_auction, in_maintenance, in_market
from quadriga.games.benhvrt.bots.parts import LANES, TRAINING, WINDOWS
from quadriga.games.benhvrt.bots.steps import in_move, in_shift
from quadriga.games.benhvrt.bots.values import BY_HAND_ROW, LEARNED_ROW
from quadriga.games.benhvrt.bots.windows import in_window
from quadriga.games.benhvrt.state import AUCTION, MAINTENANCE, MARKET, MOVING, WINDOW, State, Tables


@kernel
def advise(t: Tables, s: State, rng: Rng, out: Ints, n: int, without: int) -> int:
    """Return the action that the rules of thumb advise.

    An offer or a bribe that another player began may not continue as planned. Then any legal piece will do.
    """
    s.row = BY_HAND_ROW if without & TRAINING else LEARNED_ROW
    action = _advised(t, s, rng, out, n, without)
    s.row = LEARNED_ROW
    for i in range(n):
        if out[i] == action:
            return action
    return out[0]


@kernel
def _advised(t: Tables, s: State, rng: Rng, out: Ints, n: int, without: int) -> int:
    """Return the advice for the task on top of the stack; it may not be legal."""
    top = s.depth - 1
    task = s.task[top]
    if task == MOVING:
        return in_move(t, s, top, out, n, without & LANES == 0)
    if task == WINDOW:
        return PASS if without & WINDOWS else in_window(t, s, top, out, n, without)
    if task == MARKET:
        return in_market(t, s, top, out, n, without)
    if task == AUCTION:
        return in_auction(t, s, top, rng, out, n, without)
    if task == MAINTENANCE:
        return in_maintenance(t, s, out, n)
    return in_shift(t, s, out, n)
