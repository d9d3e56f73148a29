"""The series (BH-2, BH-3): the first dealer, antes, deals, and the order of the phases."""

from __future__ import annotations

from quadriga.engine.kernels.bits import count, lowest
from quadriga.engine.kernels.kernel import kernel
from quadriga.games.benhvrt.rules.phases.maintenance import DRIVER_FIRST, seat_in_turn
from quadriga.games.benhvrt.rules.phases.payout import clear_track, pay_out
from quadriga.games.benhvrt.rules.piles import draw_from_deck, held, size
from quadriga.games.benhvrt.rules.stack import pop, push
from quadriga.games.benhvrt.state import (
    AUCTION,
    CHANCE,
    DEAL,
    DECK,
    MAINTENANCE,
    MARKET,
    OVER,
    RACE,
    SUPPLY,
    State,
    Tables,
)

CASTING = 0  # stages of a series
FIRST_DEAL = 1
NEXT_RACE = 2
ANTE = 3
LAY_OUT = 4
TO_MARKET = 5
TO_MAINTENANCE = 6
TO_SUPPLY = 7
TO_RACE = 8
PAY_OUT = 9
CLEAR = 10


@kernel
def run_series(t: Tables, s: State, top: int) -> None:
    """Run the next stage of the series, from the dice for the dealer to the last payout."""
    at = s.at[top]
    left = (s.dealer + 1) % t.seats
    s.at[top] = at + 1
    if at == CASTING:
        s.at[top] = CASTING
        s.asked = CHANCE
    elif at == FIRST_DEAL:
        for seat in range(t.seats):
            s.due[seat] = 2 * (t.chariots // t.seats)
        push(s, DEAL, left)
    elif at == NEXT_RACE:
        _next_race(t, s, top)
    elif at == ANTE:
        _take_antes(t, s)
        push(s, DEAL, left)
    elif at == LAY_OUT:
        _lay_out_auction(t, s)
        push(s, AUCTION, s.dealer)
    elif at == TO_MARKET:
        push(s, MARKET, left)
    elif at == TO_MAINTENANCE:
        s.due_kind = DRIVER_FIRST
        push(s, MAINTENANCE, left)
    elif at == TO_SUPPLY:
        push(s, SUPPLY, left)
    elif at == TO_RACE:
        push(s, RACE, left)
    elif at == PAY_OUT:
        pay_out(t, s)
    else:
        clear_track(t, s)
        s.race += 1
        s.laps = 0
        s.at[top] = NEXT_RACE


@kernel
def _next_race(t: Tables, s: State, top: int) -> None:
    """BH-2.2: begin the next race, after rolling for its laps in Caligula; or end the series."""
    if s.race == t.races:
        s.at[top] = NEXT_RACE
        s.asked = OVER
    elif t.laps[s.race]:
        s.laps = t.laps[s.race]
    else:
        s.at[top] = NEXT_RACE
        s.asked = CHANCE


@kernel
def apply_series_die(t: Tables, s: State, top: int, face: int) -> None:
    """Apply a die for the first dealer (BH-2.3) or for the laps of a race (BH-2.2)."""
    if s.at[top] == NEXT_RACE:
        s.laps = face
        s.at[top] = ANTE
        return
    s.cast[lowest(s.rollers)] = face
    s.rollers &= s.rollers - 1
    if s.rollers == 0:
        _choose_dealer(t, s, top)


@kernel
def _choose_dealer(t: Tables, s: State, top: int) -> None:
    """BH-2.3: the highest roll deals; seats tied for the highest roll again."""
    best = 0
    for seat in range(t.seats):
        if (s.tied >> seat) & 1:
            best = max(best, s.cast[seat])
    for seat in range(t.seats):
        if s.cast[seat] != best:
            s.tied &= ~(1 << seat)
    if count(s.tied) > 1:
        s.rollers = s.tied
        return
    s.dealer = lowest(s.tied)
    s.tied = 0
    for seat in range(t.seats):
        s.cast[seat] = 0
    s.at[top] = FIRST_DEAL


@kernel
def _take_antes(t: Tables, s: State) -> None:
    """BH-3.1: take 2 Ducats per lap and chariot from seats that can pay. BH-3.2: set the cards to deal."""
    ante = 2 * s.laps
    for seat in range(t.seats):
        for which in range(t.chariots // t.seats):
            if s.purse[seat] >= ante:
                s.purse[seat] -= ante
                s.pot += ante
                s.entered |= 1 << (seat + which * t.seats)
                s.due[seat] += (s.laps + 1) // 2


@kernel
def _lay_out_auction(t: Tables, s: State) -> None:
    """BH-3.2: give each chariot one auction card per lap, face down, one at a time while the deck lasts."""
    left = size(s, DECK)
    dealt = True
    while dealt:
        dealt = False
        for number in range(t.seats):
            seat = seat_in_turn(t, s, number)
            chariots = (s.entered >> seat) & 1
            if t.chariots > t.seats:
                chariots += (s.entered >> (seat + t.seats)) & 1
            if left > 0 and s.face_down[seat] < s.laps * chariots:
                s.face_down[seat] += 1
                left -= 1
                dealt = True


@kernel
def run_deal(t: Tables, s: State, top: int) -> None:
    """BH-3.2: deal one card at a time from the dealer's left, skipping seats that have their share."""
    if held(s, DECK):
        for _ in range(t.seats):
            if s.due[s.seat[top]]:
                s.asked = CHANCE
                return
            s.seat[top] = (s.seat[top] + 1) % t.seats
    for seat in range(t.seats):
        s.due[seat] = 0
    pop(s)


@kernel
def deal_card(t: Tables, s: State, top: int, kind: int) -> None:
    """Deal a card into a hand."""
    seat = s.seat[top]
    draw_from_deck(s, seat, kind)
    s.due[seat] -= 1
    s.seat[top] = (seat + 1) % t.seats


@kernel
def run_draw(t: Tables, s: State, top: int) -> None:
    """Draw the next card. An empty deck gives none (BH-3.3); auction cards are reserved (BH-4.1)."""
    if s.to_draw[top] == 0 or size(s, DECK) <= reserved(t, s):
        pop(s)
    else:
        s.asked = CHANCE


@kernel
def reserved(t: Tables, s: State) -> int:
    """Return the number of unseen cards that are auction cards."""
    face_down = 0
    for seat in range(t.seats):
        face_down += s.face_down[seat]
    return face_down


@kernel
def draw_card(t: Tables, s: State, top: int, kind: int) -> None:
    """Draw a card into a hand."""
    draw_from_deck(s, s.seat[top], kind)
    s.to_draw[top] -= 1
