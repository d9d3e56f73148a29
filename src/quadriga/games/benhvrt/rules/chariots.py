"""Chariots: owners, the order of the race, fitted cards, and Speed."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import kernel
from quadriga.games.benhvrt.deck.operations import CODES
from quadriga.games.benhvrt.rules.piles import put
from quadriga.games.benhvrt.rules.stack import push_draw
from quadriga.games.benhvrt.state import DISCARD, State, Tables

FASTEST = 6
HEIRS = CODES["heirs"]


@kernel
def owner(t: Tables, chariot: int) -> int:
    """BH-2.1: return the seat of a chariot. With two each, seat p has chariots p and p + seats."""
    return chariot if chariot < t.seats else chariot - t.seats


@kernel
def takes_part(t: Tables, s: State, seat: int) -> bool:
    """BH-3.1: return whether a player has a chariot in this race."""
    return _has_chariot(t, s.entered, seat)


@kernel
def is_racing(t: Tables, s: State, seat: int) -> bool:
    """BH-6.7: return whether a player has a chariot on the track."""
    return _has_chariot(t, s.racing, seat)


@kernel
def _has_chariot(t: Tables, chariots: int, seat: int) -> bool:
    if (chariots >> seat) & 1:
        return True
    return t.chariots > t.seats and ((chariots >> (seat + t.seats)) & 1) == 1


@kernel
def distance(t: Tables, s: State, chariot: int) -> int:
    """Return the distance that a chariot has driven."""
    return s.lap[chariot] * t.lap_length + t.front[s.square[chariot]]


@kernel
def steps_left(t: Tables, s: State, lap: int, square: int) -> int:
    """Return the fewest steps to the finish from a square on a lap."""
    if lap >= s.laps:
        return t.to_line[1, square]
    return t.to_line[0, square] + (s.laps - lap - 1) * t.to_line[0, 0] + t.to_line[1, 0]


@kernel
def to_finish(t: Tables, s: State, chariot: int) -> int:
    """Return the fewest steps from a chariot to the finish."""
    return steps_left(t, s, s.lap[chariot], s.square[chariot])


@kernel
def _race_order(t: Tables, s: State, chariot: int) -> int:
    """BH-1.4: return the rank of a chariot in the race: lap, then leading edge, then the lower lane."""
    return distance(t, s, chariot) * 8 + 7 - t.lane[s.square[chariot]]


@kernel
def foremost(t: Tables, s: State, chariots: int) -> int:
    """Return the chariot of a set that is ahead of all others; -1 for an empty set."""
    found = -1
    best = -1
    while chariots:
        chariot = lowest(chariots)
        chariots &= chariots - 1
        race_order = _race_order(t, s, chariot)
        if race_order > best:
            best = race_order
            found = chariot
    return found


@kernel
def rearmost(t: Tables, s: State, chariots: int) -> int:
    """Return the chariot of a set that is behind all others; -1 for an empty set."""
    found = -1
    worst = 0
    while chariots:
        chariot = lowest(chariots)
        chariots &= chariots - 1
        race_order = _race_order(t, s, chariot)
        if found < 0 or race_order < worst:
            worst = race_order
            found = chariot
    return found


@kernel
def is_occupied(s: State, square: int) -> bool:
    """BH-6.4: return whether a chariot is on a square."""
    return (s.taken[square >> 5] >> (square & 31)) & 1 == 1


@kernel
def put_on(s: State, chariot: int, square: int) -> None:
    """Put a chariot on a square."""
    s.racing |= 1 << chariot
    s.square[chariot] = square
    s.taken[square >> 5] |= 1 << (square & 31)


@kernel
def take_off(s: State, chariot: int) -> None:
    """Take a chariot off the track."""
    s.racing &= ~(1 << chariot)
    square = s.square[chariot]
    s.taken[square >> 5] &= ~(1 << (square & 31))


@kernel
def move_to(s: State, chariot: int, square: int) -> None:
    """Move a chariot to a square."""
    here = s.square[chariot]
    s.taken[here >> 5] &= ~(1 << (here & 31))
    s.square[chariot] = square
    s.taken[square >> 5] |= 1 << (square & 31)


@kernel
def current_lap(s: State, chariot: int) -> int:
    """Return the lap, for abilities that work once a lap. The way before the first crossing is part of lap I."""
    return max(s.lap[chariot], 1)


@kernel
def fitted(t: Tables, s: State, chariot: int, operation: int) -> int:
    """Return the kinds fitted to a chariot, including its Driver, that have an operation; as bits."""
    kinds = s.improvements[chariot]
    if s.driver[chariot]:
        kinds |= 1 << (s.driver[chariot] - 1)
    return kinds & t.doing[operation]


@kernel
def operation_index(t: Tables, kind: int, operation: int) -> int:
    """Return the index of an operation on a card; -1 if it has none."""
    for i in range(3):
        if t.op[kind, i] == operation:
            return i
    return -1


@kernel
def strength(t: Tables, kind: int, operation: int) -> int:
    """Return the number of an operation on a card."""
    i = operation_index(t, kind, operation)
    return t.one[kind, i] if i >= 0 else 0


@kernel
def amount(t: Tables, s: State, kind: int, operation: int) -> int:
    """Return the number of cards of an operation, which may depend on the laps of the race."""
    i = operation_index(t, kind, operation)
    return t.one[kind, i] + (t.two[kind, i] * s.laps + 1) // 2


@kernel
def set_speed(s: State, chariot: int, speed: int) -> None:
    """BH-6.5: set a Speed, limited to 1 to 6."""
    s.speed[chariot] = min(max(speed, 1), FASTEST)


@kernel
def dismiss(t: Tables, s: State, chariot: int) -> None:
    """Discard a Driver. Some Drivers let their owner draw cards then (Cousin Titus)."""
    kind = s.driver[chariot] - 1
    s.driver[chariot] = 0
    put(s, DISCARD, kind)
    if (t.doing[HEIRS] >> kind) & 1:
        push_draw(s, owner(t, chariot), amount(t, s, kind, HEIRS))
