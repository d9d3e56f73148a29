"""Trades of Ben Hvrt's bots: what an offer gains, and the offers that they make.

A card wins its worth from all other players alike. So the card of a rival costs a part of its worth, and a price
can be fair to both. Nobody gains by repeated offers: a bot accepts if its lead grows, by cards that it can use.
"""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import DIGIT, ENOUGH, NAME, TO
from quadriga.games.benhvrt.bots.worth import worth
from quadriga.games.benhvrt.deck.operations import DRIVER, IMPROVEMENT
from quadriga.games.benhvrt.rules.chariots import takes_part
from quadriga.games.benhvrt.rules.phases.offers import CHOOSE_SEAT, GIVE_CARDS, GIVE_MONEY, WANT_CARDS
from quadriga.games.benhvrt.rules.piles import held, number
from quadriga.games.benhvrt.state import GIVE, WANT, State, Tables

LEAST = 2  # the least gain of a trade, in tenths of Ducats,
LEAST_TRADER = 1  # ... and to accept one, for the trader
_NOTHING = -1
_TENS = (1000, 100, 10, 1)


@kernel
def pile_worth(t: Tables, s: State, pile: int, seat: int, other: int) -> int:
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
def _received_worth(t: Tables, s: State, me: int, maker: int) -> int:
    """Return the gain by the cards of an offer; of Drivers and Improvements only those count that can be used."""
    total = 0
    first = 0  # the best Driver
    second = 0
    kinds = held(s, GIVE)
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        gain = gain_of_card(t, worth(t, s, me, kind), worth(t, s, maker, kind))
        copies = number(s, GIVE, kind)
        if t.type[kind] == DRIVER:
            second = max(second, min(first, gain), gain if copies > 1 else 0)
            first = max(first, gain)
        elif t.type[kind] == IMPROVEMENT:
            total += gain * min(copies, usable(t, s, me, kind))
        else:
            total += gain * copies
    places = usable(t, s, me, _NOTHING) + _drivers(t, s, WANT)
    return total + (first if places > 0 else 0) + (second if places > 1 else 0)


@kernel
def usable(t: Tables, s: State, seat: int, kind: int) -> int:
    """Return how many more of an Improvement, or of all Drivers (`_NOTHING`), a player can use beside their hand.

    One Driver more can be used if all chariots have one, since it may be better.
    """
    places = 0
    for which in range(t.chariots // t.seats):
        chariot = seat + which * t.seats
        if kind == _NOTHING:
            places += 1 if s.driver[chariot] == 0 else 0
        else:
            places += 1 - ((s.improvements[chariot] >> kind) & 1)
    if kind != _NOTHING:
        return max(places - number(s, seat, kind), 0)
    return max(max(places, 1) - _drivers(t, s, seat), 0)


@kernel
def _drivers(t: Tables, s: State, pile: int) -> int:
    """Return the number of Drivers in a pile."""
    found = 0
    kinds = held(s, pile) & t.of_type[DRIVER]
    while kinds:
        found += number(s, pile, lowest(kinds))
        kinds &= kinds - 1
    return found


@kernel
def gain_of_card(t: Tables, mine: int, theirs: int) -> int:
    """Return the gain of a player who gets a card from another."""
    return mine + theirs // (t.seats - 1)


@kernel
def offer_gain(t: Tables, s: State, maker: int) -> int:
    """Return the gain of accepting an offer."""
    me = s.asked
    cards = _received_worth(t, s, me, maker) - pile_worth(t, s, WANT, me, maker)
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
        if not sold and usable(t, s, me, _NOTHING if t.type[kind] == DRIVER else kind) == 0:
            continue
        seller = me if sold else other
        buyer = other if sold else me
        low = gain_of_card(t, worth(t, s, seller, kind), worth(t, s, buyer, kind))
        high = gain_of_card(t, worth(t, s, buyer, kind), worth(t, s, seller, kind))
        price = (low + high + 10) // 20
        if low + LEAST <= 10 * price <= high - LEAST and price <= s.purse[buyer] and high - low > most:
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
