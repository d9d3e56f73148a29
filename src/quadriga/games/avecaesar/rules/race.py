"""The start and the end of a race: setup (AC-2), scoring and places (AC-6, AC-2.3, AC-V1)."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import kernel
from quadriga.games.avecaesar.rules.cards import FULL
from quadriga.games.avecaesar.state import DEAL, DONE, FINISHED, OUT, RACING, State, Tables

REWARDS = (6, 4, 3, 2, 1, 0)


@kernel
def cut_card(t: Tables, s: State, value: int) -> None:
    """AC-2.2: cut one card. The highest starts; tied players cut again."""
    seat = lowest(s.cutters)
    s.cut[seat] = value
    s.cutters &= ~(1 << seat)
    if s.cutters:
        return
    best = 0
    for other in range(t.seats):
        if (s.tied >> other) & 1 and s.cut[other] > best:
            best = s.cut[other]
    for other in range(t.seats):
        if s.cut[other] != best:
            s.tied &= ~(1 << other)
    if s.tied & (s.tied - 1):
        s.cutters = s.tied
    else:
        first = lowest(s.tied)
        for other in range(t.seats):
            s.order[other] = (first + other) % t.seats
        line_up(t, s)


@kernel
def line_up(t: Tables, s: State) -> None:
    """AC-2.1: put the chariots on their starts with a coin and a full deck each, and clear the last race."""
    for place in range(t.seats):
        seat = s.order[place]
        s.space[seat] = t.start[s.race, place]
        s.lap[seat] = 0
        s.coin[seat] = 1
        s.dishonoured[seat] = 0
        s.status[seat] = RACING
        s.finish[seat] = 0
        s.hand[seat] = 0
        s.deck[seat] = FULL
        for i in range(s.unders[seat]):
            s.under[seat, i] = 0
        s.unders[seat] = 0
        s.ruled_out[seat] = 0
        s.cut[seat] = 0
    s.tied = 0
    s.cutters = 0
    s.finishers = 0
    s.begun = 0
    s.misses = 0
    s.lifted = 0
    s.free = 0
    s.dealt = 0
    s.at = 0
    s.phase = DEAL


@kernel
def racing(t: Tables, s: State) -> int:
    """Return the seats whose chariots are on the track, as bits."""
    found = 0
    for seat in range(t.seats):
        if s.status[seat] == RACING:
            found |= 1 << seat
    return found


@kernel
def merit(t: Tables, s: State, seat: int) -> int:
    """Return the sort key of the places: finishers in order, then dishonoured ones, then the rest by distance."""
    if s.status[seat] == FINISHED:
        return (1 << 20) - s.finish[seat] + (0 if s.dishonoured[seat] else 1 << 21)
    return (s.lap[seat] << 8) + t.rank[s.race, s.space[seat]]


@kernel
def place_of(t: Tables, s: State, place: int) -> int:
    """AC-2.3: return the seat with a place, 0 for the winner. Ties are broken by the turn order of the race."""
    for number in range(t.seats):
        seat = s.order[number]
        better = 0
        for other_number in range(t.seats):
            other = s.order[other_number]
            more = merit(t, s, other) - merit(t, s, seat)
            if more > 0 or (more == 0 and other_number < number):
                better += 1
        if better == place:
            return seat
    return -1


@kernel
def end_race(t: Tables, s: State) -> None:
    """AC-6.1: give points to honoured finishers in order; start the next race or end the tournament."""
    honoured = 0
    for number in range(1, s.finishers + 1):
        for seat in range(t.seats):
            if s.finish[seat] == number and not s.dishonoured[seat]:
                s.points[seat] += REWARDS[honoured]
                honoured += 1
    for seat in range(t.seats):
        if s.status[seat] == RACING:
            s.status[seat] = OUT
    if s.race + 1 == t.races:
        s.phase = DONE
        return
    _set_next_order(t, s)
    s.race += 1
    line_up(t, s)


@kernel
def _set_next_order(t: Tables, s: State) -> None:
    """Set the next turn order. AC-2.3: the last starts first, the rest clockwise. AC-V1: by place."""
    if t.start_by_place:
        packed = 0
        for place in range(t.seats):
            packed |= place_of(t, s, place) << (4 * place)
        for place in range(t.seats):
            s.order[place] = (packed >> (4 * place)) & 15
    else:
        last = place_of(t, s, t.seats - 1)
        for place in range(t.seats):
            s.order[place] = (last + place) % t.seats
