"""Observations of Ben Hvrt: what a seat may see, as numbers."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Shorts, kernel
from quadriga.games.benhvrt.board import CHARIOTS
from quadriga.games.benhvrt.deck import KINDS
from quadriga.games.benhvrt.rules.hidden import is_building_offer, public_actor, sees_offer, visible_window
from quadriga.games.benhvrt.rules.phases.market import ACTING
from quadriga.games.benhvrt.rules.piles import held, known, number, size
from quadriga.games.benhvrt.state import (
    DECK,
    DISCARD,
    GIVE,
    MAINTENANCE,
    MOVING,
    SEATS,
    WANT,
    WINDOW,
    State,
    Tables,
)

GENERAL = 24
PER_SEAT = 12
PER_CHARIOT = 11
OBSERVED = GENERAL + SEATS * (PER_SEAT + KINDS) + CHARIOTS * (PER_CHARIOT + KINDS) + 3 * KINDS


@kernel
def observe(t: Tables, s: State, seat: int, out: Shorts) -> None:
    """Write general numbers, all seats and chariots from the own ones on, then discards and offer."""
    _clear(0, len(out), out)
    observe_again(t, s, seat, out)


@kernel
def observe_again(t: Tables, s: State, seat: int, out: Shorts) -> None:
    """Do as `observe`, but write nothing about seats and chariots that are not in the game."""
    _observe_general(t, s, seat, out)
    first = max(seat, 0)
    for k in range(t.seats):
        other = first + k if first + k < t.seats else first + k - t.seats
        _observe_seat(t, s, seat, other, GENERAL + k * (PER_SEAT + KINDS), out)
        for chariot in range(other, t.chariots, t.seats):
            place = k + chariot - other
            at = GENERAL + SEATS * (PER_SEAT + KINDS) + place * (PER_CHARIOT + KINDS)
            _observe_chariot(t, s, chariot, k, at, out)
    at = GENERAL + SEATS * (PER_SEAT + KINDS) + CHARIOTS * (PER_CHARIOT + KINDS)
    _observe_pile(s, DISCARD, at, out)
    if sees_offer(s, seat):
        _observe_pile(s, GIVE, at + KINDS, out)
        _observe_pile(s, WANT, at + 2 * KINDS, out)
    else:
        _clear(at + KINDS, 2 * KINDS, out)


@kernel
def _clear(at: int, n: int, out: Shorts) -> None:
    """Write a number of zeros."""
    for i in range(at, at + n):
        out[i] = 0


@kernel
def _observe_pile(s: State, pile: int, at: int, out: Shorts) -> None:
    """Write how many cards of each kind are in a pile."""
    _clear(at, KINDS, out)
    kinds = held(s, pile)
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        out[at + kind] = number(s, pile, kind)


@kernel
def _observe_general(t: Tables, s: State, seat: int, out: Shorts) -> None:
    """Write the general numbers: race, phase, actor, auction, offer and move."""
    top = s.depth - 1
    building = is_building_offer(s) and seat != s.asked
    out[0] = s.race
    out[1] = s.laps
    out[2] = s.dealer
    out[3] = s.pot
    out[4] = size(s, DECK)
    out[5] = s.task[top]
    out[6] = ACTING if building else s.at[top]
    out[7] = public_actor(t, s) + 1
    out[8] = 1 if seat >= 0 and s.asked == seat else 0
    out[9] = s.lot
    out[10] = s.round
    out[11] = s.bidders
    out[12] = s.ready
    _clear(13, 4, out)
    if s.task[top] == MAINTENANCE:
        out[13] = s.due_kind + 2
    if s.task[top] == WINDOW:
        _observe_window(t, s, seat, out)
    if sees_offer(s, seat):
        out[14] = s.offer_to + 1
        out[15] = s.give_money
        out[16] = s.want_money
    out[17] = s.mover
    out[18] = s.natural
    out[19] = s.roll
    out[20] = s.steps
    out[21] = s.passed
    out[22] = s.begun
    out[23] = s.stalled


@kernel
def _observe_window(t: Tables, s: State, seat: int, out: Shorts) -> None:
    """BH-7.4: write the window. A window that is hidden from the seat looks like the move under way."""
    window = visible_window(t, s, seat)
    if window:
        out[13] = window
        out[6] = s.building if s.asked == seat else 0
        return
    place = s.depth - 1
    while s.task[place] != MOVING:
        place -= 1
    out[5] = MOVING
    out[6] = s.at[place]


@kernel
def _observe_seat(t: Tables, s: State, seat: int, other: int, at: int, out: Shorts) -> None:
    """Write what a seat sees of another or of itself: purse, number of cards, and known cards."""
    out[at] = 1
    out[at + 1] = other
    out[at + 2] = s.purse[other]
    out[at + 3] = size(s, other)
    out[at + 4] = s.face_down[other]
    out[at + 5] = s.offers_made[other]
    is_hidden = s.building != 0 and s.asked == other and seat != other
    out[at + 6] = 0 if is_hidden else s.bribe_card[other]
    out[at + 7] = 0 if is_hidden else s.bribe_to[other]
    out[at + 8] = 0 if is_hidden else s.bribe_chariot[other]
    out[at + 9] = 0 if is_hidden else s.bribe_money[other]
    out[at + 10] = s.cast[other]
    out[at + 11] = s.due[other]
    if other == seat:
        _observe_pile(s, seat, at + PER_SEAT, out)
        return
    _clear(at + PER_SEAT, KINDS, out)
    if seat >= 0:
        kinds = s.know[seat, 2 * other] | s.know[seat, 2 * other + 1]
        while kinds:
            kind = lowest(kinds)
            kinds &= kinds - 1
            out[at + PER_SEAT + kind] = known(s, seat, other, kind)


@kernel
def _observe_chariot(t: Tables, s: State, chariot: int, whose: int, at: int, out: Shorts) -> None:
    """Write everything about a chariot, which is public; `whose` counts its owner from the own seat on."""
    out[at] = 1
    out[at + 1] = whose
    out[at + 2] = (s.entered >> chariot) & 1
    out[at + 3] = (s.racing >> chariot) & 1
    out[at + 4] = s.lap[chariot]
    out[at + 5] = s.square[chariot]
    out[at + 6] = s.speed[chariot]
    out[at + 7] = s.next_roll[chariot]
    out[at + 8] = (s.moved >> chariot) & 1
    out[at + 9] = s.driver[chariot]
    _clear(at + 10, 1 + KINDS, out)
    for place in range(s.finishers):
        if s.finisher[place] == chariot + 1:
            out[at + 10] = place + 1
    kinds = s.improvements[chariot]
    while kinds:
        out[at + PER_CHARIOT + lowest(kinds)] = 1
        kinds &= kinds - 1
