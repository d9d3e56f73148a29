"""The auction (BH-4): a card is turned up, and bought at its price or auctioned. All bids are paid."""

from __future__ import annotations

from quadriga.engine.kernels.bits import count, lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import BID, BUY, FIT, PASS, SELL
from quadriga.games.benhvrt.rules.chariots import takes_part
from quadriga.games.benhvrt.rules.phases.fittings import fit, legal_fits
from quadriga.games.benhvrt.rules.piles import gain_openly, put, take
from quadriga.games.benhvrt.rules.stack import pop
from quadriga.games.benhvrt.state import CHANCE, DECK, DISCARD, State, Tables

NEXT_LOT = 0
TURNED_UP = 1
BIDDING = 2


@kernel
def run_auction(t: Tables, s: State, top: int) -> None:
    """Run the next stage of the auction."""
    if s.at[top] == NEXT_LOT:
        _next_lot(t, s, top)
    elif s.at[top] == TURNED_UP:
        s.asked = s.seat[top]
    else:
        _run_bidding(t, s, top)


@kernel
def _next_lot(t: Tables, s: State, top: int) -> None:
    """BH-4.1: go to the next seat with an auction card, from the dealer leftward; or end the auction."""
    for _ in range(t.seats):
        if s.face_down[s.seat[top]]:
            s.asked = CHANCE
            return
        s.seat[top] = (s.seat[top] + 1) % t.seats
    pop(s)


@kernel
def turn_up_card(t: Tables, s: State, top: int, kind: int) -> None:
    """Turn up the auctioneer's next card."""
    take(s, DECK, kind)
    s.face_down[s.seat[top]] -= 1
    s.lot = kind + 1
    s.at[top] = TURNED_UP


@kernel
def _run_bidding(t: Tables, s: State, top: int) -> None:
    """BH-4.2, BH-4.3: ask the bidders round by round, from the auctioneer leftward."""
    while True:
        if s.round > 1 and count(s.bidders) == 1:
            _sell_lot(t, s, top, lowest(s.bidders))
            return
        if s.bids_asked == t.seats:
            if s.bidders == 0:
                put(s, DISCARD, s.lot - 1)
                _end_lot(t, s, top)
                return
            s.round += 1
            s.bids_asked = 0
        else:
            seat = (s.seat[top] + s.bids_asked) % t.seats
            if (s.bidders >> seat) & 1:
                if s.purse[seat] >= s.round:
                    s.asked = seat
                    return
                s.bidders &= ~(1 << seat)
            s.bids_asked += 1


@kernel
def _sell_lot(t: Tables, s: State, top: int, seat: int) -> None:
    """Give the card to a player, visibly to all."""
    gain_openly(t, s, seat, s.lot - 1)
    _end_lot(t, s, top)


@kernel
def _end_lot(t: Tables, s: State, top: int) -> None:
    """Clear the lot and go on to the next seat."""
    s.lot = 0
    s.round = 0
    s.bidders = 0
    s.bids_asked = 0
    s.seat[top] = (s.seat[top] + 1) % t.seats
    s.at[top] = NEXT_LOT


@kernel
def legal_auction(t: Tables, s: State, top: int, out: Ints) -> int:
    """BH-4.1: write buy, auction and fittings for the auctioneer, or bid and pass; return how many."""
    if s.at[top] == BIDDING:
        out[0] = BID
        out[1] = PASS
        return 2
    out[0] = SELL
    n = 1
    if s.purse[s.seat[top]] >= t.price[s.lot - 1]:
        out[n] = BUY
        n += 1
    return legal_fits(t, s, s.seat[top], out, n)


@kernel
def answer_auction(t: Tables, s: State, top: int, action: int) -> None:
    """Apply an action of the auctioneer or a bidder."""
    if action == BUY:
        s.purse[s.seat[top]] -= t.price[s.lot - 1]
        s.pot += t.price[s.lot - 1]
        _sell_lot(t, s, top, s.seat[top])
    elif action == SELL:
        s.at[top] = BIDDING
        s.round = 1
        for seat in range(t.seats):
            if takes_part(t, s, seat):
                s.bidders |= 1 << seat
    elif action >= FIT:
        fit(t, s, s.seat[top], action)
    else:
        seat = (s.seat[top] + s.bids_asked) % t.seats
        if action == BID:
            s.purse[seat] -= s.round
            s.pot += s.round
        else:
            s.bidders &= ~(1 << seat)
        s.bids_asked += 1
