"""The spaces that a chariot can reach (AC-1, AC-3.2, AC-5.2), as bits of the window of spaces ahead of it."""

from __future__ import annotations

from quadriga.engine.kernels.bits import lowest
from quadriga.engine.kernels.kernel import kernel
from quadriga.games.avecaesar.board import LAPS, WINDOW
from quadriga.games.avecaesar.state import RACING, WRECKED, State, Tables

_WHOLE = (1 << (WINDOW + 1)) - 1  # every bit of the window


@kernel
def may_enter(s: State, seat: int) -> bool:
    """AC-5.2: return whether a seat may enter the alley: with the coin, at the end of lap 1 or 2."""
    return s.coin[seat] == 1 and (s.lap[seat] == 1 or s.lap[seat] == 2)


@kernel
def taken(t: Tables, s: State, seat: int) -> int:
    """Return the spaces ahead of a chariot that others occupy, including wrecks."""
    return _occupied(t, s, seat, True)


@kernel
def wrecked(t: Tables, s: State, seat: int) -> int:
    """AC-V3: return the spaces ahead of a chariot that wrecks occupy."""
    return _occupied(t, s, seat, False)


@kernel
def _occupied(t: Tables, s: State, seat: int, chariots: bool) -> int:
    """Return the spaces ahead with wrecks and, if `chariots`, racing chariots."""
    size = t.spaces[s.race]
    here = s.space[seat]
    found = 0
    for other in range(t.seats):
        if other != seat and (s.status[other] == WRECKED or (chariots and s.status[other] == RACING)):
            ahead = s.space[other] - here
            if ahead < 0:
                ahead += size
            if ahead <= WINDOW:
                found |= 1 << ahead
    return found


@kernel
def onward(t: Tables, race: int, here: int, layer: int, blocked: int, enter: bool) -> int:
    """Return all spaces one step on from a set of spaces, as bits ahead of `here`."""
    course = 2 * race + (1 if enter else 0)
    following = 0
    while layer:
        ahead = lowest(layer)
        layer &= layer - 1
        following |= t.steps[course, here + ahead] << ahead
    return following & ~blocked


@kernel
def beyond(t: Tables, s: State, seat: int) -> int:
    """Return the part of the window that lies past the finish line."""
    ahead = t.spaces[s.race] - s.space[seat]
    return 0 if ahead > WINDOW else _WHOLE & ~((1 << ahead) - 1)


@kernel
def in_alley(t: Tables, s: State, seat: int, bits: int) -> int:
    """Return the spaces of a set that lie in the alley."""
    race = s.race
    size = t.spaces[race]
    found = 0
    rest = bits
    while rest:
        ahead = lowest(rest)
        rest &= rest - 1
        space = s.space[seat] + ahead
        if space >= size:
            space -= size
        if t.alley[race, space]:
            found |= 1 << ahead
    return found


@kernel
def owes_coin(s: State, seat: int) -> bool:
    """Return whether AC-5.4 applies: on lap 2 with the coin."""
    return s.coin[seat] == 1 and s.lap[seat] == 2


@kernel
def keeping(t: Tables, s: State, seat: int) -> int:
    """AC-5.4: return the destinations that keep the alley within reach. Wrecks count, other chariots do not."""
    race = s.race
    here = s.space[seat]
    kept = t.keeping[race, here]
    wrecks = wrecks_of(t, s)
    if wrecks == 0:
        return kept
    gate = t.gate[race]
    entrance = (gate + lowest(t.entrance[race])) % t.spaces[race]
    before_gate = 0
    if not _is_closed(t, s, wrecks, entrance):
        for space in range(gate, here, -1):
            before_gate = (before_gate << 1) & _WHOLE
            if not _is_closed(t, s, wrecks, space) and (space == gate or t.steps[2 * race, space] & before_gate):
                before_gate |= 1
        before_gate = (before_gate << 1) & _WHOLE
    return kept & (before_gate | in_alley(t, s, seat, kept))


@kernel
def wrecks_of(t: Tables, s: State) -> int:
    """AC-V3: return the seats whose chariots are wrecks, as bits."""
    found = 0
    for seat in range(t.seats):
        if s.status[seat] == WRECKED:
            found |= 1 << seat
    return found


@kernel
def can_pass(t: Tables, s: State, seat: int, closed: int, lap: int, rank: int) -> bool:
    """Return whether a chariot has a route, with any cards, to a greater (lap, rank) or to the finish.

    `closed` are seats, as bits, whose spaces are blocked. The loop passes the list of spaces once per lap, with a
    window of the reachable ones.
    """
    race = s.race
    size = t.spaces[race]
    space = s.space[seat]
    driven = s.lap[seat]
    window = 1
    while window:
        if window & 1 and not _is_closed(t, s, closed, space):
            if driven > lap or (driven == lap and t.rank[race, space] > rank):
                return True
            enter = 1 if s.coin[seat] and (driven == 1 or driven == 2) else 0
            window |= t.steps[2 * race + enter, space]
        window >>= 1
        space += 1
        if space == size:
            space = 0
            driven += 1
            if driven > LAPS:
                return window != 0
    return False


@kernel
def _is_closed(t: Tables, s: State, closed: int, space: int) -> bool:
    """Return whether one of the seats in `closed` stands on a space."""
    for seat in range(t.seats):
        if (closed >> seat) & 1 and s.space[seat] == space:
            return True
    return False
