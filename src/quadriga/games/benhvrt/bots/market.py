"""Rules of thumb for Ben Hvrt before the race: auction, fitting out, maintenance and trade."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.rng import Rng
from quadriga.games.benhvrt.actions import (
    ACCEPT,
    BID,
    BUY,
    DECLINE,
    DROP,
    FIT,
    KEEP,
    OFFER,
    PASS,
    PLAY,
    READY,
    SELL,
    STEP,
    WAYS,
)
from quadriga.games.benhvrt.bots.bidding import stays_in
from quadriga.games.benhvrt.bots.parts import BIDS, CONTESTS, FITTING, TRADER, TRADES
from quadriga.games.benhvrt.bots.trades import LEAST, LEAST_TRADER, next_piece, offer_gain, plan
from quadriga.games.benhvrt.bots.values import FITTED_LATER, value
from quadriga.games.benhvrt.bots.worth import NEXT_ROLL, departure_worth, gain_on, net, net_later, worth
from quadriga.games.benhvrt.deck.operations import CHARIOT, PAIR
from quadriga.games.benhvrt.rules.chariots import owner, strength
from quadriga.games.benhvrt.rules.phases.auction import BIDDING
from quadriga.games.benhvrt.rules.phases.maintenance import due_item
from quadriga.games.benhvrt.rules.phases.offers import (
    ANSWER,
    CHOOSE_SEAT,
)
from quadriga.games.benhvrt.state import State, Tables

_NOTHING = -1
_BUY = 10  # the least worth of a card, in tenths of Ducats, for each Ducat of its price,
_BUY_ALONE = 14  # ... the same where nobody contests,
_BID = 8  # ... and for each Ducat of a bid there


@kernel
def in_auction(t: Tables, s: State, top: int, rng: Rng, out: Ints, n: int, without: int) -> int:
    """Fit out cards that help, buy cards worth their price, and bid by chance.

    Without `contests` one seat bids for each card.
    """
    kind = s.lot - 1
    bids = without & BIDS == 0
    contests = without & CONTESTS == 0
    if s.at[top] == BIDDING:
        wanted = bids and (stays_in(t, s, top, rng, without) if contests else _is_first_bidder(t, s, top))
        return BID if wanted else PASS
    best = _best_fit(t, s, out, n) if without & FITTING == 0 else _NOTHING
    if best != _NOTHING:
        return best
    least = (_BUY if contests else _BUY_ALONE) * t.price[kind]
    if bids and s.purse[s.asked] >= t.price[kind] and worth(t, s, s.asked, kind) >= least:
        return BUY
    return SELL


@kernel
def _best_fit(t: Tables, s: State, out: Ints, n: int) -> int:
    """Return the action that fits out the most profitable card; _NOTHING if none is profitable."""
    best = _NOTHING
    most = 0
    for i in range(n):
        action = out[i]
        if action >= FIT and action < STEP:
            gain = gain_on(t, s, s.asked + (action - FIT) % 2 * t.seats, (action - FIT) // 2)
            if gain > most:
                most = gain
                best = action
    return best


@kernel
def _is_first_bidder(t: Tables, s: State, top: int) -> bool:
    """Return whether the player is the first bidder from the auctioneer on for whom the card is worth the bid."""
    for turn in range(t.seats):
        seat = (s.seat[top] + turn) % t.seats
        if (s.bidders >> seat) & 1 and worth(t, s, seat, s.lot - 1) >= _BID * s.round:
            return seat == s.asked
    return False


@kernel
def in_maintenance(t: Tables, s: State, out: Ints, n: int) -> int:
    """Keep a card that wins more than its upkeep, now or in later races, and more than dropping it."""
    kind = due_item(t, s)
    kept = 8 * net(t, s, kind, True) + value(t, s, FITTED_LATER) * net_later(t, s, kind, True)
    if n > 1 and kept >= 8 * departure_worth(t, s, kind, True):
        return KEEP
    return DROP


@kernel
def in_market(t: Tables, s: State, top: int, out: Ints, n: int, without: int) -> int:
    """Fit out cards that help, play Events, offer cards that do not help; then be ready."""
    trades = without & TRADES == 0
    fits = without & FITTING == 0
    if s.at[top] == ANSWER:
        least = LEAST_TRADER if without & TRADER else LEAST
        return ACCEPT if n > 1 and trades and offer_gain(t, s, s.seat[top]) >= least else DECLINE
    if s.at[top] >= CHOOSE_SEAT:
        return next_piece(s, top, out, plan(t, s))
    best = READY
    most = 0
    may_offer = False
    for i in range(n):
        action = out[i]
        if action == OFFER:
            may_offer = True
        elif action >= PLAY:
            gain = _event_gain(t, s, action - PLAY)
            if gain > most:
                most = gain
                best = action
        elif action >= FIT and fits:
            gain = gain_on(t, s, s.asked + (action - FIT) % 2 * t.seats, (action - FIT) // 2)
            if gain > most:
                most = gain
                best = action
    if best == READY and may_offer and trades and plan(t, s) != _NOTHING:
        return OFFER
    return best


@kernel
def _event_gain(t: Tables, s: State, way: int) -> int:
    """Return the gain of an Event in the market. Cards always help; a Driver must be worth the price."""
    kind = way // WAYS
    arg = way % WAYS
    if t.takes[kind] == CHARIOT:
        helps = strength(t, kind, NEXT_ROLL) > 3
        return 1 if helps == (owner(t, arg) == s.asked) else 0
    if t.takes[kind] != PAIR:
        return 1
    driver = s.driver[arg // 2] - 1
    return gain_on(t, s, s.asked + arg % 2 * t.seats, driver) + net_later(t, s, driver, True) - 10 * t.price[driver]
