"""The rules about the 6 (AC-4): leaders, and the exceptions for them."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import kernel
from quadriga.games.avecaesar.rules.cards import only_sixes
from quadriga.games.avecaesar.rules.paths import can_pass
from quadriga.games.avecaesar.state import RACING, State, Tables


@kernel
def leads(t: Tables, s: State, seat: int) -> bool:
    """AC-4.1: return whether no racing chariot has a greater (lap, station). AC-4.4: none leads after a finish."""
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
    """Return the leaders that hold only 6s, as bits."""
    found = 0
    for seat in range(t.seats):
        if s.status[seat] == RACING and only_sixes(s.hand[seat]) and leads(t, s, seat):
            found |= 1 << seat
    return found


@kernel
def cannot_be_passed(t: Tables, s: State, seat: int, group: int) -> bool:
    """AC-4.3: return whether no chariot outside the group of stuck leaders has a route past it or to the finish."""
    lap = s.lap[seat]
    rank = t.rank[s.race, s.space[seat]]
    for other in range(t.seats):
        if s.status[other] == RACING and not (group >> other) & 1 and can_pass(t, s, other, group, lap, rank):
            return False
    return True


@kernel
def is_barred_from_six(t: Tables, s: State, seat: int) -> bool:
    """AC-4.1: return whether the lead forbids a seat to play a 6 on its turn. AC-4.3 is not applied."""
    return s.begun == 1 and s.free == 0 and leads(t, s, seat)


@kernel
def may_play_six(t: Tables, s: State, seat: int) -> bool:
    """AC-4: return whether a seat that holds a 6 may play it."""
    if not is_barred_from_six(t, s, seat):
        return True
    return only_sixes(s.hand[seat]) and not t.crash_and_burn and cannot_be_passed(t, s, seat, stuck_leaders(t, s))


@kernel
def crashes(t: Tables, s: State, seat: int) -> bool:
    """AC-V3: return whether a seat crashes on its turn: a leader with only 6s."""
    return t.crash_and_burn == 1 and only_sixes(s.hand[seat]) and is_barred_from_six(t, s, seat)
