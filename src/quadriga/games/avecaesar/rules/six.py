"""The 6 (AC-4): who leads, and when a leader may play one after all."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import kernel
from quadriga.games.avecaesar.rules.cards import only_sixes
from quadriga.games.avecaesar.rules.paths import can_pass
from quadriga.games.avecaesar.state import RACING, State, Tables


@kernel
def leads(t: Tables, s: State, seat: int) -> bool:
    """AC-4.1: no racing chariot's (lap, station) is greater. AC-4.4: after a finish nobody leads."""
    if s.finishers:
        return False
    race = s.race
    mine = (s.lap[seat] << 8) + t.rank[race, s.space[seat]]
    for other in range(t.seats):
        if s.status[other] == RACING and (s.lap[other] << 8) + t.rank[race, s.space[other]] > mine:
            return False
    return True


@kernel
def stuck_leaders(t: Tables, s: State) -> int:
    """Leaders that hold only 6s, as bits."""
    found = 0
    for seat in range(t.seats):
        if s.status[seat] == RACING and only_sixes(s.hand[seat]) and leads(t, s, seat):
            found |= 1 << seat
    return found


@kernel
def cannot_be_passed(t: Tables, s: State, seat: int, group: int) -> bool:
    """AC-4.3: nobody outside the group of stuck leaders has a route past it, or to the finish."""
    lap = s.lap[seat]
    rank = t.rank[s.race, s.space[seat]]
    for other in range(t.seats):
        if s.status[other] == RACING and not (group >> other) & 1 and can_pass(t, s, other, group, lap, rank):
            return False
    return True


@kernel
def barred_to(t: Tables, s: State, seat: int) -> bool:
    """AC-4.1: whether a seat, on its turn, may not play a 6 for being in the lead; AC-4.3 aside."""
    return s.begun == 1 and s.free == 0 and leads(t, s, seat)


@kernel
def may_play_six(t: Tables, s: State, seat: int) -> bool:
    """AC-4: whether a seat that holds a 6 may play it."""
    if not barred_to(t, s, seat):
        return True
    return only_sixes(s.hand[seat]) and not t.crash_and_burn and cannot_be_passed(t, s, seat, stuck_leaders(t, s))


@kernel
def crashes(t: Tables, s: State, seat: int) -> bool:
    """AC-V3: a leader who holds only 6s when his turn comes."""
    return t.crash_and_burn == 1 and only_sixes(s.hand[seat]) and barred_to(t, s, seat)
