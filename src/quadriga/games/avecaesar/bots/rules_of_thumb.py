"""Rules of thumb for Ave Caesar: waste no step, play high cards early, pay the coin soon, block others.

The deck holds few more steps than the race needs, so a step that does not bring the finish nearer is expensive. A
player who plays high cards first never has to play the low ones. Every card that is left over is a turn won.
"""

from __future__ import annotations

from quadriga.engine.kernels.bits import root
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.rng import Rng
from quadriga.games.avecaesar.board import LONGEST
from quadriga.games.avecaesar.rules.cards import number, one, size, unplayed
from quadriga.games.avecaesar.rules.hidden import distance, steps_left
from quadriga.games.avecaesar.rules.knowledge import loses_alley
from quadriga.games.avecaesar.rules.moves import BOTTOMS, FINISH, SPAN, lone_values
from quadriga.games.avecaesar.state import BOTTOM, HAND, RACING, VALUES, State, Tables

PARTS = ("thrift", "spare", "coin", "block")
THRIFT = 1
SPARE = 2
COIN = 4
BLOCK = 8

_FINISH_BONUS = 100_000
_DISHONOUR_PENALTY = 10_000
_SHORT_PENALTY = 4_000  # penalty for cards that can no longer reach the finish
_WASTE_PENALTY = 40  # penalty for a step that brings the finish no nearer
_STEP_BONUS = 10  # bonus for each step of a card, so that high cards are played early
_SPARE_BONUS = 20  # bonus for a card that need not be played
_COIN_BONUS = 60  # bonus for the coin
_BLOCK_BONUS = 30  # bonus for a chariot none of whose cards can be played
_BEHIND = 8  # steps behind within which a chariot can be blocked
_SPREAD = 20  # square of twice the standard deviation that a race adds to two players' points


@kernel
def advise(t: Tables, s: State, rng: Rng, out: Ints, n: int, without: int) -> int:
    """Return the move of the highest heuristic value. The card to put under the deck is a 6, or else the lowest."""
    if s.phase == BOTTOM:
        return _card_for_bottom(s, out, n)
    best = out[0]
    most = -1_000_000
    for i in range(n):
        worth = _worth(t, s, out[i], without)
        if worth > most:
            most = worth
            best = out[i]
    return best


@kernel
def _card_for_bottom(s: State, out: Ints, n: int) -> int:
    """AC-V2: return a 6, which could not be played, or else the lowest card."""
    hand = s.hand[s.order[s.at]]
    if number(hand, LONGEST):
        return BOTTOMS + LONGEST - 1
    return out[0]


@kernel
def _worth(t: Tables, s: State, action: int, without: int) -> int:
    """Return the heuristic value of a move: bonuses less penalties."""
    seat = s.order[s.at]
    card = action // SPAN + 1
    ahead = action % SPAN
    if ahead == FINISH:
        return _FINISH_BONUS - card  # of cards that finish, play the lowest
    race = s.race
    space = s.space[seat] + ahead
    lap = s.lap[seat]
    crossing = space >= t.spaces[race]
    if crossing:
        space -= t.spaces[race]
        lap += 1
    paid = s.coin[seat] == 0 or t.alley[race, space] == 1
    worth = _STEP_BONUS * card
    if not without & COIN:
        if loses_alley(t, s, seat, ahead):
            worth -= _DISHONOUR_PENALTY  # AC-5.4: legal on lap 2 only if no card fits, or with AC-V4
        worth += _COIN_BONUS if paid else 0  # a later chariot may have to wait, or hold no card that fits
    left = steps_left(t, race, lap, not paid, space)
    if not without & THRIFT:
        worth -= _WASTE_PENALTY * (card - (distance(t, s, seat) - left))
    if not without & SPARE:
        worth += _spared_worth(unplayed(s, seat) - one(card), left)
    if not without & BLOCK:
        worth += _blocked_worth(t, s, seat, lap, space, left)
    return worth


@kernel
def _spared_worth(cards: int, left: int) -> int:
    """Return the bonus for cards, at most three, that need not be played; a penalty if all cards fall short."""
    slack = -left
    for value in range(1, VALUES + 1):
        slack += value * number(cards, value)
    if slack < 0:
        return -_SHORT_PENALTY
    spared = 0
    for value in range(1, VALUES + 1):
        fit = min(number(cards, value), slack // value, HAND - spared)
        slack -= fit * value
        spared += fit
    return _SPARE_BONUS * spared


@kernel
def _blocked_worth(t: Tables, s: State, seat: int, lap: int, space: int, left: int) -> int:
    """Return the worth of blocking: cards of chariots close behind that cannot be played past this space.

    Before the alley these include the cards that would wait for it (AC-5.4).
    """
    from_lap = s.lap[seat]
    from_space = s.space[seat]
    s.lap[seat] = lap
    s.space[seat] = space
    worth = 0
    for other in range(t.seats):
        if other != seat and s.status[other] == RACING:
            behind = distance(t, s, other) - left
            if behind > 0 and behind <= _BEHIND:
                moving = lone_values(t, s, other)
                cards = unplayed(s, other)
                held = 0
                for value in range(1, VALUES + 1):
                    if not (moving >> value) & 1:
                        held += number(cards, value)
                worth += _BLOCK_BONUS * held // max(size(cards), 1)
    s.lap[seat] = from_lap
    s.space[seat] = from_space
    return worth


@kernel
def chapter(t: Tables, s: State) -> int:
    """Return the number of the race. A search looks no further than its end."""
    return s.race


@kernel
def enough(t: Tables, s: State) -> int:
    """Return the lead that counts as a win: two standard deviations of what later races add to a lead in points."""
    return root(_SPREAD * (t.races - s.race))
