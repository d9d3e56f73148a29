"""Maintenance (BH-5.4): Drivers and Improvements are paid for or given up; then some of them supply cards."""

from __future__ import annotations

from quadriga.engine.bits import lowest
from quadriga.engine.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import DROP, KEEP
from quadriga.games.benhvrt.deck import CODES
from quadriga.games.benhvrt.rules.chariots import amount, dismiss
from quadriga.games.benhvrt.rules.piles import put
from quadriga.games.benhvrt.rules.stack import pop, push
from quadriga.games.benhvrt.state import DISCARD, DRAW, State, Tables

SUPPLIES = CODES["supply"]
DRIVER_FIRST = -1


@kernel
def upkeep(t: Tables, s: State, kind: int) -> int:
    """What a card costs in this race."""
    return t.upkeep[kind] + (t.upkeep_halves[kind] * s.laps + 1) // 2


@kernel
def seat_in_turn(t: Tables, s: State, number: int) -> int:
    """The seats from the dealer's left, the dealer last."""
    return (s.dealer + 1 + number) % t.seats


@kernel
def chariot_in_turn(t: Tables, s: State, top: int) -> int:
    """The chariot that the work is at: seats from the dealer's left, each one's chariots by number."""
    return seat_in_turn(t, s, s.seat[top]) + s.arg[top] * t.seats


@kernel
def _next_chariot(t: Tables, s: State, top: int) -> bool:
    """To the next chariot; False when there are no more."""
    s.arg[top] += 1
    if s.arg[top] * t.seats >= t.chariots:
        s.arg[top] = 0
        s.seat[top] += 1
    return s.seat[top] < t.seats


@kernel
def run_maintenance(t: Tables, s: State, top: int) -> None:
    """Go on to the next card that is due; `card` is the least kind of Improvement that is still to come, or -1."""
    while s.seat[top] < t.seats:
        chariot = chariot_in_turn(t, s, top)
        if (s.entered >> chariot) & 1:
            if s.card[top] == DRIVER_FIRST and s.driver[chariot] == 0:
                s.card[top] = 0
            if s.card[top] == DRIVER_FIRST or s.improvements[chariot] >> s.card[top]:
                s.asked = seat_in_turn(t, s, s.seat[top])
                return
        s.card[top] = DRIVER_FIRST
        _next_chariot(t, s, top)
    pop(s)


@kernel
def item(t: Tables, s: State, top: int) -> int:
    """The kind that is due."""
    chariot = chariot_in_turn(t, s, top)
    if s.card[top] == DRIVER_FIRST:
        return s.driver[chariot] - 1
    return s.card[top] + lowest(s.improvements[chariot] >> s.card[top])


@kernel
def legal_maintenance(t: Tables, s: State, top: int, out: Ints) -> int:
    """To give up, and to keep what can be paid."""
    out[0] = DROP
    if s.purse[seat_in_turn(t, s, s.seat[top])] < upkeep(t, s, item(t, s, top)):
        return 1
    out[1] = KEEP
    return 2


@kernel
def answer_maintenance(t: Tables, s: State, top: int, action: int) -> None:
    """Pay into the pot, or discard."""
    kind = item(t, s, top)
    chariot = chariot_in_turn(t, s, top)
    driving = s.card[top] == DRIVER_FIRST
    s.card[top] = 0 if driving else kind + 1
    if action == KEEP:
        s.purse[seat_in_turn(t, s, s.seat[top])] -= upkeep(t, s, kind)
        s.pot += upkeep(t, s, kind)
    elif driving:
        dismiss(t, s, chariot)
    else:
        s.improvements[chariot] &= ~(1 << kind)
        put(s, DISCARD, kind)


@kernel
def run_supply(t: Tables, s: State, top: int) -> None:
    """What False Bottom draws, after everybody's maintenance, from the dealer's left."""
    while s.seat[top] < t.seats:
        chariot = chariot_in_turn(t, s, top)
        kinds = 0
        if (s.entered >> chariot) & 1:
            kinds = (s.improvements[chariot] & t.doing[SUPPLIES]) >> s.card[top]
        if kinds:
            kind = s.card[top] + lowest(kinds)
            s.card[top] = kind + 1
            push(s, DRAW, seat_in_turn(t, s, s.seat[top]), amount(t, s, kind, SUPPLIES), 0)
            return
        s.card[top] = 0
        _next_chariot(t, s, top)
    pop(s)
