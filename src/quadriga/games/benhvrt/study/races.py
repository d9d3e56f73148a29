"""Count in races of Ben Hvrt: the money of each seat, the grid, and the places."""

from __future__ import annotations

from quadriga.engine.kernels.bits import count, lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import PLAY, STEP
from quadriga.games.benhvrt.rules.chariots import foremost
from quadriga.games.benhvrt.rules.phases.maintenance import seat_in_turn
from quadriga.games.benhvrt.rules.phases.race import PLACES, STEPPING
from quadriga.games.benhvrt.rules.piles import number
from quadriga.games.benhvrt.state import MOVING, State, Tables
from quadriga.games.benhvrt.study.counts import (
    AFTER,
    ANTE,
    BEFORE,
    DRIVER,
    ENTERED,
    GRID,
    HELD,
    IMPROVEMENTS,
    LAPS,
    PLACE,
    PRIZES,
    TURN,
)
from quadriga.games.benhvrt.study.row import card_at, chariot_at, race_at, seat_at


@kernel
def count_race(t: Tables, before: State, s: State, seat: int, action: int, at: Ints, row: Ints) -> None:
    """Count the end of a race, the antes of the next one, and its start. Steps are applied to the copy already."""
    if s.race != before.race:
        _end_race(t, before, s, seat, action, at, row)
    if s.entered and (before.entered == 0 or s.race != before.race):
        _take_antes(t, s, at, row)
    if s.racing and before.racing == 0:
        _start_race(t, s, at, row)


@kernel
def _ante(t: Tables, s: State, seat: int) -> int:
    """Return the ante that a seat has paid for the race under way."""
    return 2 * s.laps * _entered(t, s, seat)


@kernel
def _entered(t: Tables, s: State, seat: int) -> int:
    """Return how many chariots of a seat are in the race."""
    found = (s.entered >> seat) & 1
    if t.chariots > t.seats:
        found += (s.entered >> (seat + t.seats)) & 1
    return found


@kernel
def _take_antes(t: Tables, s: State, at: Ints, row: Ints) -> None:
    """Note the laps, and of each seat its place in the turn order, its chariots and its money."""
    row[race_at(at, s.race) + LAPS] = s.laps
    for place in range(t.seats):
        seat = seat_in_turn(t, s, place)
        mine = seat_at(t, at, s.race, seat)
        row[mine + TURN] = place + 1
        row[mine + ENTERED] = _entered(t, s, seat)
        row[mine + ANTE] = _ante(t, s, seat)
        row[mine + BEFORE] = s.purse[seat] + _ante(t, s, seat)


@kernel
def _start_race(t: Tables, s: State, at: Ints, row: Ints) -> None:
    """Note the grid, what is fitted to each chariot, and the cards that each seat holds."""
    place = 0
    for which in range(t.chariots // t.seats):
        for turn in range(t.seats):
            seat = seat_in_turn(t, s, turn)
            chariot = seat + which * t.seats
            if (s.entered >> chariot) & 1:
                place += 1
                mine = chariot_at(t, at, s.race, chariot)
                row[mine + GRID] = place
                row[mine + DRIVER] = s.driver[chariot]
                row[mine + IMPROVEMENTS] = count(s.improvements[chariot])
            if s.driver[chariot]:
                row[card_at(t, at, s.race, seat, s.driver[chariot] - 1) + HELD] += 1
            kinds = s.improvements[chariot]
            while kinds:
                row[card_at(t, at, s.race, seat, lowest(kinds)) + HELD] += 1
                kinds &= kinds - 1
    for seat in range(t.seats):
        for kind in range(t.kinds):
            row[card_at(t, at, s.race, seat, kind) + HELD] += number(s, seat, kind)


@kernel
def _end_race(t: Tables, before: State, s: State, seat: int, action: int, at: Ints, row: Ints) -> None:
    """Note the places and the money after a race. The next antes may be paid already; open bribes are returned."""
    race = before.race
    finishers = before.finishers
    for place in range(finishers):
        row[chariot_at(t, at, race, before.finisher[place] - 1) + PLACE] = place + 1
    left = before.racing
    top = before.depth - 1
    stepping = before.task[top] == MOVING and before.at[top] == STEPPING
    if stepping and seat >= 0 and action >= STEP and action < PLAY and before.square[before.mover] != action - STEP:
        finishers += 1  # the step led over the Finish Line: it was not applied to the copy
        row[chariot_at(t, at, race, before.mover) + PLACE] = finishers
        left &= ~(1 << before.mover)
    while left and finishers < PLACES:
        chariot = foremost(t, before, left)
        left &= ~(1 << chariot)
        finishers += 1
        row[chariot_at(t, at, race, chariot) + PLACE] = finishers
    for each in range(t.seats):
        mine = seat_at(t, at, race, each)
        after = s.purse[each] + _ante(t, s, each)
        row[mine + AFTER] = after
        row[mine + PRIZES] = after - before.purse[each] - before.bribe_money[each]
