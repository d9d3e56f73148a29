"""Public knowledge about a hand, from missed turns and moves (AC-4, AC-5.4).

There are 56 different hands of three cards, 21 of two and 6 of one. The knowledge about a seat is the set of hands
of the present size that the rules exclude: a hand that could have moved did not miss its turn, and a hand with a
fitting card did not drive past the alley.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import kernel
from quadriga.games.avecaesar.board import LONGEST
from quadriga.games.avecaesar.rules.cards import number, one, size, unplayed, values
from quadriga.games.avecaesar.rules.moves import ALL_VALUES, ANYWHERE, fitting_values, moving_values
from quadriga.games.avecaesar.rules.paths import keeping, onward, owes_coin, wrecked
from quadriga.games.avecaesar.rules.six import cannot_be_passed, is_barred_from_six, leads
from quadriga.games.avecaesar.state import HAND, RACING, VALUES, State, Tables

FIRST = (0, 1, 7, 28, 84)
"""The number of the first hand of each size, and one past the last."""

SIX = 1 << LONGEST
LOWER = ALL_VALUES & ~SIX  # 1 to 5, as bits


def every_hand() -> list[int]:
    """Return every hand, packed, by its number: by size, then in the order of `place`."""
    found = []
    for held in range(HAND + 1):
        hands = combinations_with_replacement(range(1, VALUES + 1), held)
        found += sorted((sum(one(card) for card in hand) for hand in hands), key=place)
    return found


def fill_hands(t: Tables) -> None:
    """Write the tables of hands, by which knowledge about them is kept."""
    for i, hand in enumerate(every_hand()):
        t.hands[i] = hand
        for value in range(1, VALUES + 1):
            if size(hand) < HAND:
                t.with_card[i, value] = place(hand + one(value))
                t.with_any[i] |= 1 << place(hand + one(value))
        for among in range(ALL_VALUES + 1):
            if values(hand) & among:
                t.holding[size(hand), among] |= 1 << place(hand)


@kernel
def place(hand: int) -> int:
    """Return the index of a hand among those of its size, from 0."""
    found = 0
    nth = 0
    for value in range(1, VALUES + 1):
        for _ in range(number(hand, value)):
            nth += 1
            if nth == 1:
                found += value - 1
            elif nth == 2:
                found += value * (value - 1) // 2
            else:
                found += (value + 1) * value * (value - 1) // 6
    return found


@kernel
def after_miss(t: Tables, s: State, seat: int) -> int:
    """Return the hands ruled out after a seat missed its turn: all that could have moved."""
    kept = keeping(t, s, seat) if owes_coin(s, seat) else 0
    fitting = fitting_values(t, s, seat, ALL_VALUES, kept) if kept else 0
    keeps = moving_values(t, s, seat, ALL_VALUES, kept, LONGEST) if kept else 0
    moves = moving_values(t, s, seat, ALL_VALUES, ANYWHERE, LONGEST)
    held = size(s.hand[seat])
    found = s.ruled_out[seat]
    if is_barred_from_six(t, s, seat):
        six = keeps if fitting & SIX else moves
        if t.crash_and_burn or (six & SIX and sixes_move(t, s, seat)):  # AC-V3: with only 6s it would have crashed
            found |= _every(held) & ~t.holding[held, LOWER]
        fitting &= LOWER
        keeps &= LOWER
        moves &= LOWER
    fits = t.holding[held, fitting]
    return found | (fits & t.holding[held, keeps]) | (~fits & t.holding[held, moves])


@kernel
def sixes_move(t: Tables, s: State, seat: int) -> bool:
    """AC-4.3: return whether a leader with only 6s may play one, whatever the others hold."""
    for other in range(t.seats):
        if other != seat and s.status[other] == RACING and leads(t, s, other):
            return False
    return cannot_be_passed(t, s, seat, 1 << seat)


@kernel
def after_move(t: Tables, s: State, seat: int, card: int, ahead: int) -> int:
    """Return the hands ruled out after playing a card, for the rest of the hand. The card is still in the hand."""
    known = s.ruled_out[seat]
    fitting = 0
    if loses_alley(t, s, seat, ahead):
        fitting = fitting_values(t, s, seat, ALL_VALUES, keeping(t, s, seat))
    if known == 0 and fitting == 0 and card != LONGEST:
        return 0
    if is_barred_from_six(t, s, seat):
        # AC-4.3: a leader plays a 6 with nothing but 6s in hand
        fitting = LOWER if card == LONGEST else fitting & LOWER
    rest = size(s.hand[seat]) - 1
    found = t.holding[rest, fitting]
    if known:
        for i in range(FIRST[rest + 1] - FIRST[rest]):
            found |= ((known >> t.with_card[FIRST[rest] + i, card]) & 1) << i
    return found


@kernel
def loses_alley(t: Tables, s: State, seat: int, ahead: int) -> bool:
    """AC-5.4: return whether a move with the coin on lap 2 gives up the alley, which was within reach."""
    if not owes_coin(s, seat):
        return False
    kept = keeping(t, s, seat)
    if (kept >> ahead) & 1:
        return False
    return onward(t, s.race, s.space[seat], 1, wrecked(t, s, seat), True) & kept != 0


@kernel
def after_draw(t: Tables, s: State, seat: int) -> int:
    """Return the hands ruled out after a draw: those that no possible hand makes with any new card."""
    known = s.ruled_out[seat]
    if known == 0:
        return 0
    drawn = size(s.hand[seat])
    possible = 0
    earlier = _every(drawn - 1) & ~known
    while earlier:
        possible |= t.with_any[FIRST[drawn - 1] + lowest(earlier)]
        earlier &= earlier - 1
    return _every(drawn) & ~possible


@kernel
def _every(held: int) -> int:
    """Return all hands of a size, as bits."""
    return (1 << (FIRST[held + 1] - FIRST[held])) - 1


@kernel
def after_bottom(t: Tables, s: State, seat: int) -> int:
    """AC-V2: return the hands ruled out after a seat put an unseen card under its deck.

    These are the hands to which no card can be added that makes a possible hand.
    """
    known = s.ruled_out[seat]
    if known == 0:
        return 0
    cards = unplayed(s, seat)
    found = 0
    first = FIRST[size(s.hand[seat])]
    for i in range(first, FIRST[size(s.hand[seat]) + 1]):
        possible = False
        for value in range(1, VALUES + 1):
            if number(cards, value) > number(t.hands[i], value) and not (known >> t.with_card[i, value]) & 1:
                possible = True
        if not possible:
            found |= 1 << (i - first)
    return found


@kernel
def lacks(t: Tables, s: State, seat: int) -> int:
    """Return the values, as bits, that no possible hand holds."""
    known = s.ruled_out[seat]
    if known == 0:
        return 0
    found = 0
    for value in range(1, VALUES + 1):
        if t.holding[size(s.hand[seat]), 1 << value] & ~known == 0:
            found |= 1 << value
    return found


@kernel
def is_waiting(t: Tables, s: State, seat: int) -> bool:
    """AC-5.4: return whether it is public that a seat which missed its turn waits for the alley.

    That is so if every possible hand has a card that fits.
    """
    if not owes_coin(s, seat):
        return False
    fitting = fitting_values(t, s, seat, ALL_VALUES, keeping(t, s, seat))
    if leads(t, s, seat):
        fitting &= ~(1 << LONGEST)
    cards = unplayed(s, seat)
    first = FIRST[size(s.hand[seat])]
    for i in range(first, FIRST[size(s.hand[seat]) + 1]):
        held = t.hands[i]
        if not (s.ruled_out[seat] >> (i - first)) & 1 and within(held, cards) and not values(held) & fitting:
            return False
    return True


@kernel
def within(hand: int, cards: int) -> bool:
    """Return whether a hand can be made of these cards."""
    for value in range(1, VALUES + 1):
        if number(hand, value) > number(cards, value):
            return False
    return True


@kernel
def _nothing(t: Tables, s: State, seat: int) -> int:
    """Return the empty set: no hand is ruled out."""
    return 0


@kernel
def _nothing_after_move(t: Tables, s: State, seat: int, card: int, ahead: int) -> int:
    """Return the empty set: no hand is ruled out, whatever was played."""
    return 0


KNOWLEDGE: dict[object, object] = {
    after_miss: _nothing,
    after_draw: _nothing,
    after_bottom: _nothing,
    after_move: _nothing_after_move,
}
"""The kernels that record what is known of a hand, each with the one that replaces it and records nothing."""
