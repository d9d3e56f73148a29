"""Count in games of Ben Hvrt: races and purses, cards, auction cards, and squares.

`counts` declares the counts. `cards` counts what happens to cards, `auctions` the sale of auction cards, and
`races` the money, the places and the squares of a race.
"""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.rules.chariots import foremost, owner
from quadriga.games.benhvrt.state import State, Tables
from quadriga.games.benhvrt.study.auctions import count_auction
from quadriga.games.benhvrt.study.cards import count_cards
from quadriga.games.benhvrt.study.races import count_race
from quadriga.games.benhvrt.study.squares import count_squares

_PLACES = 3


@kernel
def count_step(t: Tables, before: State, s: State, seat: int, action: int, at: Ints, row: Ints) -> None:
    """Count the events of a step."""
    count_auction(t, before, s, seat, action, at, row)
    count_cards(t, before, s, seat, action, at, row)
    count_squares(t, before, s, seat, action, at, row)
    count_race(t, before, s, seat, action, at, row)


@kernel
def standing(t: Tables, s: State, out: Ints) -> None:
    """Write the Ducats of each seat. During a race its prizes are added, as if the race ended now."""
    for seat in range(t.seats):
        out[seat] = s.purse[seat]
    left = s.racing
    for place in range(_PLACES):
        chariot = s.finisher[place] - 1
        if chariot < 0 and left:
            chariot = foremost(t, s, left)
            left &= ~(1 << chariot)
        if chariot >= 0:
            out[owner(t, chariot)] += (_PLACES - place) * s.pot // 6
