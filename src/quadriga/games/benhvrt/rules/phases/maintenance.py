"""Maintenance (BH-5.4): players pay for Drivers and Improvements or drop them; then some supply cards."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import DROP, KEEP
from quadriga.games.benhvrt.deck.operations import CODES
from quadriga.games.benhvrt.rules.chariots import amount, dismiss
from quadriga.games.benhvrt.rules.piles import put
from quadriga.games.benhvrt.rules.stack import pop, push_draw
from quadriga.games.benhvrt.state import DISCARD, State, Tables

SUPPLIES = CODES["supply"]
DRIVER_FIRST = -1


@kernel
def upkeep(t: Tables, s: State, kind: int) -> int:
    """Return the upkeep of a card in this race."""
    return t.upkeep[kind] + (t.upkeep_halves[kind] * s.laps + 1) // 2


@kernel
def seat_in_turn(t: Tables, s: State, number: int) -> int:
    """Return a seat by its number in turn: from the dealer's left, the dealer last."""
    return (s.dealer + 1 + number) % t.seats


@kernel
def chariot_in_turn(t: Tables, s: State) -> int:
    """Return the current chariot: seats from the dealer's left, each seat's chariots by number."""
    return seat_in_turn(t, s, s.due_turn) + s.due_which * t.seats


@kernel
def _next_chariot(t: Tables, s: State) -> None:
    """Go on to the next chariot."""
    s.due_which += 1
    if s.due_which * t.seats >= t.chariots:
        s.due_which = 0
        s.due_turn += 1


@kernel
def run_maintenance(t: Tables, s: State) -> None:
    """Ask for the next card whose upkeep is due, or end the maintenance."""
    while s.due_turn < t.seats:
        chariot = chariot_in_turn(t, s)
        if (s.entered >> chariot) & 1:
            if s.due_kind == DRIVER_FIRST and s.driver[chariot] == 0:
                s.due_kind = 0
            if s.due_kind == DRIVER_FIRST or s.improvements[chariot] >> s.due_kind:
                s.asked = seat_in_turn(t, s, s.due_turn)
                return
        s.due_kind = DRIVER_FIRST
        _next_chariot(t, s)
    s.due_turn = 0
    s.due_kind = 0
    pop(s)


@kernel
def due_item(t: Tables, s: State) -> int:
    """Return the kind whose upkeep is due."""
    chariot = chariot_in_turn(t, s)
    if s.due_kind == DRIVER_FIRST:
        return s.driver[chariot] - 1
    return s.due_kind + lowest(s.improvements[chariot] >> s.due_kind)


@kernel
def legal_maintenance(t: Tables, s: State, out: Ints) -> int:
    """Write drop and, if the player can pay, keep; return how many."""
    out[0] = DROP
    if s.purse[seat_in_turn(t, s, s.due_turn)] < upkeep(t, s, due_item(t, s)):
        return 1
    out[1] = KEEP
    return 2


@kernel
def answer_maintenance(t: Tables, s: State, action: int) -> None:
    """Pay the upkeep into the pot, or discard the card."""
    kind = due_item(t, s)
    chariot = chariot_in_turn(t, s)
    driving = s.due_kind == DRIVER_FIRST
    s.due_kind = 0 if driving else kind + 1
    if action == KEEP:
        s.purse[seat_in_turn(t, s, s.due_turn)] -= upkeep(t, s, kind)
        s.pot += upkeep(t, s, kind)
    elif driving:
        dismiss(t, s, chariot)
    else:
        s.improvements[chariot] &= ~(1 << kind)
        put(s, DISCARD, kind)


@kernel
def run_supply(t: Tables, s: State) -> None:
    """Let Improvements that supply cards (False Bottom) draw, from the dealer's left, after all maintenance."""
    while s.due_turn < t.seats:
        chariot = chariot_in_turn(t, s)
        kinds = 0
        if (s.entered >> chariot) & 1:
            kinds = (s.improvements[chariot] & t.doing[SUPPLIES]) >> s.due_kind
        if kinds:
            kind = s.due_kind + lowest(kinds)
            s.due_kind = kind + 1
            push_draw(s, seat_in_turn(t, s, s.due_turn), amount(t, s, kind, SUPPLIES))
            return
        s.due_kind = 0
        _next_chariot(t, s)
    s.due_turn = 0
    s.due_kind = 0
    pop(s)
