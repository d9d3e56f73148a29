"""Bidding in auctions of Ben Hvrt: a mixed strategy, so that nobody can read a bot or outbid it for nothing.

The chance to bid depends on the seats, the worth of the card to the bidder, the round, the bidders that have paid
in this round and those still to be asked. `bidding_table` has the chances; `scripts/bidding.py` says how they are
found.
"""

from __future__ import annotations

from quadriga.engine.kernels.kernel import kernel
from quadriga.engine.kernels.rng import Rng, below
from quadriga.games.benhvrt.bots.bidding_table import CHANCES
from quadriga.games.benhvrt.bots.parts import PROUD, THRIFTY, TRADER
from quadriga.games.benhvrt.bots.worth import worth
from quadriga.games.benhvrt.state import State, Tables

LEVELS = (4, 6, 8, 10, 12, 15, 18, 22, 27, 33, 42, 55, 75)  # the least worth of each, in tenths of Ducats
TABLES = (2, 3, 4)  # seats; more count as four
ROUNDS = 8  # nobody bids after them
MOST = 3  # bidders before or after that are counted
_LEVELS = len(LEVELS)


@kernel
def _wanted(t: Tables, s: State, manner: int) -> int:
    """Return the worth of the card to the bidder, as one of their temper counts it.

    The thrifty one soon gives in, the proud one does not like to, and the trader thinks of selling the card.
    """
    mine = worth(t, s, s.asked, s.lot - 1)
    if manner & THRIFTY and s.round > 1:
        return mine * 6 // 10
    if manner & PROUD:
        return mine * (13 if s.round == 1 else 16) // 10
    if manner & TRADER:
        for seat in range(t.seats):
            mine = max(mine, worth(t, s, seat, s.lot - 1) * 9 // 10)
    return mine


@kernel
def stays_in(t: Tables, s: State, top: int, rng: Rng, manner: int) -> bool:
    """Return whether the player bids, by chance. A bidder who wants the card far less is not expected to."""
    mine = _wanted(t, s, manner)
    if mine < LEVELS[0] or s.round > ROUNDS:
        return False
    inside = 0
    after = 0
    for turn in range(t.seats):
        seat = (s.seat[top] + turn) % t.seats
        if (s.bidders >> seat) & 1 and turn < s.bids_asked:
            inside += 1
        elif (s.bidders >> seat) & 1 and turn > s.bids_asked and s.purse[seat] >= s.round:
            after += 1 if 2 * worth(t, s, seat, s.lot - 1) >= mine else 0
    return below(rng, 15) < _chance(t, mine, s.round, min(inside, MOST), min(after, MOST))


@kernel
def _chance(t: Tables, mine: int, round: int, inside: int, after: int) -> int:
    """Return the chance to bid, in fifteenths."""
    level = 0
    while level < _LEVELS - 1 and mine >= LEVELS[level + 1]:
        level += 1
    table = min(t.seats, 4) - 2
    row = CHANCES[(table * _LEVELS + level) * ROUNDS + round - 1]
    return row >> 4 * min((MOST + 1) * inside + after, 14) & 15
