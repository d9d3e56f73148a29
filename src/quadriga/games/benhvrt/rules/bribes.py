"""Bribes (BH-7.5): money for playing a named card in a window, set aside until the window closes."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import DIGIT, DIGITS, NAME, ON, TO
from quadriga.games.benhvrt.deck.operations import BM, MOVE, NOTHING, RIVAL, RO
from quadriga.games.benhvrt.deck.operations import CHARIOT as ANY_CHARIOT
from quadriga.games.benhvrt.rules.chariots import is_racing
from quadriga.games.benhvrt.rules.phases.offers import legal_digits
from quadriga.games.benhvrt.state import State, Tables

CHOOSE_SEAT = 1  # stages of a bribe under construction
CHOOSE_CARD = 2
CHOOSE_CHARIOT = 3
MONEY = 4
_WEIGHTS = (1000, 100, 10, 1)


@kernel
def bribable_kinds(t: Tables, window: int) -> int:
    """Return the kinds that a bribe can name: Move cards in RO, Events of window BM in BM."""
    return t.of_type[MOVE] & t.in_window[RO] if window == RO else t.in_window[BM]


@kernel
def can_bribe(t: Tables, s: State, seat: int, window: int) -> bool:
    """Return whether a player may bribe: with money, without an open bribe, and with a rival on the track."""
    if not t.bribes or (window != RO and window != BM) or s.purse[seat] < 1 or s.bribe_money[seat]:
        return False
    if bribable_kinds(t, window) == 0:
        return False
    for other in range(t.seats):
        if other != seat and is_racing(t, s, other):
            return True
    return False


@kernel
def legal_bribe(t: Tables, s: State, top: int, out: Ints) -> int:
    """Write the possible next pieces of a bribe; return how many."""
    seat = s.seat[top]
    n = 0
    if s.building == CHOOSE_SEAT:
        for other in range(t.seats):
            if other != seat and is_racing(t, s, other):
                out[n] = TO + other
                n += 1
    elif s.building == CHOOSE_CARD:
        kinds = bribable_kinds(t, s.window[top])
        while kinds:
            out[n] = NAME + lowest(kinds)
            n += 1
            kinds &= kinds - 1
    elif s.building == CHOOSE_CHARIOT:
        chariots = s.racing
        while chariots:
            out[n] = ON + lowest(chariots)
            n += 1
            chariots &= chariots - 1
    else:
        return legal_digits(s.bribe_money[seat], s.digits, s.purse[seat], True, out)
    return n


@kernel
def build_bribe(t: Tables, s: State, top: int, action: int) -> bool:
    """Add a piece to a bribe; return whether it is complete."""
    seat = s.seat[top]
    if s.building == CHOOSE_SEAT:
        s.bribe_to[seat] = action - TO
        s.building = CHOOSE_CARD
    elif s.building == CHOOSE_CARD:
        kind = action - NAME
        s.bribe_card[seat] = kind + 1
        s.building = CHOOSE_CHARIOT if t.takes[kind] == ANY_CHARIOT or t.takes[kind] == RIVAL else MONEY
    elif s.building == CHOOSE_CHARIOT:
        s.bribe_chariot[seat] = action - ON + 1
        s.building = MONEY
    else:
        s.bribe_money[seat] += (action - DIGIT) * _WEIGHTS[s.digits]
        s.digits += 1
        if s.digits == DIGITS:
            s.digits = 0
            s.building = 0
            s.purse[seat] -= s.bribe_money[seat]
            return True
    return False


@kernel
def pay_bribes(t: Tables, s: State, player: int, kind: int, way: int) -> None:
    """Pay every bribe for this play, even if the card is vetoed later."""
    for seat in range(t.seats):
        if earns(s, seat, player, kind, way):
            s.purse[player] += s.bribe_money[seat]
            _clear(s, seat)


@kernel
def earns(s: State, seat: int, player: int, kind: int, way: int) -> bool:
    """Return whether a seat has a bribe open for this play of a player."""
    if s.bribe_card[seat] != kind + 1 or s.bribe_to[seat] != player:
        return False
    return s.bribe_chariot[seat] == 0 or s.bribe_chariot[seat] == way + 1


@kernel
def return_bribes(t: Tables, s: State) -> None:
    """Return unearned bribes when the window closes."""
    for seat in range(t.seats):
        if s.bribe_card[seat]:
            s.purse[seat] += s.bribe_money[seat]
            _clear(s, seat)


@kernel
def _clear(s: State, seat: int) -> None:
    s.bribe_to[seat] = 0
    s.bribe_card[seat] = NOTHING
    s.bribe_chariot[seat] = 0
    s.bribe_money[seat] = 0
