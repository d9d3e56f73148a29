"""Windows (BH-7.2, BH-7.3): which seats are asked, in which order, and their actions."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import BRIBE, PASS, PLAY, USE, WAYS
from quadriga.games.benhvrt.deck import PER_MOVE
from quadriga.games.benhvrt.deck.operations import BM, CODES, PA, PB, PR, RE, RO
from quadriga.games.benhvrt.rules.bribes import (
    CHOOSE_SEAT,
    build_bribe,
    can_bribe,
    legal_bribe,
    pay_bribes,
    return_bribes,
)
from quadriga.games.benhvrt.rules.cards import SHIELD, can_play, legal_plays, play_card
from quadriga.games.benhvrt.rules.chariots import (
    current_lap,
    fitted,
    is_racing,
    owner,
    set_speed,
    strength,
    takes_part,
)
from quadriga.games.benhvrt.rules.piles import size
from quadriga.games.benhvrt.rules.stack import asks_all_seats, pop
from quadriga.games.benhvrt.state import ALL_WINDOWS, MARKET, State, Tables

CHOOSE_ROLL = CODES["choose-roll"]
TWO_DICE = CODES["two-dice"]
SLOW = CODES["slow"]
SKIM = CODES["skim"]


@kernel
def run_window(t: Tables, s: State, top: int) -> None:
    """Ask the next seat that can act, until all have passed in a row."""
    if s.building:  # a seat that has begun a bribe completes it
        s.asked = s.seat[top]
        return
    window = s.window[top]
    rounds = t.seats if asks_all_seats(window) else 1
    vetoed = window == RE and s.vetoed[top - 1] == 1  # after a veto there is nothing left to answer
    if vetoed or (s.halted and (window == PA or window == PB)):  # a halt closes all windows of the step
        pop(s)
        return
    while s.passes[top] < rounds:
        if can_act(t, s, top, s.seat[top]):
            s.asked = s.seat[top]
            return
        _ask_next(t, s, top, s.passes[top] + 1)
    if window == RO or window == BM:
        return_bribes(t, s)
    pop(s)


@kernel
def _ask_next(t: Tables, s: State, top: int, quiet: int) -> None:
    """Set the number of passes in a row and go on to the next seat."""
    s.passes[top] = quiet
    if asks_all_seats(s.window[top]):
        s.seat[top] = (s.seat[top] + 1) % t.seats


@kernel
def _may_be_asked(t: Tables, s: State, top: int, seat: int) -> bool:
    """Return whether a seat is racing, or in the market is in this race. BH-7.6: no seat answers its own card."""
    if s.window[top] == RE and seat == s.seat[top - 1]:
        return False
    return takes_part(t, s, seat) if s.task[1] == MARKET else is_racing(t, s, seat)


@kernel
def can_act(t: Tables, s: State, top: int, seat: int) -> bool:
    """Return whether a seat is asked: it can do something other than pass, or `ask_all` includes it."""
    return can_react(t, s, top, seat) or (_may_be_asked(t, s, top, seat) and can_bribe(t, s, seat, s.window[top]))


@kernel
def can_react(t: Tables, s: State, top: int, seat: int) -> bool:
    """Return whether a seat is asked even if nobody may bribe."""
    window = s.window[top]
    if not _may_be_asked(t, s, top, seat):
        return False
    if t.ask_all == ALL_WINDOWS:
        if might_play(t, s, seat, window, s.target[top]):
            return True
    elif t.ask_all and window != PR and window != PB:
        return True
    return can_play(t, s, seat, window, s.target[top]) or can_use(t, s, seat, window)


@kernel
def might_play(t: Tables, s: State, seat: int, window: int, target: int) -> bool:
    """BH-7.4: return whether a seat may hold a card for a window, by public information."""
    if size(s, seat) == 0 or t.in_window[window] == 0:
        return False
    if window == PB and fitted(t, s, target, SHIELD):
        return False
    return not (window == PA and fitted(t, s, s.mover, SHIELD))


@kernel
def can_use(t: Tables, s: State, seat: int, window: int) -> bool:
    """Return whether the mover's Driver has an unused choice in this window."""
    if window == BM or window == RE or owner(t, s.mover) != seat or s.driver[s.mover] == 0:
        return False
    kind = s.driver[s.mover] - 1
    if t.window[kind] != window or s.driver_acted:
        return False
    return t.per[kind] == PER_MOVE or s.driver_used[s.mover] != current_lap(s, s.mover)


@kernel
def legal_window(t: Tables, s: State, top: int, out: Ints) -> int:
    """Write the actions of a seat in a window: pass, play, use a Driver, bribe; return how many."""
    if s.building:
        return legal_bribe(t, s, top, out)
    seat = s.seat[top]
    window = s.window[top]
    out[0] = PASS
    n = legal_plays(t, s, seat, window, s.target[top], out, 1)
    if can_use(t, s, seat, window):
        out[n] = USE + s.driver[s.mover] - 1
        n += 1
    if can_bribe(t, s, seat, window):
        out[n] = BRIBE
        n += 1
    return n


@kernel
def answer_window(t: Tables, s: State, top: int, action: int) -> None:
    """Apply an action in a window. A seat that has acted is asked again in the next round."""
    seat = s.seat[top]
    if s.building:
        if build_bribe(t, s, top, action):
            _ask_next(t, s, top, 0)
    elif action == PASS:
        _ask_next(t, s, top, s.passes[top] + 1)
    elif action == BRIBE:
        s.building = CHOOSE_SEAT
    elif action >= PLAY:
        _ask_next(t, s, top, 0)
        kind = (action - PLAY) // WAYS
        way = (action - PLAY) % WAYS
        if s.window[top] != RE:
            pay_bribes(t, s, seat, kind, way)
        play_card(t, s, seat, kind, way, s.window[top], s.target[top])
    else:
        _ask_next(t, s, top, 0)
        _use_driver(t, s, seat, action - USE, s.target[top])


@kernel
def _use_driver(t: Tables, s: State, seat: int, kind: int, target: int) -> None:
    """BH-6.6, BH-7.1: apply a Driver's choice, once per move or per lap."""
    operation = t.op[kind, 0]
    number = strength(t, kind, operation)
    s.driver_acted = 1
    if t.per[kind] != PER_MOVE:
        s.driver_used[s.mover] = current_lap(s, s.mover)
    if operation == CHOOSE_ROLL:
        s.next_roll[s.mover] = number
    elif operation == TWO_DICE:
        s.two_dice = 1
    elif operation == SLOW:
        set_speed(s, target, s.speed[target] - number)
    elif operation == SKIM:
        s.roll -= number
        if s.pot >= t.two[kind, 0]:
            s.pot -= t.two[kind, 0]
            s.purse[seat] += t.two[kind, 0]
