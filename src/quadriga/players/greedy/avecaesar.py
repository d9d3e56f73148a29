"""Rules of thumb for Ave Caesar: waste no step, play high cards early, and do not get stuck on 6s in the lead.

The deck holds few more steps than the race needs, so a step that does not bring the finish nearer is dear; and
whoever plays his high cards first never plays his low ones at all.
"""

from __future__ import annotations

from quadriga.engine.kernel import Ints, kernel
from quadriga.engine.rng import Rng
from quadriga.games.avecaesar.board import LAPS, LONGEST, MOST_SPACES
from quadriga.games.avecaesar.rules.cards import number, one, only_sixes
from quadriga.games.avecaesar.rules.hidden import distance
from quadriga.games.avecaesar.rules.moves import BOTTOMS, FINISH, SPAN
from quadriga.games.avecaesar.state import BOTTOM, RACING, State, Tables

PARTS = ("thrift", "lead", "coin")
THRIFT = 1
LEAD = 2
COIN = 4

_FINISHED = 100_000
_DISHONOUR = 10_000
_WASTED = 40  # a step that brings the finish no nearer
_PIP = 10  # a card that is played early
_STUCK = 120  # to lead with nothing but 6s in hand,
_SIXES = 15  # ... or with some


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
    if crossing and lap == LAPS and not paid and not without & COIN:
        worth -= _DISHONOUR
    owes = 1 if not paid and s.dishonoured[seat] == 0 and not (crossing and lap == LAPS) else 0
    left = t.to_go[race, (lap * 2 + owes) * MOST_SPACES + space]
    if not without & THRIFT:
        worth -= _WASTED * (card - (distance(t, s, seat) - left))
    if not without & LEAD and _would_lead(t, s, seat, lap, space):
        rest = s.hand[seat] - one(card)
        worth -= _STUCK if only_sixes(rest) else _SIXES * number(rest, LONGEST)
    return worth


@kernel
def _would_lead(t: Tables, s: State, seat: int, lap: int, space: int) -> bool:
    """Whether a chariot would lead the race from a space (AC-4.1)."""
    if s.finishers:
        return False
    mine = (lap << 8) + t.rank[s.race, space]
    for other in range(t.seats):
        if other != seat and s.status[other] == RACING:
            if (s.lap[other] << 8) + t.rank[s.race, s.space[other]] > mine:
                return False
    return True
