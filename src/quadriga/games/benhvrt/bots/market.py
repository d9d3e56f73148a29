"""Rules of thumb for Ben Hvrt before the race: auction, fitting out, maintenance and trade."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.rng import Rng
from quadriga.games.benhvrt.actions import (
    ACCEPT,
    BID,
    BUY,
    DECLINE,
    DIGIT,
    DROP,
    ENOUGH,
    FIT,
    KEEP,
    NAME,
    OFFER,
    PASS,
    PLAY,
    READY,
    SELL,
    STEP,
    TO,
    WAYS,
)
from quadriga.games.benhvrt.bots.bidding import stays_in
from quadriga.games.benhvrt.bots.parts import BIDS, CONTESTS, FITTING
from quadriga.games.benhvrt.bots.worth import NEXT_ROLL, departure_worth, gain_on, net, net_later, worth
from quadriga.games.benhvrt.deck.operations import CHARIOT, DRIVER, IMPROVEMENT, PAIR
from quadriga.games.benhvrt.rules.chariots import owner, strength, takes_part
from quadriga.games.benhvrt.rules.phases.auction import BIDDING
from quadriga.games.benhvrt.rules.phases.maintenance import due_item
from quadriga.games.benhvrt.rules.phases.offers import (
    ANSWER,
    CHOOSE_SEAT,
    GIVE_CARDS,
    GIVE_MONEY,
    WANT_CARDS,
)
from quadriga.games.benhvrt.rules.piles import held, number
from quadriga.games.benhvrt.state import GIVE, WANT, State, Tables

_NOTHING = -1
_TENS = (1000, 100, 10, 1)
_BUY = 8  # the least worth of a card, in tenths of Ducats, for each Ducat of its price,
_BUY_ALONE = 14  # ... the same where nobody contests,
_BID = 8  # ... and for each Ducat of a bid there
_LEAST = 2  # the least gain of a trade, in tenths of Ducats


@kernel
def in_auction(t: Tables, s: State, top: int, rng: Rng, out: Ints, n: int, without: int) -> int:
    """Fit out cards that help, buy cards worth their price, and bid by chance.

    Without `contests` one seat bids for each card.
    """
    kind = s.lot - 1
    bids = without & BIDS == 0
    contests = without & CONTESTS == 0
    if s.at[top] == BIDDING:
        wanted = bids and (stays_in(t, s, top, rng) if contests else _is_first_bidder(t, s, top))
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
    if n > 1 and net(t, s, kind) + net_later(t, s, kind) // 2 >= departure_worth(t, s, kind):
        return KEEP
    return DROP


@kernel
def in_market(t: Tables, s: State, top: int, out: Ints, n: int, trades: bool, fits: bool) -> int:
    """Fit out cards that help, play Events, offer cards that do not help; then be ready."""
    if s.at[top] == ANSWER:
        return ACCEPT if n > 1 and trades and _offer_gain(t, s, s.seat[top]) >= _LEAST else DECLINE
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
    return gain_on(t, s, s.asked + arg % 2 * t.seats, driver) + net_later(t, s, driver) - 10 * t.price[driver]


@kernel
def _pile_worth(t: Tables, s: State, pile: int, seat: int, other: int) -> int:
    """Return the gain of a player who gets the cards of one side of an offer from another player.

    The gains of a card come from all other players alike, so a part of its worth to the other is gained, too.
    """
    total = 0
    kinds = held(s, pile)
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        total += gain_of_card(t, worth(t, s, seat, kind), worth(t, s, other, kind)) * number(s, pile, kind)
    return total


@kernel
def gain_of_card(t: Tables, mine: int, theirs: int) -> int:
    """Return the gain of a player who gets a card from another."""
    return mine + theirs // (t.seats - 1)


@kernel
def _offer_gain(t: Tables, s: State, maker: int) -> int:
    """Return the gain of accepting an offer."""
    me = s.asked
    cards = _pile_worth(t, s, GIVE, me, maker) - _pile_worth(t, s, WANT, me, maker)
    return cards + 10 * (s.give_money - s.want_money)


@kernel
def plan(t: Tables, s: State) -> int:
    """Return an offer that helps both: other seat, card, Ducats and whether it is a purchase, in one number.

    Seats are tried leftward from the player. After an offer was declined, the next goes to another seat.
    """
    me = s.asked
    asked = s.offers_made[me]
    for turn in range(1, t.seats):
        other = (me + turn) % t.seats
        if takes_part(t, s, other):
            deal = _best_deal(t, s, me, other)
            if deal != _NOTHING and asked == 0:
                return deal
            asked -= 1 if deal != _NOTHING else 0
    return _NOTHING


@kernel
def _best_deal(t: Tables, s: State, me: int, other: int) -> int:
    """Return the best sale or purchase of a Driver or an Improvement, for a price between its worths to the two.

    Its worth to the seller includes what it will cost them in the buyer's hand.
    """
    best = _NOTHING
    most = 0
    kinds = (held(s, me) | known_kinds(s, me, other)) & (t.of_type[DRIVER] | t.of_type[IMPROVEMENT])
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        sold = number(s, me, kind) > 0
        seller = me if sold else other
        buyer = other if sold else me
        low = gain_of_card(t, worth(t, s, seller, kind), worth(t, s, buyer, kind))
        high = gain_of_card(t, worth(t, s, buyer, kind), worth(t, s, seller, kind))
        price = (low + high + 10) // 20
        if low + _LEAST <= 10 * price <= high - _LEAST and price <= s.purse[buyer] and high - low > most:
            most = high - low
            best = other | kind << 8 | price << 16 | (0 if sold else 1) << 30
    return best


@kernel
def known_kinds(s: State, me: int, other: int) -> int:
    """Return the kinds that a player knows to be in another's hand, as bits."""
    return s.know[me, 2 * other] | s.know[me, 2 * other + 1]


@kernel
def next_piece(s: State, top: int, out: Ints, planned: int) -> int:
    """Return the next piece of the planned offer. The price does not change while the offer is put together."""
    if planned == _NOTHING:
        return out[0]
    to = planned & 255
    kind = planned >> 8 & 255
    price = planned >> 16 & 0x3FFF
    buying = planned >> 30 & 1
    at = s.at[top]
    if at == CHOOSE_SEAT:
        return TO + to
    if at == GIVE_CARDS:
        return NAME + kind if not buying and number(s, GIVE, kind) == 0 else ENOUGH
    if at == WANT_CARDS:
        return NAME + kind if buying and number(s, WANT, kind) == 0 else ENOUGH
    paid = price if (at == GIVE_MONEY) == (buying == 1) else 0
    return DIGIT + paid // _TENS[s.digits] % 10
