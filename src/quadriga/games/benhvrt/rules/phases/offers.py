"""Offers (BH-5.2): put together piece by piece by their maker, answered at once.

An unfinished offer is hidden from the other seats and costs nothing. The pieces come in a fixed order, cards by
rising kind and money in four digits, so that there is one way to make an offer and it always ends.
"""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import ACCEPT, DECLINE, DIGIT, DIGITS, ENOUGH, NAME, TO
from quadriga.games.benhvrt.rules.chariots import takes_part
from quadriga.games.benhvrt.rules.piles import empty, held, known, number, put, set_known, take
from quadriga.games.benhvrt.state import GIVE, WANT, State, Tables

CHOOSE_SEAT = 2  # stages of the market while an offer is made
GIVE_CARDS = 3
GIVE_MONEY = 4
WANT_CARDS = 5
WANT_MONEY = 6
ANSWER = 7
_WEIGHTS = (1000, 100, 10, 1)


@kernel
def legal_digits(so_far: int, place: int, most: int, not_nothing: bool, out: Ints) -> int:
    """Write the digits that keep an amount within bounds; return how many. `place` counts the digits so far."""
    n = 0
    for digit in range(10):
        amount = so_far + digit * _WEIGHTS[place]
        if amount <= most and not (not_nothing and place == DIGITS - 1 and amount == 0):
            out[n] = DIGIT + digit
            n += 1
    return n


@kernel
def legal_offer(t: Tables, s: State, top: int, out: Ints) -> int:
    """Write the possible next pieces of an offer; return how many."""
    maker = s.seat[top]
    at = s.at[top]
    n = 0
    if at == CHOOSE_SEAT:
        for seat in range(t.seats):
            if seat != maker and takes_part(t, s, seat):
                out[n] = TO + seat
                n += 1
        return n
    if at == GIVE_CARDS or at == WANT_CARDS:
        out[0] = ENOUGH
        n = 1
        for kind in range(s.least_kind, t.kinds):
            if at == GIVE_CARDS:
                more = number(s, maker, kind) > number(s, GIVE, kind)
            else:
                more = t.copies[kind] > number(s, WANT, kind)
            if more:
                out[n] = NAME + kind
                n += 1
        return n
    if at == GIVE_MONEY:
        return legal_digits(s.give_money, s.digits, s.purse[maker], False, out)
    nothing = held(s, GIVE) == 0 and held(s, WANT) == 0 and s.give_money == 0
    return legal_digits(s.want_money, s.digits, 100 * t.chariots, nothing, out)


@kernel
def build_offer(t: Tables, s: State, top: int, action: int) -> None:
    """Add a piece to an offer. The last piece completes it."""
    at = s.at[top]
    if at == CHOOSE_SEAT:
        s.offer_to = action - TO
        s.at[top] = GIVE_CARDS
    elif at == GIVE_CARDS or at == WANT_CARDS:
        if action == ENOUGH:
            s.least_kind = 0
            s.at[top] = at + 1
        else:
            put(s, GIVE if at == GIVE_CARDS else WANT, action - NAME)
            s.least_kind = action - NAME
    else:
        value = (action - DIGIT) * _WEIGHTS[s.digits]
        if at == GIVE_MONEY:
            s.give_money += value
        else:
            s.want_money += value
        s.digits += 1
        if s.digits == DIGITS:
            s.digits = 0
            s.at[top] = at + 1
            if at == WANT_MONEY:
                _complete_offer(t, s, s.seat[top])


@kernel
def _complete_offer(t: Tables, s: State, maker: int) -> None:
    """Count an offer, and show its cards to the player who is to answer."""
    s.offers_made[maker] += 1
    kinds = held(s, GIVE)
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        shown = max(known(s, s.offer_to, maker, kind), number(s, GIVE, kind))
        set_known(s, s.offer_to, maker, kind, shown)


@kernel
def is_acceptable(t: Tables, s: State) -> bool:
    """Return whether the receiver has the money and all the named cards."""
    if s.purse[s.offer_to] < s.want_money:
        return False
    kinds = held(s, WANT)
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        if number(s, s.offer_to, kind) < number(s, WANT, kind):
            return False
    return True


@kernel
def legal_answer(t: Tables, s: State, out: Ints) -> int:
    """Write decline and, if possible, accept; return how many."""
    out[0] = DECLINE
    if not is_acceptable(t, s):
        return 1
    out[1] = ACCEPT
    return 2


@kernel
def _hand_over(t: Tables, s: State, pile: int, giver: int, taker: int) -> None:
    """Move the cards of one side of an offer. Only the two players know them."""
    kinds = held(s, pile)
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        for _ in range(number(s, pile, kind)):
            take(s, giver, kind)
            put(s, taker, kind)
            set_known(s, taker, giver, kind, known(s, taker, giver, kind) - 1)
            set_known(s, giver, taker, kind, known(s, giver, taker, kind) + 1)


@kernel
def swap(t: Tables, s: State, maker: int) -> None:
    """BH-5.2: exchange all cards and money at once. Both players are no longer ready."""
    other = s.offer_to
    s.purse[maker] += s.want_money - s.give_money
    s.purse[other] += s.give_money - s.want_money
    for observer in range(t.seats):
        if observer != maker and observer != other:
            for plane in range(2):
                s.know[observer, 2 * maker + plane] = 0
                s.know[observer, 2 * other + plane] = 0
    _hand_over(t, s, GIVE, maker, other)
    _hand_over(t, s, WANT, other, maker)
    s.ready &= ~((1 << maker) | (1 << other))


@kernel
def clear_offer(s: State) -> None:
    """Clear the offer."""
    empty(s, GIVE)
    empty(s, WANT)
    s.give_money = 0
    s.want_money = 0
    s.offer_to = 0
