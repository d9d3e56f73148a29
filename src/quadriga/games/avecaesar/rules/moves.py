"""Moves (AC-3, AC-5): which cards can be played, and where they lead."""

from __future__ import annotations

from quadriga.engine.bits import lowest
from quadriga.engine.kernel import Ints, kernel
from quadriga.games.avecaesar.board import LAPS, LONGEST
from quadriga.games.avecaesar.rules.cards import values
from quadriga.games.avecaesar.rules.paths import beyond, in_alley, may_enter, onward, taken, wrecked
from quadriga.games.avecaesar.rules.six import leads, may_play_six
from quadriga.games.avecaesar.state import State, Tables

SPAN = 64  # an action is 64 times the card less 1, plus how far ahead the destination is
FINISH = 0  # ... or this for the finish
MOST_LEGAL = 120  # three cards, and what lies six columns ahead
BOTTOMS = LONGEST * SPAN  # the actions that put a card under the deck come after those


@kernel
def playable_values(t: Tables, s: State, seat: int) -> int:
    """The values held that AC-4 lets a seat play, as bits."""
    held = values(s.hand[seat])
    if held >> LONGEST and not may_play_six(t, s, seat):
        held &= (1 << LONGEST) - 1
    return held


@kernel
def could_stop(t: Tables, s: State, seat: int, held: int) -> bool:
    """AC-5.4: whether a card would end in the alley were no other chariot on the board.

    AC-V4: as the board stands.
    """
    race = s.race
    here = s.space[seat]
    barred = taken(t, s, seat) if t.dishonour else wrecked(t, s, seat)
    layer = 1
    for card in range(1, LONGEST + 1):
        layer = onward(t, race, here, layer, barred, True)
        if layer == 0:
            return False
        if (held >> card) & 1 and in_alley(t, s, seat, layer):
            return True
    return False


@kernel
def must_stop(t: Tables, s: State, seat: int, held: int) -> bool:
    """AC-5.4: at the end of lap 2 with the coin still held, and a card that fits the alley."""
    if not (s.coin[seat] and s.lap[seat] == 2):
        return False
    return beyond(t, s, seat) != 0 and could_stop(t, s, seat, held)


@kernel
def allowed(t: Tables, s: State, seat: int, targets: int, past: int, stop: bool) -> int:
    """What AC-5.4 leaves of a set of destinations: who must stop crosses the line in the alley only."""
    if stop and targets & past:
        return (targets & ~past) | in_alley(t, s, seat, targets & past)
    return targets


@kernel
def moving_values(t: Tables, s: State, seat: int, held: int, stop: bool, enough: int) -> int:
    """Those of the values in `held` that have a move, as bits; no more than `enough` are looked for."""
    barred = taken(t, s, seat)
    enter = may_enter(s, seat)
    past = beyond(t, s, seat)
    layer = 1
    moving = 0
    for card in range(1, LONGEST + 1):
        layer = onward(t, s.race, s.space[seat], layer, barred, enter)
        if layer == 0:
            break
        if s.lap[seat] == LAPS and layer & past:
            return moving | (held & ~((1 << card) - 1))  # AC-3.3: whatever reaches the finish may overshoot
        if (held >> card) & 1 and allowed(t, s, seat, layer, past, stop):
            moving |= 1 << card
            enough -= 1
            if enough == 0:
                break
    return moving


@kernel
def can_move(t: Tables, s: State, seat: int) -> bool:
    """Whether a seat can play any card (AC-3.1)."""
    held = playable_values(t, s, seat)
    return moving_values(t, s, seat, held, must_stop(t, s, seat, held), 1) != 0


@kernel
def legal_moves(t: Tables, s: State, seat: int, out: Ints) -> int:
    """Every card that can be played and every destination (AC-3.1 to AC-3.3)."""
    held = playable_values(t, s, seat)
    stop = must_stop(t, s, seat, held)
    barred = taken(t, s, seat)
    enter = may_enter(s, seat)
    past = beyond(t, s, seat)
    over = False
    layer = 1
    n = 0
    for card in range(1, LONGEST + 1):
        layer = onward(t, s.race, s.space[seat], layer, barred, enter)
        if s.lap[seat] == LAPS and layer & past:
            over = True
            layer &= ~past
        if (held >> card) & 1:
            if over:
                out[n] = (card - 1) * SPAN + FINISH
                n += 1
            targets = allowed(t, s, seat, layer, past, stop)
            while targets:
                out[n] = (card - 1) * SPAN + lowest(targets)
                n += 1
                targets &= targets - 1
    return n


@kernel
def known_lacks(t: Tables, s: State, seat: int) -> int:
    """What a missed turn tells everybody: values that could have been played, whatever else is held.

    A 6 tells nothing where AC-4 bars it to leaders, nor a move over the line where AC-5.4 may have barred it.
    """
    told = (2 << LONGEST) - 2
    if s.begun and not s.free and leads(t, s, seat):
        told &= (1 << LONGEST) - 1
    cautious = s.coin[seat] == 1 and s.lap[seat] == 2
    return moving_values(t, s, seat, told, cautious, LONGEST)
