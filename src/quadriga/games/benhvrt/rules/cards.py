"""Cards (BH-7): when they can be played, and their effects. Effects depend on operations, never on names."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.benhvrt.actions import PLAY, WAYS
from quadriga.games.benhvrt.deck import OPERATIONS
from quadriga.games.benhvrt.deck.operations import AU, CHARIOT, CODES, MOVE, NOTHING, PA, PAIR, PB, RE, RIVAL, VALUE
from quadriga.games.benhvrt.rules.chariots import amount, dismiss, fitted, owner, set_speed
from quadriga.games.benhvrt.rules.piles import discard_from_hand, held
from quadriga.games.benhvrt.rules.stack import open_window, pop, push_draw, push_played, push_shift
from quadriga.games.benhvrt.state import CHANCE, DECK, State, Tables

ADD = CODES["add"]
SET = CODES["set"]
AGAIN = CODES["again"]
HALT = CODES["halt"]
SHIFTS = CODES["shift"]
RETIRE = CODES["retire"]
SLOW_TO = CODES["slow-to"]
CHOOSE = CODES["choose"]
HASTEN = CODES["hasten"]
NEXT_ROLL = CODES["next-roll"]
CANCEL = CODES["cancel"]
DRAWS = CODES["draw"]
POACH = CODES["poach"]
WAGER = CODES["wager"]
SHIELD = CODES["shield"]
NATURAL = CODES["natural"]
CALM = CODES["calm"]
STUBBORN = CODES["stubborn"]


@kernel
def is_playable(t: Tables, s: State, seat: int, kind: int, window: int, target: int) -> bool:
    """Return whether a card can be played in its window. It needs an object, but may have no effect."""
    bit = 1 << kind
    at_hand = window_chariot(s, window, target)
    if (window == PB or window == PA) and fitted(t, s, at_hand, SHIELD):
        return False
    if t.doing[DRAWS] & bit and held(s, DECK) == 0:
        return False
    if t.doing[WAGER] & bit and s.begun:
        return False
    if t.doing[POACH] & bit and poachable_chariots(t, s, seat, window, target) == 0:
        return False
    if t.takes[kind] == CHARIOT or t.takes[kind] == RIVAL:
        return namable_chariots(t, s, seat, kind, window) != 0
    return not (needs_driver(t, kind) and s.driver[at_hand] == 0)


@kernel
def needs_driver(t: Tables, kind: int) -> bool:
    """BH-7.8: return whether a card can only be played on a chariot with a Driver: it retires one, and no more."""
    return t.op[kind, 0] == RETIRE and t.op[kind, 1] == 0


@kernel
def window_chariot(s: State, window: int, target: int) -> int:
    """Return the chariot that a window is about: the passed one in PB, else the mover."""
    return target if window == PB else s.mover


@kernel
def namable_chariots(t: Tables, s: State, seat: int, kind: int, window: int) -> int:
    """Return the chariots that a card can name, as bits."""
    found = s.entered if window == AU else s.racing
    if t.takes[kind] == RIVAL:
        found = _rivals(t, s, seat, found)
    if needs_driver(t, kind):
        found &= _driven(t, s)
    return found


@kernel
def _driven(t: Tables, s: State) -> int:
    """Return the chariots that have a Driver, as bits."""
    found = 0
    for chariot in range(t.chariots):
        if s.driver[chariot]:
            found |= 1 << chariot
    return found


@kernel
def _rivals(t: Tables, s: State, seat: int, chariots: int) -> int:
    """Return the chariots of a set that belong to other seats."""
    mine = 1 << seat
    if t.chariots > t.seats:
        mine |= 1 << (seat + t.seats)
    return chariots & ~mine


@kernel
def poachable_chariots(t: Tables, s: State, seat: int, window: int, target: int) -> int:
    """Return the opponents' chariots whose Driver a player can pay for, among those in the window's scope."""
    found = 0
    rest = s.entered if window == AU else s.racing
    if window == PB or window == PA:
        rest = 1 << window_chariot(s, window, target)
    rest = _rivals(t, s, seat, rest)
    while rest:
        chariot = lowest(rest)
        rest &= rest - 1
        if s.driver[chariot] and t.price[s.driver[chariot] - 1] <= s.purse[seat]:
            found |= 1 << chariot
    return found


@kernel
def can_play(t: Tables, s: State, seat: int, window: int, target: int) -> bool:
    """Return whether a player holds a card that is playable in a window."""
    kinds = held(s, seat) & t.in_window[window]
    while kinds:
        if is_playable(t, s, seat, lowest(kinds), window, target):
            return True
        kinds &= kinds - 1
    return False


@kernel
def legal_plays(t: Tables, s: State, seat: int, window: int, target: int, out: Ints, n: int) -> int:
    """Write every playable card with every argument, from index n on; return the end."""
    kinds = held(s, seat) & t.in_window[window]
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        if is_playable(t, s, seat, kind, window, target):
            n = _ways(t, s, seat, kind, window, out, n)
    return n


@kernel
def _ways(t: Tables, s: State, seat: int, kind: int, window: int, out: Ints, n: int) -> int:
    """Write the ways to play a card: with a value, a chariot, or two; return the end."""
    base = PLAY + WAYS * kind
    takes = t.takes[kind]
    if takes == NOTHING:
        out[n] = base
        return n + 1
    if takes == VALUE:
        for value in range(1, 7):
            out[n] = base + value
            n += 1
        return n
    if takes == PAIR:
        return _pairs(t, s, seat, base, window, out, n)
    chariots = namable_chariots(t, s, seat, kind, window)
    while chariots:
        out[n] = base + lowest(chariots)
        n += 1
        chariots &= chariots - 1
    return n


@kernel
def _pairs(t: Tables, s: State, seat: int, base: int, window: int, out: Ints, n: int) -> int:
    """Write the pairs of an opponent's chariot and one of the player's own; return the end."""
    theirs = poachable_chariots(t, s, seat, window, 0)
    own = s.entered if window == AU else s.racing
    while theirs:
        chariot = lowest(theirs)
        theirs &= theirs - 1
        for which in range(t.chariots // t.seats):
            if (own >> (seat + which * t.seats)) & 1:
                out[n] = base + 2 * chariot + which
                n += 1
    return n


@kernel
def play_card(t: Tables, s: State, seat: int, kind: int, way: int, window: int, target: int) -> None:
    """Play a Move or Event card: discard it, and begin its effects."""
    discard_from_hand(t, s, seat, kind)
    push_played(s, seat, kind, way, window, target)


@kernel
def run_played(t: Tables, s: State, top: int) -> None:
    """Run the next stage of a played card: window RE first, then one operation after the other."""
    kind = s.kind[top]
    at = s.at[top]
    s.at[top] = at + 1
    if at == 0:
        open_window(t, s, s.priority, RE, 0)
    elif (
        s.vetoed[top]
        or (at == 1 and _is_calmed(t, s, s.seat[top], kind))
        or at > OPERATIONS
        or t.op[kind, at - 1] == 0
    ):
        pop(s)
    else:
        _apply_operation(t, s, top, t.op[kind, at - 1], t.one[kind, at - 1])


@kernel
def _is_calmed(t: Tables, s: State, seat: int, kind: int) -> bool:
    """Return whether a calm Driver (Livia) cancels the card: an opponent's first Move card on her roll."""
    if t.type[kind] != MOVE or s.calmed or seat == owner(t, s.mover):
        return False
    if not fitted(t, s, s.mover, CALM):
        return False
    s.calmed = 1
    return True


@kernel
def _apply_operation(t: Tables, s: State, top: int, operation: int, number: int) -> None:
    """BH-7.7: apply one operation of a card."""
    seat = s.seat[top]
    chariot = s.way[top] if t.takes[s.kind[top]] == CHARIOT else window_chariot(s, s.window[top], s.target[top])
    if operation == ADD:
        s.roll += number
    elif operation == SET:
        s.roll = number
    elif operation == AGAIN:
        s.asked = CHANCE
    elif operation == HALT:
        s.halted = 1
    elif operation == SHIFTS:
        push_shift(s, seat, chariot, number)
    elif operation == RETIRE:
        _retire(t, s, chariot)
    elif operation == SLOW_TO:
        set_speed(s, chariot, number)
    elif operation == CHOOSE:
        s.next_roll[chariot] = s.way[top]
    elif operation == HASTEN:
        set_speed(s, chariot, s.speed[chariot] + number)
    elif operation == NEXT_ROLL:
        s.next_roll[chariot] = number
    elif operation == CANCEL:
        s.vetoed[top - 2] = 1  # the answered card is beneath the window in which this one was played
    elif operation == DRAWS:
        push_draw(s, seat, amount(t, s, s.kind[top], DRAWS))
    elif operation == POACH:
        _poach(t, s, top)
    elif operation == WAGER:
        s.stake[seat, s.way[top]] += number


@kernel
def _retire(t: Tables, s: State, chariot: int) -> None:
    """Retire a Driver, unless the Driver is stubborn and it is the first time in this race (Spiculus)."""
    if s.driver[chariot] == 0:
        return
    if fitted(t, s, chariot, STUBBORN) and not (s.shaken >> chariot) & 1:
        s.shaken |= 1 << chariot
    else:
        dismiss(t, s, chariot)


@kernel
def _poach(t: Tables, s: State, top: int) -> None:
    """Take over a Driver for the price (Better Offer). If the player can no longer pay, nothing happens."""
    seat = s.seat[top]
    theirs = s.way[top] // 2
    mine = seat + s.way[top] % 2 * t.seats
    if s.window[top] == PB:
        theirs = s.target[top]
        mine = s.mover
    elif s.window[top] == PA:
        theirs = s.mover
        mine = s.target[top]
    kind = s.driver[theirs] - 1
    if kind < 0 or s.purse[seat] < t.price[kind]:
        return
    s.purse[seat] -= t.price[kind]
    s.purse[owner(t, theirs)] += t.price[kind]
    s.driver[theirs] = 0
    if s.driver[mine]:
        dismiss(t, s, mine)
    s.driver[mine] = kind + 1


@kernel
def counts_as(t: Tables, s: State, chariot: int, face: int) -> int:
    """Return what a natural roll counts as (Greased Axles, Cousin Titus)."""
    kinds = fitted(t, s, chariot, NATURAL)
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        for i in range(OPERATIONS):
            if t.op[kind, i] == NATURAL and t.one[kind, i] == face:
                return t.two[kind, i]
    return face


@kernel
def roll_again(t: Tables, s: State, face: int) -> None:
    """Apply a new die (Try That Again). The rules for natural rolls apply again."""
    s.natural = face
    s.roll = counts_as(t, s, s.mover, face)
