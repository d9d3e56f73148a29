"""Count what one move of Ave Caesar does: cards that rules forbid, the 6, chariots overtaken, the alley, spaces."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.avecaesar.board import LAPS, LONGEST
from quadriga.games.avecaesar.rules.cards import left_to_draw, number, one, unplayed
from quadriga.games.avecaesar.rules.moves import (
    ANYWHERE,
    FINISH,
    SPAN,
    permitted,
    playable_values,
)
from quadriga.games.avecaesar.rules.paths import beyond, keeping, may_enter, onward, owes_coin, taken, wrecked
from quadriga.games.avecaesar.rules.six import is_barred_from_six
from quadriga.games.avecaesar.rules.turn import drive
from quadriga.games.avecaesar.state import (
    FINISHED,
    OUT,
    RACING,
    VALUES,
    State,
    Tables,
)
from quadriga.games.avecaesar.study.columns import (
    AFTER_FINISH,
    ALLEY,
    BARRED,
    BLOCKS,
    CARDS,
    DISHONOURED,
    DRIVEN_ON,
    EMPTY,
    EXCEPTION,
    FIRST_SIX,
    KEPT,
    LANDINGS,
    LEFT,
    LIFTED,
    OVERSHOT,
    OVERTAKEN,
    OVERTAKES,
    SPACE_FIELDS,
    STANDS,
)


@kernel
def _order(t: Tables, s: State, seat: int) -> int:
    """Return the progress of a chariot, lap and station, as one number."""
    return (s.lap[seat] << 8) + t.rank[s.race, s.space[seat]]


@kernel
def _is_foremost(t: Tables, s: State, seat: int) -> bool:
    """Return whether no racing chariot is further."""
    for other in range(t.seats):
        if s.status[other] == RACING and _order(t, s, other) > _order(t, s, seat):
            return False
    return True


@kernel
def value_left(s: State, seat: int) -> int:
    """Return the points on the cards that a seat has not played."""
    cards = unplayed(s, seat)
    total = 0
    for value in range(1, VALUES + 1):
        total += value * number(cards, value)
    return total


@kernel
def count_turn(t: Tables, s: State, seat: int, rules: int, spaces: int, row: Ints) -> None:
    """Count before a move: where chariots stand, which spaces they block, and cards that rules forbid."""
    for other in range(t.seats):
        if s.status[other] == RACING:
            row[spaces + s.space[other] * SPACE_FIELDS + STANDS] += 1
    held = playable_values(t, s, seat)
    allowed = permitted(t, s, seat, held)
    blocked = taken(t, s, seat)
    wrecks = wrecked(t, s, seat)
    enter = may_enter(s, seat)
    past = beyond(t, s, seat)
    size = t.spaces[s.race]
    free = 1
    real = 1
    stopped = 0  # spaces on which another chariot keeps this one from ending its move
    lost = 0  # destinations that AC-5.4 forbids
    waiting = 0  # destinations for which AC-5.4 would let the chariot wait without AC-V4
    kept = keeping(t, s, seat) if t.dishonour and allowed == ANYWHERE and owes_coin(s, seat) else 0
    for card in range(1, LONGEST + 1):
        free = onward(t, s.race, s.space[seat], free, wrecks, enter)
        real = onward(t, s.race, s.space[seat], real, blocked, enter)
        if s.lap[seat] == LAPS:
            free &= ~past
            real &= ~past
        if (held >> card) & 1:
            stopped |= free & blocked & allowed
            lost |= real & ~allowed
            waiting |= free & kept
    while stopped:
        space = (s.space[seat] + lowest(stopped)) % size
        stopped &= stopped - 1
        row[spaces + space * SPACE_FIELDS + BLOCKS] += 1
    if lost:
        row[rules + KEPT] += 1
    if waiting:
        row[rules + DRIVEN_ON] += 1
    if number(s.hand[seat], VALUES) and not held >> LONGEST:
        row[rules + BARRED] += 1


@kernel
def _watch_six(t: Tables, s: State, seat: int, rules: int, row: Ints) -> None:
    """Count which rule lets the foremost chariot play a 6."""
    if not _is_foremost(t, s, seat):
        return
    if s.begun == 0:
        row[rules + FIRST_SIX] += 1
    elif s.finishers:
        row[rules + AFTER_FINISH] += 1
    elif s.free:
        row[rules + LIFTED] += 1
    elif is_barred_from_six(t, s, seat):
        row[rules + EXCEPTION] += 1


@kernel
def _overshoots(t: Tables, s: State, seat: int, card: int) -> bool:
    """AC-3.3: return whether a smaller card would have reached the finish too."""
    layer = 1
    for _ in range(1, card):
        layer = onward(t, s.race, s.space[seat], layer, taken(t, s, seat), False)
        if layer & beyond(t, s, seat):
            return True
    return False


@kernel
def _watch_overtaking(
    t: Tables, s: State, seat: int, from_: int, to: int, mine: int, spaces: int, row: Ints
) -> None:
    """Count the chariots between two places of the race: those that a move has overtaken."""
    for other in range(t.seats):
        if other != seat and s.status[other] == RACING and from_ < _order(t, s, other) < to:
            row[mine + OVERTAKEN] += 1
            row[spaces + s.space[other] * SPACE_FIELDS + OVERTAKES] += 1


@kernel
def play(t: Tables, s: State, seat: int, action: int, mine: int, rules: int, spaces: int, row: Ints) -> None:
    """Apply a move to `s`, a copy of the position before it, and count its effects."""
    card = action // SPAN + 1
    ahead = action % SPAN
    if card == VALUES:
        _watch_six(t, s, seat, rules, row)
    row[mine + CARDS] += 1
    was = _order(t, s, seat)
    if ahead == FINISH:
        if _overshoots(t, s, seat, card):
            row[rules + OVERSHOT] += 1
        s.finishers += 1
        s.finish[seat] = s.finishers
        s.status[seat] = FINISHED
        _watch_overtaking(t, s, seat, was, (LAPS + 1) << 8, mine, spaces, row)
    else:
        lap = s.lap[seat]
        coin = s.coin[seat]
        drive(t, s, seat, ahead)
        _watch_overtaking(t, s, seat, was, _order(t, s, seat), mine, spaces, row)
        row[spaces + s.space[seat] * SPACE_FIELDS + LANDINGS] += 1
        if coin and s.coin[seat] == 0:
            row[mine + ALLEY] = lap
        if s.dishonoured[seat] and coin and s.lap[seat] == LAPS and lap < LAPS:
            row[rules + DISHONOURED] += 1
    s.hand[seat] -= one(card)
    s.begun = 1
    s.misses = 0
    if s.status[seat] == FINISHED:
        row[mine + LEFT] = value_left(s, seat)
    elif s.hand[seat] == 0 and left_to_draw(s, seat) == 0:
        s.status[seat] = OUT
        row[rules + EMPTY] += 1
