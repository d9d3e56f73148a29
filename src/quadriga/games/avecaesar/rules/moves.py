"""Moves (AC-3, AC-5): which cards can be played, and where they lead."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.avecaesar.board import LAPS, LONGEST
from quadriga.games.avecaesar.rules.cards import values
from quadriga.games.avecaesar.rules.paths import beyond, keeping, may_enter, onward, owes_coin, taken, wrecked
from quadriga.games.avecaesar.rules.six import may_play_six
from quadriga.games.avecaesar.state import State, Tables

SPAN = 64  # an action is 64 times the card less 1, plus how far ahead the destination is
FINISH = 0  # ... or this for the finish
ANYWHERE = -1  # as a set of destinations: all
ALL_VALUES = (2 << LONGEST) - 2  # 1 to 6, as bits
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
def fitting_values(t: Tables, s: State, seat: int, held: int, kept: int) -> int:
    """AC-5.4: those of the values in `held` that have a move into `kept`, were no other chariot on the board.

    AC-V4: as the board stands.
    """
    barred = taken(t, s, seat) if t.dishonour else wrecked(t, s, seat)
    fitting = 0
    layer = 1
    for card in range(1, LONGEST + 1):
        layer = onward(t, s.race, s.space[seat], layer, barred, True)
        if layer == 0:
            break
        if (held >> card) & 1 and layer & kept:
            fitting |= 1 << card
    return fitting


@kernel
def permitted(t: Tables, s: State, seat: int, held: int) -> int:
    """AC-5.4: the destinations open to a seat that may play the values in `held`, as bits ahead.

    While one of them fits, a move that loses the alley is barred.
    """
    if owes_coin(s, seat):
        kept = keeping(t, s, seat)
        if fitting_values(t, s, seat, held, kept):
            return kept
    return ANYWHERE


@kernel
def moving_values(t: Tables, s: State, seat: int, held: int, targets: int, enough: int) -> int:
    """Those of the values in `held` that have a move into `targets`, as bits; at most `enough` are looked for."""
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
        if (held >> card) & 1 and layer & targets:
            moving |= 1 << card
            enough -= 1
            if enough == 0:
                break
    return moving


@kernel
def lone_values(t: Tables, s: State, seat: int) -> int:
    """The values that could be moved by who holds no other, AC-4 aside, as bits."""
    moving = moving_values(t, s, seat, ALL_VALUES, ANYWHERE, LONGEST)
    if not owes_coin(s, seat):
        return moving
    kept = keeping(t, s, seat)
    fitting = fitting_values(t, s, seat, ALL_VALUES, kept)
    return moving_values(t, s, seat, ALL_VALUES, kept, LONGEST) | (moving & ~fitting)


@kernel
def can_move(t: Tables, s: State, seat: int) -> bool:
    """Whether a seat can play any card (AC-3.1)."""
    held = playable_values(t, s, seat)
    return moving_values(t, s, seat, held, permitted(t, s, seat, held), 1) != 0


@kernel
def legal_moves(t: Tables, s: State, seat: int, out: Ints) -> int:
    """Every card that can be played and every destination (AC-3.1 to AC-3.3)."""
    held = playable_values(t, s, seat)
    destinations = permitted(t, s, seat, held)
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
            targets = layer & destinations
            while targets:
                out[n] = (card - 1) * SPAN + lowest(targets)
                n += 1
                targets &= targets - 1
    return n
