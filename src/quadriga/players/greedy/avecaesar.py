"""Rules of thumb for Ave Caesar: waste no step, play high cards early, pay the coin soon, stand in others' way.

The deck holds few more steps than the race needs, so a step that does not bring the finish nearer is dear; and
whoever plays his high cards first never plays his low ones at all: every card that is left over is a turn won.
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

_FINISHED = 100_000
_DISHONOUR = 10_000
_BEYOND = 4_000  # cards that do not reach the finish any more
_WASTED = 40  # a step that brings the finish no nearer
_PIP = 10  # a card that is played early
_SPARED = 20  # a card that need not be played
_PAID = 60  # the coin
_BLOCKED = 30  # somebody none of whose cards could move
_BEHIND = 8  # steps within which somebody is looked at
_SPREAD = 20  # square of twice the spread that a race makes between two players' points


@kernel
def advise(t: Tables, s: State, rng: Rng, out: Ints, n: int, without: int) -> int:
    """The move that is worth most; under the deck goes the lowest card, or a 6 where there are several."""
    if s.phase == BOTTOM:
        return _buried(s, out, n)
    best = out[0]
    most = -1_000_000
    for i in range(n):
        worth = _worth(t, s, out[i], without)
        if worth > most:
            most = worth
            best = out[i]
    return best


@kernel
def _buried(s: State, out: Ints, n: int) -> int:
    """AC-V2: who missed his turn held cards that did not help: away with a 6 he cannot play, else the lowest."""
    hand = s.hand[s.order[s.at]]
    if number(hand, LONGEST):
        return BOTTOMS + LONGEST - 1
    return out[0]


@kernel
def _worth(t: Tables, s: State, action: int, without: int) -> int:
    """What a move is worth, a wasted step being dear."""
    seat = s.order[s.at]
    card = action // SPAN + 1
    ahead = action % SPAN
    if ahead == FINISH:
        return _FINISHED - card  # the lowest card that does it is as good as any
    race = s.race
    space = s.space[seat] + ahead
    lap = s.lap[seat]
    crossing = space >= t.spaces[race]
    if crossing:
        space -= t.spaces[race]
        lap += 1
    paid = s.coin[seat] == 0 or t.alley[race, space] == 1
    worth = _PIP * card
    if not without & COIN:
        if loses_alley(t, s, seat, ahead):
            worth -= _DISHONOUR  # AC-5.4: legal on lap 2 only for want of a card that fits, or with AC-V4
        worth += _PAID if paid else 0  # whoever comes later may have to wait, or hold no card that fits
    left = steps_left(t, race, lap, not paid, space)
    if not without & THRIFT:
        worth -= _WASTED * (card - (distance(t, s, seat) - left))
    if not without & SPARE:
        worth += _spared(unplayed(s, seat) - one(card), left)
    if not without & BLOCK:
        worth += _blocked(t, s, seat, lap, space, left)
    return worth


@kernel
def _spared(cards: int, left: int) -> int:
    """For the cards that may be left over when the others make up the steps to the finish: three at the most."""
    slack = -left
    for value in range(1, VALUES + 1):
        slack += value * number(cards, value)
    if slack < 0:
        return -_BEYOND
    spared = 0
    for value in range(1, VALUES + 1):
        fit = min(number(cards, value), slack // value, HAND - spared)
        slack -= fit * value
        spared += fit
    return _SPARED * spared


@kernel
def _blocked(t: Tables, s: State, seat: int, lap: int, space: int, left: int) -> int:
    """For the cards of those close behind that could not be played if this chariot stood on a space.

    Before the alley these are also the cards that would wait for it (AC-5.4).
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
                worth += _BLOCKED * held // max(size(cards), 1)
    s.lap[seat] = from_lap
    s.space[seat] = from_space
    return worth


@kernel
def chapter(t: Tables, s: State) -> int:
    """The race: a searcher looks no further than its end."""
    return s.race


@kernel
def enough(t: Tables, s: State) -> int:
    """Twice the spread that the races to come may still make between two players' points."""
    return root(_SPREAD * (t.races - s.race))
