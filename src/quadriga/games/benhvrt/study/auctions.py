"""Count in auctions of Ben Hvrt: what each auction card cost, and who got it."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import BID as BIDS_MORE
from quadriga.games.benhvrt.actions import BUY
from quadriga.games.benhvrt.rules.piles import number
from quadriga.games.benhvrt.state import AUCTION, State, Tables
from quadriga.games.benhvrt.study.counts import (
    AUCTIONEER,
    BID,
    BIDS,
    BOUGHT,
    BUYER,
    BY_PRICE,
    CARD_BOUGHT,
    LOT_CARD,
    LOT_COUNT,
    OTHERS,
    PAID,
    PRICE,
)
from quadriga.games.benhvrt.study.row import LOT_BIDS, card_at, lot_at, race_at, seat_at


@kernel
def count_auction(t: Tables, before: State, s: State, seat: int, action: int, at: Ints, row: Ints) -> None:
    """Count a card that is turned up, a bid, and the end of a sale."""
    top = before.depth - 1
    if before.task[top] != AUCTION:
        return
    race = before.race
    if seat < 0:
        lot = lot_at(t, at, race, row[race_at(at, race) + LOT_COUNT])
        row[race_at(at, race) + LOT_COUNT] += 1
        row[lot + LOT_CARD] = action + 1
        row[lot + AUCTIONEER] = before.seat[top]
        return
    lot = lot_at(t, at, race, row[race_at(at, race) + LOT_COUNT] - 1)
    if action == BUY:
        price = t.price[before.lot - 1]
        row[lot + BY_PRICE] = 1
        row[seat_at(t, at, race, seat) + BOUGHT] += price
        _sell(t, at, race, lot, seat, before.lot - 1, price, row)
    elif action == BIDS_MORE:
        row[seat_at(t, at, race, seat) + BIDS] += before.round
        row[at[LOT_BIDS] + seat] += before.round
    if action != BUY and before.lot and s.lot == 0:
        _end_bidding(t, before, s, at, lot, row)


@kernel
def _sell(t: Tables, at: Ints, race: int, lot: int, seat: int, kind: int, price: int, row: Ints) -> None:
    """Note who got an auction card, and for how much."""
    row[lot + BUYER] = seat + 1
    row[lot + PRICE] = price
    card = card_at(t, at, race, seat, kind)
    row[card + CARD_BOUGHT] += 1
    row[card + PAID] += price


@kernel
def _end_bidding(t: Tables, before: State, s: State, at: Ints, lot: int, row: Ints) -> None:
    """Note the end of an auction: the seat that has the card now has won it. All bids are paid (BH-4.2)."""
    kind = before.lot - 1
    for seat in range(t.seats):
        bid = row[at[LOT_BIDS] + seat]
        row[at[LOT_BIDS] + seat] = 0
        if number(s, seat, kind) > number(before, seat, kind):
            _sell(t, at, before.race, lot, seat, kind, bid, row)
        else:
            row[lot + OTHERS] += bid
            row[card_at(t, at, before.race, seat, kind) + BID] += bid
