"""After the race (BH-8): wagers, the pot in six shares, Caligula, and the discards back into the deck."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import kernel
from quadriga.games.benhvrt.operations import CODES
from quadriga.games.benhvrt.rules.chariots import amount, foremost, owner, rearmost
from quadriga.games.benhvrt.rules.piles import empty, hand_forgotten, pour, put
from quadriga.games.benhvrt.rules.race import PLACES
from quadriga.games.benhvrt.rules.stack import push_draw
from quadriga.games.benhvrt.state import DECK, DISCARD, State, Tables

HEIRS = CODES["heirs"]
_REST = (0, 0, 0, 1, 0, 0, 1, 1, 0, 2, 1, 0, 2, 1, 1, 2, 2, 1)  # remainder of 0 to 5: to first, second, third


@kernel
def pay_out(t: Tables, s: State) -> None:
    """BH-8.1, BH-8.2: who is first, second, third; by BH-1.4 where a race stalled. The winner's player deals."""
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
    if t.caligula:
        _ruin(t, s, owner(t, last if last >= 0 else s.finisher[s.finishers - 1] - 1))


@kernel
def _pay_wagers(t: Tables, s: State, winner: int) -> None:
    """Side Wager: so many Ducats, or all there is, before the pot is shared."""
    for seat in range(t.seats):
        paid = min(s.stake[seat, winner], s.pot)
        s.pot -= paid
        s.purse[seat] += paid


@kernel
def _ruin(t: Tables, s: State, seat: int) -> None:
    """BH-8.3: all his cards, hand and table; heirs draw after the loss."""
    pour(s, seat, DISCARD)
    hand_forgotten(t, s, seat)
    inherited = 0
    for which in range(t.chariots // t.seats):
        chariot = seat + which * t.seats
        if s.driver[chariot]:
            kind = s.driver[chariot] - 1
            put(s, DISCARD, kind)
            s.driver[chariot] = 0
            if (t.doing[HEIRS] >> kind) & 1:
                inherited += amount(t, s, kind, HEIRS)
        kinds = s.improvements[chariot]
        while kinds:
            put(s, DISCARD, lowest(kinds))
            kinds &= kinds - 1
        s.improvements[chariot] = 0
    if inherited:
        push_draw(s, seat, inherited)


@kernel
def clear_track(t: Tables, s: State) -> None:
    """Nothing is left of a race; the discards go back into the deck."""
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
    s.shaken = 0
    s.moved = 0
    s.finishers = 0
    s.stalled = 0
    s.advanced = 0
    s.begun = 0
    s.priority = 0
