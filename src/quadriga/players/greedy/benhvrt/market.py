"""Rules of thumb before the race: the auction, fitting out, maintenance and trade."""

from __future__ import annotations

from quadriga.engine.bits import count, lowest
from quadriga.engine.kernel import Ints, kernel
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
    TO,
    WAYS,
)
from quadriga.games.benhvrt.deck import DRIVER, IMPROVEMENT
from quadriga.games.benhvrt.rules.auction import BIDDING
from quadriga.games.benhvrt.rules.chariots import takes_part
from quadriga.games.benhvrt.rules.maintenance import item
from quadriga.games.benhvrt.rules.offers import (
    ANSWER,
    CHOOSE_SEAT,
    GIVE_CARDS,
    GIVE_MONEY,
    WANT_CARDS,
)
from quadriga.games.benhvrt.rules.piles import held, known, number
from quadriga.games.benhvrt.state import GIVE, WANT, State, Tables
from quadriga.players.greedy.benhvrt.worth import POACH, gain_on, net, net_later, worth

_NOTHING = -1
_TENS = (1000, 100, 10, 1)
_BID = 18  # what a card is to be worth, in tenths of Ducats, for each Ducat that all who are still in would pay,
_BUY = 14  # ... and for each Ducat of its price
_LEAST = 15  # what a trade is to bring, in tenths of Ducats


@kernel
def in_auction(t: Tables, s: State, top: int, out: Ints, n: int, bids: bool) -> int:
    """Buy what is worth more than its price; bid while the bids of all who are still in stay below the worth."""
    kind = s.lot - 1
    if not bids:
        return PASS if s.at[top] == BIDDING else SELL
    if s.at[top] == BIDDING:
        worthwhile = _BID * s.round * count(s.bidders) <= worth(t, s, s.asked, kind)
        return BID if worthwhile else PASS
    if n > 1 and worth(t, s, s.asked, kind) >= _BUY * t.price[kind]:
        return BUY
    return SELL


@kernel
def in_maintenance(t: Tables, s: State, top: int, out: Ints, n: int) -> int:
    """Keep what wins more than it costs, now or in races to come."""
    kind = item(t, s, top)
    if n > 1 and net(t, s, kind) + net_later(t, s, kind) // 4 >= 0:
        return KEEP
    return DROP


@kernel
def in_market(t: Tables, s: State, top: int, out: Ints, n: int, trades: bool, fits: bool) -> int:
    """Fit out what helps, play what there is, trade away what does not help; then be ready."""
    if s.at[top] == ANSWER:
        return ACCEPT if n > 1 and trades and _answer(t, s) >= _LEAST else DECLINE
    if s.at[top] >= CHOOSE_SEAT:
        return _piece(t, s, top, out)
    best = READY
    most = 0
    may_offer = False
    for i in range(n):
        action = out[i]
        if action == OFFER:
            may_offer = True
        elif action >= PLAY:
            gain = _play(t, s, action - PLAY)
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
def _play(t: Tables, s: State, way: int) -> int:
    """What an Event of the market wins: cards are always welcome, a Driver is to be worth his price."""
    kind = way // WAYS
    arg = way % WAYS
    if not (t.doing[POACH] >> kind) & 1:
        return 1
    driver = s.driver[arg // 2] - 1
    return gain_on(t, s, s.asked + arg % 2 * t.seats, driver) + net_later(t, s, driver) - 10 * t.price[driver]


@kernel
def _pile_worth(t: Tables, s: State, pile: int, seat: int) -> int:
    """What the cards of one side of an offer are worth to a player."""
    total = 0
    kinds = held(s, pile)
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        total += worth(t, s, seat, kind) * number(s, pile, kind)
    return total


@kernel
def _answer(t: Tables, s: State) -> int:
    """What accepting an offer wins."""
    me = s.asked
    cards = _pile_worth(t, s, GIVE, me) - _pile_worth(t, s, WANT, me)
    return cards + 10 * (s.give_money - s.want_money)


@kernel
def plan(t: Tables, s: State) -> int:
    """An offer that helps both: the other seat, the card, the Ducats and whether it is a purchase, in one number.

    Every offer that was declined in this market makes the next one sweeter for the other.
    """
    me = s.asked
    best = _NOTHING
    most = _LEAST
    for other in range(t.seats):
        if other != me and takes_part(t, s, other):
            kinds = t.of_type[DRIVER] | t.of_type[IMPROVEMENT]
            while kinds:
                kind = lowest(kinds)
                kinds &= kinds - 1
                mine = worth(t, s, me, kind)
                theirs = worth(t, s, other, kind)
                sold = number(s, me, kind) > 0
                gain = theirs - mine if sold else mine - theirs
                if gain // 2 > most and (sold or known(s, me, other, kind)):
                    price = _price(s, me if not sold else other, mine, theirs, s.offers_made[me], sold)
                    if price > 0:
                        most = gain // 2
                        best = other | kind << 8 | price << 16 | (0 if sold else 1) << 30
    return best


@kernel
def _price(s: State, payer: int, mine: int, theirs: int, declined: int, sold: bool) -> int:
    """Ducats between what a card is worth to the two: first more to the own side, then the middle, then less."""
    share = 3 - min(declined, 2)
    price = (mine * (4 - share) + theirs * share) // 40
    if price > s.purse[payer] or (10 * price <= mine if sold else 10 * price >= mine):
        return 0
    return price


@kernel
def _piece(t: Tables, s: State, top: int, out: Ints) -> int:
    """The next piece of the planned offer; its price stays what it was when the first piece was laid."""
    planned = plan(t, s)
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
    return DIGIT + paid // _TENS[s.arg[top]] % 10
