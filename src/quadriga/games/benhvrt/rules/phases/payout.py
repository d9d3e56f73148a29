"""The end of a race (BH-8): wagers, the pot, the penalty for the last place, and the discards."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import kernel
from quadriga.games.benhvrt.deck.operations import CODES
from quadriga.games.benhvrt.rules.chariots import amount, foremost, owner, rearmost
from quadriga.games.benhvrt.rules.phases.race import PLACES
from quadriga.games.benhvrt.rules.piles import empty, forget_hand, pour, put
from quadriga.games.benhvrt.rules.stack import push_draw
from quadriga.games.benhvrt.state import DECK, DISCARD, TRACK_WORDS, State, Tables

HEIRS = CODES["heirs"]
_REST = (0, 0, 0, 1, 0, 0, 1, 1, 0, 2, 1, 0, 2, 1, 1, 2, 2, 1)  # remainder of 0 to 5: to first, second, third


@kernel
def pay_out(t: Tables, s: State) -> None:
    """BH-8.1, BH-8.2: pay the first three, by BH-1.4 if the race stalled. The winner becomes the dealer."""
    left = s.racing
    last = rearmost(t, s, left)
    while left and s.finishers < PLACES:
        chariot = foremost(t, s, left)
        left &= ~(1 << chariot)
        s.finisher[s.finishers] = chariot + 1
        s.finishers += 1
    if s.finishers == 0:
        return
    winner = s.finisher[0] - 1
    _pay_wagers(t, s, winner)
    share = s.pot // 6
    rest = s.pot % 6
    for place in range(min(s.finishers, PLACES)):
        prize = (3 - place) * share + _REST[3 * rest + place]
        s.pot -= prize
        s.purse[owner(t, s.finisher[place] - 1)] += prize
    s.purse[owner(t, winner)] += s.pot
    s.pot = 0
    s.dealer = owner(t, winner)
    if t.penalty:
        _discard_all(t, s, owner(t, last if last >= 0 else s.finisher[s.finishers - 1] - 1))


@kernel
def _pay_wagers(t: Tables, s: State, winner: int) -> None:
    """Pay Side Wagers on the winner, as far as the pot goes, before it is shared."""
    for seat in range(t.seats):
        paid = min(s.stake[seat, winner], s.pot)
        s.pot -= paid
        s.purse[seat] += paid


@kernel
def _discard_all(t: Tables, s: State, seat: int) -> None:
    """BH-8.3: discard a seat's hand and fitted cards; cards for a lost Driver are drawn afterwards."""
    pour(s, seat, DISCARD)
    forget_hand(t, s, seat)
    to_draw = 0
    for which in range(t.chariots // t.seats):
        chariot = seat + which * t.seats
        if s.driver[chariot]:
            kind = s.driver[chariot] - 1
            put(s, DISCARD, kind)
            s.driver[chariot] = 0
            if (t.doing[HEIRS] >> kind) & 1:
                to_draw += amount(t, s, kind, HEIRS)
        kinds = s.improvements[chariot]
        while kinds:
            put(s, DISCARD, lowest(kinds))
            kinds &= kinds - 1
        s.improvements[chariot] = 0
    if to_draw:
        push_draw(s, seat, to_draw)


@kernel
def clear_track(t: Tables, s: State) -> None:
    """Clear everything about the race, and put the discards back into the deck."""
    pour(s, DISCARD, DECK)
    empty(s, DISCARD)
    for chariot in range(t.chariots):
        s.square[chariot] = 0
        s.lap[chariot] = 0
        s.speed[chariot] = 0
        s.best[chariot] = 0
        s.next_roll[chariot] = 0
        s.driver_used[chariot] = 0
        s.lever_used[chariot] = 0
        s.finisher[chariot] = 0
        for seat in range(t.seats):
            s.stake[seat, chariot] = 0
    s.entered = 0
    s.racing = 0
    for word in range(TRACK_WORDS):
        s.taken[word] = 0
    s.shaken = 0
    s.moved = 0
    s.finishers = 0
    s.stalled = 0
    s.advanced = 0
    s.begun = 0
    s.priority = 0
