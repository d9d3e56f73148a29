"""Moves of Ave Caesar (AC-3, AC-5): the playable cards and their destinations."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import kernel
from quadriga.games.avecaesar.board import LAPS, LONGEST
from quadriga.games.avecaesar.rules.cards import values
from quadriga.games.avecaesar.rules.paths import beyond, keeping, may_enter, onward, owes_coin, taken, wrecked
from quadriga.games.avecaesar.rules.six import may_play_six
from quadriga.games.avecaesar.state import State, Tables

SPAN = 64  # an action is 64 times the card less 1, plus the distance of the destination
FINISH = 0  # ... or this for the finish
ANYWHERE = -1  # the set of all destinations
ALL_VALUES = (2 << LONGEST) - 2  # 1 to 6, as bits
MOST_LEGAL = 120  # three cards, and the spaces six columns ahead
BOTTOMS = LONGEST * SPAN  # the first of the actions that put a card under the deck


@kernel
def playable_values(t: Tables, s: State, seat: int) -> int:
    """Return the values in hand that AC-4 lets a seat play, as bits."""
    held = values(s.hand[seat])
    if held >> LONGEST and not may_play_six(t, s, seat):
        held &= (1 << LONGEST) - 1
    return held


@kernel
def fitting_values(t: Tables, s: State, seat: int, held: int, kept: int) -> int:
    """AC-5.4: return the values in `held` that have a move into `kept` if no other chariots are on the board.

    AC-V4: the other chariots count.
    """
    blocked = taken(t, s, seat) if t.dishonour else wrecked(t, s, seat)
    fitting = 0
    layer = 1
    for card in range(1, LONGEST + 1):
        layer = onward(t, s.race, s.space[seat], layer, blocked, True)
        if layer == 0:
            break
        if (held >> card) & 1 and layer & kept:
            fitting |= 1 << card
    return fitting


@kernel
def permitted(t: Tables, s: State, seat: int, held: int) -> int:
    """AC-5.4: return the permitted destinations of a seat with the values in `held`, as bits ahead.

    While one of the values fits, a move that loses the alley is illegal.
    """
    if owes_coin(s, seat):
        kept = keeping(t, s, seat)
        if fitting_values(t, s, seat, held, kept):
            return kept
    return ANYWHERE


@kernel
def moving_values(t: Tables, s: State, seat: int, held: int, targets: int, enough: int) -> int:
    """Return the values in `held` that have a move into `targets`, as bits. The search stops after `enough`."""
    blocked = taken(t, s, seat)
    enter = may_enter(s, seat)
    past = beyond(t, s, seat)
    layer = 1
    moving = 0
    for card in range(1, LONGEST + 1):
        layer = onward(t, s.race, s.space[seat], layer, blocked, enter)
        if layer == 0:
            break
        if s.lap[seat] == LAPS and layer & past:
            return moving | (held & ~((1 << card) - 1))  # AC-3.3: a card that reaches the finish may overshoot
        if (held >> card) & 1 and layer & targets:
            moving |= 1 << card
            enough -= 1
            if enough == 0:
                break
    return moving


@kernel
def lone_values(t: Tables, s: State, seat: int) -> int:
    """Return the values that could be played if a seat held no other value, as bits. AC-4 is not applied."""
    moving = moving_values(t, s, seat, ALL_VALUES, ANYWHERE, LONGEST)
    if not owes_coin(s, seat):
        return moving
    kept = keeping(t, s, seat)
    fitting = fitting_values(t, s, seat, ALL_VALUES, kept)
    return moving_values(t, s, seat, ALL_VALUES, kept, LONGEST) | (moving & ~fitting)


@kernel
def can_move(t: Tables, s: State, seat: int) -> bool:
    """AC-3.1: return whether a seat can play any card."""
    held = playable_values(t, s, seat)
    return moving_values(t, s, seat, held, permitted(t, s, seat, held), 1) != 0


@kernel
def find_moves(t: Tables, s: State, seat: int) -> bool:
    """AC-3.1 to AC-3.3: note the destinations of every card that a seat may play; return whether there are any."""
    held = playable_values(t, s, seat)
    destinations = permitted(t, s, seat, held)
    blocked = taken(t, s, seat)
    enter = may_enter(s, seat)
    past = beyond(t, s, seat) if s.lap[seat] == LAPS else 0
    over = 0
    layer = 1
    found = 0
    for card in range(1, LONGEST + 1):
        layer = onward(t, s.race, s.space[seat], layer, blocked, enter)
        if layer & past:
            over = 1 << FINISH
            layer &= ~past
        targets = (layer & destinations) | over if (held >> card) & 1 else 0
        s.moves[card - 1] = targets
        found |= targets
    return found != 0
