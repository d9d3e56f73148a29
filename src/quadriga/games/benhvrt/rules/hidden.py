"""Hidden information in Ben Hvrt: what a seat may notice, and redeals; also tallies."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.rng import Rng, below
from quadriga.engine.kernels.slots import OWN_COUNTS
from quadriga.games.benhvrt.actions import ACCEPT, PLAY, TO, WAYS
from quadriga.games.benhvrt.deck.operations import PA, PB, PR
from quadriga.games.benhvrt.rules.cards import CANCEL
from quadriga.games.benhvrt.rules.chariots import owner
from quadriga.games.benhvrt.rules.phases.market import ACTING
from quadriga.games.benhvrt.rules.phases.offers import ANSWER, CHOOSE_SEAT, clear_offer
from quadriga.games.benhvrt.rules.piles import card_at, held, known, number, put, size, take
from quadriga.games.benhvrt.rules.windows import can_use
from quadriga.games.benhvrt.state import (
    DECK,
    MARKET,
    SEATS,
    WINDOW,
    State,
    Tables,
)

HALF = SEATS // 2


@kernel
def is_building_offer(s: State) -> bool:
    """Return whether an offer is being put together, which only its maker may notice."""
    top = s.depth - 1
    return s.task[top] == MARKET and s.at[top] >= CHOOSE_SEAT and s.at[top] < ANSWER


@kernel
def visible_window(t: Tables, s: State, seat: int) -> int:
    """Return the open window if a seat may notice it, else 0.

    BH-7.4: PR, PB and PA ask one seat only. The others may not notice such a window, unless it is for a Driver's
    choice, since Drivers are public.
    """
    top = s.depth - 1
    if s.task[top] != WINDOW:
        return 0
    window = s.window[top]
    if (window == PR or window == PB or window == PA) and s.asked != seat and not can_use(t, s, s.asked, window):
        return 0
    return window


@kernel
def public_actor(t: Tables, s: State) -> int:
    """Return the seat to decide by public information; -1 if that is hidden (BH-7.4) or there is none.

    While PB or PA is open and hidden, the mover's next step seems to be next; while PR is, the die.
    """
    if s.asked < 0:
        return -1
    top = s.depth - 1
    if s.task[top] != WINDOW:
        return s.asked
    window = s.window[top]
    if window == PB or window == PA:
        return owner(t, s.mover)
    return s.asked if window == PR and can_use(t, s, s.asked, PR) else -1


@kernel
def sees_offer(s: State, seat: int) -> bool:
    """Return whether a seat sees the contents of the offer: its maker does and, once it is made, its receiver."""
    top = s.depth - 1
    if s.task[top] != MARKET or s.at[top] < CHOOSE_SEAT:
        return False
    return seat == s.seat[top] or (s.at[top] == ANSWER and seat == s.offer_to)


@kernel
def _take_random(s: State, rng: Rng) -> int:
    """Take a random card out of the deck and return it."""
    kind = card_at(s, DECK, below(rng, size(s, DECK)))
    take(s, DECK, kind)
    return kind


@kernel
def redeal(t: Tables, s: State, seat: int, rng: Rng) -> None:
    """Deal the other hands at random from all cards that this seat has not seen. Cards that it knows of stay.

    Unfinished offers and bribes of others, and the contents of offers between others, are cleared.
    """
    _forget_offers(t, s, seat)
    low = 0  # the number of cards that each seat gets back, eight bits a seat
    high = 0
    for other in range(t.seats):
        if other != seat:
            unknown = _return_unknown(t, s, seat, other)
            if other < HALF:
                low |= unknown << (8 * other)
            else:
                high |= unknown << (8 * (other - HALF))
    for other in range(t.seats):
        wanted = low >> (8 * other) if other < HALF else high >> (8 * (other - HALF))
        for _ in range(wanted & 255):
            put(s, other, _take_random(s, rng))


@kernel
def _forget_offers(t: Tables, s: State, seat: int) -> None:
    """Clear offers and bribes that the seat cannot know."""
    top = s.depth - 1
    if is_building_offer(s) and s.asked != seat:
        clear_offer(s)
        s.at[top] = ACTING
        s.least_kind = 0
        s.digits = 0
    elif s.task[top] == MARKET and s.at[top] == ANSWER and not sees_offer(s, seat):
        to = s.offer_to
        clear_offer(s)
        s.offer_to = to
        s.want_money = 1
    if s.building and s.asked != seat:
        s.building = 0
        s.digits = 0
        s.bribe_to[s.asked] = 0
        s.bribe_card[s.asked] = 0
        s.bribe_chariot[s.asked] = 0
        s.bribe_money[s.asked] = 0


@kernel
def _return_unknown(t: Tables, s: State, seat: int, other: int) -> int:
    """Put the cards of a hand that the seat does not know of into the deck; return how many."""
    returned = 0
    kinds = held(s, other)
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        sure = known(s, seat, other, kind) if seat >= 0 else 0
        for _ in range(number(s, other, kind) - sure):
            take(s, other, kind)
            put(s, DECK, kind)
            returned += 1
    return returned


@kernel
def remember(t: Tables, s: State) -> int:
    """Return bits for `tally`: whether a seat decides, builds an offer, builds a bribe."""
    return (1 if s.asked >= 0 else 0) | (2 if is_building_offer(s) else 0) | (4 if s.building else 0)


@kernel
def tally(t: Tables, before: int, s: State, action: int, counts: Ints) -> None:
    """Count cards played, vetoes, offers, swaps and bribes."""
    if not before & 1:
        return
    if action >= PLAY and action < TO:
        counts[OWN_COUNTS] += 1
        if (t.doing[CANCEL] >> ((action - PLAY) // WAYS)) & 1:
            counts[OWN_COUNTS + 1] += 1
    if action == ACCEPT:
        counts[OWN_COUNTS + 3] += 1
    if before & 2 and not is_building_offer(s):
        counts[OWN_COUNTS + 2] += 1
    if before & 4 and not s.building:
        counts[OWN_COUNTS + 4] += 1
