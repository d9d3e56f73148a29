"""The series (BH-2, BH-3): the first dealer, antes, deals, and one race after another."""

from __future__ import annotations

from quadriga.engine.kernels.bits import count, lowest
from quadriga.engine.kernels.kernel import kernel
from quadriga.games.benhvrt.rules.maintenance import DRIVER_FIRST, seat_in_turn
from quadriga.games.benhvrt.rules.payout import clear_track, pay_out
from quadriga.games.benhvrt.rules.piles import drawn, held, size
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
    """From the dealer's dice to the last payout."""
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
        _lay_out(t, s)
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
    """The next race of the series; Caligula rolls for its laps (BH-2.2)."""
    if s.race == t.races:
        s.at[top] = NEXT_RACE
        s.asked = OVER
    elif t.laps[s.race]:
        s.laps = t.laps[s.race]
    else:
        s.at[top] = NEXT_RACE
        s.asked = CHANCE


@kernel
def cast_or_laps(t: Tables, s: State, top: int, face: int) -> None:
    """A die of the series: for the first dealer (BH-2.3), or for the laps of a race."""
    if s.at[top] == NEXT_RACE:
        s.laps = face
        s.at[top] = ANTE
        return
    s.cast[lowest(s.rollers)] = face
    s.rollers &= s.rollers - 1
    if s.rollers == 0:
        _judge_dice(t, s, top)


@kernel
def _judge_dice(t: Tables, s: State, top: int) -> None:
    """BH-2.3: the highest deals; ties for the highest roll again."""
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
    """BH-3.1: 2 D per lap and chariot, paid whenever it can be; BH-3.2: what hands are due."""
    ante = 2 * s.laps
    for seat in range(t.seats):
        for which in range(t.chariots // t.seats):
            if s.purse[seat] >= ante:
                s.purse[seat] -= ante
                s.pot += ante
                s.entered |= 1 << (seat + which * t.seats)
                s.due[seat] += (s.laps + 1) // 2


@kernel
def _lay_out(t: Tables, s: State) -> None:
    """BH-3.2: n auction cards per chariot, face down, one at a time while the deck lasts."""
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
    """BH-3.2: one card at a time from the dealer's left, skipping who has had his share."""
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
def card_dealt(t: Tables, s: State, top: int, kind: int) -> None:
    """A card into a hand."""
    seat = s.seat[top]
    drawn(s, seat, kind)
    s.due[seat] -= 1
    s.seat[top] = (seat + 1) % t.seats


@kernel
def run_draw(t: Tables, s: State, top: int) -> None:
    """A player draws cards; from an empty deck none (BH-3.3), nor those reserved for the auction (BH-4.1)."""
    if s.to_draw[top] == 0 or size(s, DECK) <= reserved(t, s):
        pop(s)
    else:
        s.asked = CHANCE


@kernel
def reserved(t: Tables, s: State) -> int:
    """Cards of the deck that lie face down before the players, to be auctioned."""
    face_down = 0
    for seat in range(t.seats):
        face_down += s.face_down[seat]
    return face_down


@kernel
def card_drawn(t: Tables, s: State, top: int, kind: int) -> None:
    """One of them."""
    drawn(s, s.seat[top], kind)
    s.to_draw[top] -= 1
