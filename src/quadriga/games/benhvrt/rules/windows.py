"""Windows (BH-7.2, BH-7.3): who is asked, in which order, and what he can do."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import BRIBE, PASS, PLAY, USE, WAYS
from quadriga.games.benhvrt.deck import PER_MOVE
from quadriga.games.benhvrt.operations import BM, CODES, PA, PB, PR, RE, RO
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
from quadriga.games.benhvrt.rules.stack import pop
from quadriga.games.benhvrt.state import ALL_WINDOWS, MARKET, State, Tables

CHOOSE_ROLL = CODES["choose-roll"]
TWO_DICE = CODES["two-dice"]
SLOW = CODES["slow"]
SKIM = CODES["skim"]


@kernel
def _goes_round(window: int) -> bool:
    """BH-7.3: RO, BM and RE go round the table; PR, PB and PA ask one player only."""
    return window == RO or window == BM or window == RE


@kernel
def run_window(t: Tables, s: State, top: int) -> None:
    """Ask the next who could do something, until all have passed in a row."""
    if s.building:  # whoever has begun a bribe makes it, though its money is already laid down in part
        s.asked = s.seat[top]
        return
    window = s.window[top]
    rounds = t.seats if _goes_round(window) else 1
    vetoed = window == RE and s.vetoed[top - 1] == 1  # a veto stands: there is nothing left to answer
    if vetoed or (s.halted and (window == PA or window == PB)):  # a thrown Fishwife closes all windows of the step
        pop(s)
        return
    while s.passes[top] < rounds:
        if can_act(t, s, top, s.seat[top]):
            s.asked = s.seat[top]
            return
        _pass_on(t, s, top, s.passes[top] + 1)
    if window == RO or window == BM:
        return_bribes(t, s)
    pop(s)


@kernel
def _pass_on(t: Tables, s: State, top: int, quiet: int) -> None:
    s.passes[top] = quiet
    if _goes_round(s.window[top]):
        s.seat[top] = (s.seat[top] + 1) % t.seats


@kernel
def _may_be_asked(t: Tables, s: State, top: int, seat: int) -> bool:
    """Only players still racing; in the market those in this race. Nobody answers his own card (BH-7.6)."""
    if s.window[top] == RE and seat == s.seat[top - 1]:
        return False
    return takes_part(t, s, seat) if s.task[1] == MARKET else is_racing(t, s, seat)


@kernel
def can_act(t: Tables, s: State, top: int, seat: int) -> bool:
    """Whether a player could do anything but pass."""
    window = s.window[top]
    if not _may_be_asked(t, s, top, seat):
        return False
    if t.ask_all == ALL_WINDOWS:
        if might_play(t, s, seat, window, s.target[top]):
            return True
    elif t.ask_all and window != PR and window != PB:
        return True
    if can_play(t, s, seat, window, s.target[top]) or can_use(t, s, seat, window):
        return True
    return can_bribe(t, s, seat, window)


@kernel
def might_play(t: Tables, s: State, seat: int, window: int, target: int) -> bool:
    """Whether a player may hold a card for a window, as far as everybody knows (BH-7.4)."""
    if size(s, seat) == 0 or t.in_window[window] == 0:
        return False
    if window == PB and fitted(t, s, target, SHIELD):
        return False
    return not (window == PA and fitted(t, s, s.mover, SHIELD))


@kernel
def can_use(t: Tables, s: State, seat: int, window: int) -> bool:
    """Whether the mover's Driver has a choice in this window that was not used yet."""
    if window == BM or window == RE or owner(t, s.mover) != seat or s.driver[s.mover] == 0:
        return False
    kind = s.driver[s.mover] - 1
    if t.window[kind] != window or s.driver_acted:
        return False
    return t.per[kind] == PER_MOVE or s.driver_used[s.mover] != current_lap(s, s.mover)


@kernel
def legal_window(t: Tables, s: State, top: int, out: Ints) -> int:
    """To pass, to play, to use a Driver, to bribe."""
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
    """Somebody passes or acts; who has acted is asked again when it comes round to him."""
    seat = s.seat[top]
    if s.building:
        if build_bribe(t, s, top, action):
            _pass_on(t, s, top, 0)
    elif action == PASS:
        _pass_on(t, s, top, s.passes[top] + 1)
    elif action == BRIBE:
        s.building = CHOOSE_SEAT
    elif action >= PLAY:
        _pass_on(t, s, top, 0)
        kind = (action - PLAY) // WAYS
        way = (action - PLAY) % WAYS
        if s.window[top] != RE:
            pay_bribes(t, s, seat, kind, way)
        play_card(t, s, seat, kind, way, s.window[top], s.target[top])
    else:
        _pass_on(t, s, top, 0)
        _use(t, s, seat, action - USE, s.target[top])


@kernel
def _use(t: Tables, s: State, seat: int, kind: int, target: int) -> None:
    """A Driver's choice, once per move or per lap (BH-6.6, BH-7.1)."""
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
