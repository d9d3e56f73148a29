"""Slots of the search for Ben Hvrt: the wealth of each seat after a race, and the trades worth searching."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest, root
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import BRIBE, OFFER
from quadriga.games.benhvrt.bots import trades, windows
from quadriga.games.benhvrt.bots.worth import net, worth
from quadriga.games.benhvrt.rules.hidden import is_building_offer
from quadriga.games.benhvrt.rules.piles import held, number
from quadriga.games.benhvrt.state import MARKET, MOVING, State, Tables

_SPREAD = (
    2700  # square of twice the spread of a race of one lap, in tenths of Ducats; that of more laps grows with them
)
_UNKNOWN = 3  # laps that are still to be rolled

plan_offer = trades.plan
plan_bribe = windows.plan


@kernel
def chapter(t: Tables, s: State) -> int:
    """Return the number of the race."""
    return s.race


@kernel
def building(t: Tables, s: State) -> bool:
    """Return whether an offer or a bribe is being put together."""
    return s.building != 0 or is_building_offer(s)


@kernel
def is_driving(t: Tables, s: State) -> bool:
    """Return whether a chariot is driven: playouts found no better way than the rules of thumb do."""
    return s.task[s.depth - 1] == MOVING


@kernel
def appraise(t: Tables, s: State, out: Ints) -> None:
    """Write the wealth of each seat as the next race begins: purse, hand and fitted cards, in tenths of Ducats."""
    for seat in range(t.seats):
        wealth = 10 * s.purse[seat]
        kinds = held(s, seat)
        while kinds:
            kind = lowest(kinds)
            kinds &= kinds - 1
            wealth += worth(t, s, seat, kind) * number(s, seat, kind)
        for which in range(t.chariots // t.seats):
            chariot = seat + which * t.seats
            if s.driver[chariot]:
                wealth += max(net(t, s, s.driver[chariot] - 1, False), 0)
            kinds = s.improvements[chariot]
            while kinds:
                wealth += max(net(t, s, lowest(kinds), False), 0)
                kinds &= kinds - 1
        out[seat] = wealth


@kernel
def enough(t: Tables, s: State) -> int:
    """Return twice the standard deviation that the later races may add to the difference of two purses."""
    total = 0
    for race in range(s.race, t.races):
        laps = t.laps[race] if t.laps[race] else _UNKNOWN
        total += laps * laps
    return root(_SPREAD * total)


@kernel
def shortlist(t: Tables, s: State, out: Ints, n: int) -> int:
    """Keep all actions but an offer or a bribe for which no plan helps."""
    top = s.depth - 1
    kept = 0
    for i in range(n):
        action = out[i]
        if action == OFFER and s.task[top] == MARKET:
            sensible = plan_offer(t, s) >= 0
        elif action == BRIBE:
            sensible = plan_bribe(t, s, top) >= 0
        else:
            sensible = True
        if sensible:
            out[kept] = action
            kept += 1
    return kept
