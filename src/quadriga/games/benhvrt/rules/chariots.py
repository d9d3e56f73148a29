"""Chariots: whose they are, who is ahead, what is fitted to them, and their Speed."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import kernel
from quadriga.games.benhvrt.operations import CODES
from quadriga.games.benhvrt.rules.piles import put
from quadriga.games.benhvrt.rules.stack import push_draw
from quadriga.games.benhvrt.state import DISCARD, State, Tables

FASTEST = 6
HEIRS = CODES["heirs"]


@kernel
def owner(t: Tables, chariot: int) -> int:
    """BH-2.1: with two each, player p has chariots p and p + players."""
    return chariot if chariot < t.seats else chariot - t.seats


@kernel
def takes_part(t: Tables, s: State, seat: int) -> bool:
    """Whether a player has a chariot in this race (BH-3.1)."""
    return _has(t, s.entered, seat)


@kernel
def is_racing(t: Tables, s: State, seat: int) -> bool:
    """Whether a player has a chariot on the track (BH-6.7)."""
    return _has(t, s.racing, seat)


@kernel
def _has(t: Tables, chariots: int, seat: int) -> bool:
    if (chariots >> seat) & 1:
        return True
    return t.chariots > t.seats and ((chariots >> (seat + t.seats)) & 1) == 1


@kernel
def distance(t: Tables, s: State, chariot: int) -> int:
    """How far a chariot has come."""
    return s.lap[chariot] * t.lap_length + t.front[s.square[chariot]]


@kernel
def _standing(t: Tables, s: State, chariot: int) -> int:
    """BH-1.4 as a number: the lap, the leading edge, then the lower lane."""
    return distance(t, s, chariot) * 8 + 7 - t.lane[s.square[chariot]]


@kernel
def foremost(t: Tables, s: State, chariots: int) -> int:
    """The chariot of a set that is ahead of all others; -1 of none."""
    found = -1
    best = -1
    while chariots:
        chariot = lowest(chariots)
        chariots &= chariots - 1
        standing = _standing(t, s, chariot)
        if standing > best:
            best = standing
            found = chariot
    return found


@kernel
def rearmost(t: Tables, s: State, chariots: int) -> int:
    """The chariot of a set that all others are ahead of; -1 of none."""
    found = -1
    worst = 0
    while chariots:
        chariot = lowest(chariots)
        chariots &= chariots - 1
        standing = _standing(t, s, chariot)
        if found < 0 or standing < worst:
            worst = standing
            found = chariot
    return found


@kernel
def occupied(t: Tables, s: State, square: int) -> bool:
    """Whether a chariot stands on a square (BH-6.4)."""
    rest = s.racing
    while rest:
        if s.square[lowest(rest)] == square:
            return True
        rest &= rest - 1
    return False


@kernel
def current_lap(s: State, chariot: int) -> int:
    """The lap for what can be done once a lap: the stretch before the first crossing counts as lap I."""
    return max(s.lap[chariot], 1)


@kernel
def fitted(t: Tables, s: State, chariot: int, operation: int) -> int:
    """The kinds fitted to a chariot, its Driver included, that do something; as bits."""
    kinds = s.improvements[chariot]
    if s.driver[chariot]:
        kinds |= 1 << (s.driver[chariot] - 1)
    return kinds & t.doing[operation]


@kernel
def place_of(t: Tables, kind: int, operation: int) -> int:
    """Which of a card's operations this is; -1 if it does no such thing."""
    for i in range(3):
        if t.op[kind, i] == operation:
            return i
    return -1


@kernel
def strength(t: Tables, kind: int, operation: int) -> int:
    """The number of a card's operation."""
    i = place_of(t, kind, operation)
    return t.one[kind, i] if i >= 0 else 0


@kernel
def amount(t: Tables, s: State, kind: int, operation: int) -> int:
    """A number of cards that may depend on the laps of the race."""
    i = place_of(t, kind, operation)
    return t.one[kind, i] + (t.two[kind, i] * s.laps + 1) // 2


@kernel
def set_speed(s: State, chariot: int, speed: int) -> None:
    """Speed is held within 1 to 6 (BH-6.5)."""
    s.speed[chariot] = min(max(speed, 1), FASTEST)


@kernel
def dismiss(t: Tables, s: State, chariot: int) -> None:
    """A Driver leaves play: he is discarded, and his heirs draw (Cousin Titus)."""
    kind = s.driver[chariot] - 1
    s.driver[chariot] = 0
    put(s, DISCARD, kind)
    if (t.doing[HEIRS] >> kind) & 1:
        push_draw(s, owner(t, chariot), amount(t, s, kind, HEIRS))
