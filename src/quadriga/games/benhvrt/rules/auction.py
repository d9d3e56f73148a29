"""The auction (BH-4): a card is turned up, bought at its price, or bid for with money that all is lost."""

from __future__ import annotations

from quadriga.engine.kernels.bits import count, lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import BID, BUY, FIT, PASS, SELL
from quadriga.games.benhvrt.rules.chariots import takes_part
from quadriga.games.benhvrt.rules.fittings import fit, legal_fits
from quadriga.games.benhvrt.rules.piles import gain_seen, put, take
from quadriga.games.benhvrt.rules.stack import pop
from quadriga.games.benhvrt.state import CHANCE, DECK, DISCARD, State, Tables

NEXT_LOT = 0
TURNED_UP = 1
BIDDING = 2


@kernel
def run_auction(t: Tables, s: State, top: int) -> None:
    """Go on until a card is to be turned up, or somebody is asked."""
    if s.at[top] == NEXT_LOT:
        _next_lot(t, s, top)
    elif s.at[top] == TURNED_UP:
        s.asked = s.seat[top]
    else:
        _bidding(t, s, top)


@kernel
def _next_lot(t: Tables, s: State, top: int) -> None:
    """BH-4.1: from the dealer leftward; who has no auction card left is skipped."""
    for _ in range(t.seats):
        if s.face_down[s.seat[top]]:
            s.asked = CHANCE
            return
        s.seat[top] = (s.seat[top] + 1) % t.seats
    pop(s)


@kernel
def turned_up(t: Tables, s: State, top: int, kind: int) -> None:
    """The auctioneer turns his next card up."""
    take(s, DECK, kind)
    s.face_down[s.seat[top]] -= 1
    s.lot = kind + 1
    s.at[top] = TURNED_UP


@kernel
def _bidding(t: Tables, s: State, top: int) -> None:
    """BH-4.2, BH-4.3: round by round from the auctioneer leftward."""
    while True:
        if s.round > 1 and count(s.bidders) == 1:
            _knocked_down(t, s, top, lowest(s.bidders))
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
def _knocked_down(t: Tables, s: State, top: int, seat: int) -> None:
    """Somebody takes the card, and everybody has seen it."""
    gain_seen(t, s, seat, s.lot - 1)
    _end_lot(t, s, top)


@kernel
def _end_lot(t: Tables, s: State, top: int) -> None:
    s.lot = 0
    s.round = 0
    s.bidders = 0
    s.bids_asked = 0
    s.seat[top] = (s.seat[top] + 1) % t.seats
    s.at[top] = NEXT_LOT


@kernel
def legal_auction(t: Tables, s: State, top: int, out: Ints) -> int:
    """BH-4.1: to buy or to auction, after fitting out; then to bid or to pass."""
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
    """What the auctioneer or a bidder says."""
    if action == BUY:
        s.purse[s.seat[top]] -= t.price[s.lot - 1]
        s.pot += t.price[s.lot - 1]
        _knocked_down(t, s, top, s.seat[top])
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
