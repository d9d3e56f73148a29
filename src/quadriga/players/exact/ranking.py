"""A perfect ranking: every position of Ur that the rules of capacity and type allow has a number, with no gaps.

Positions are seen by the side to roll, and numbered within a layer: the markers left of the side to roll, and those
of the other. The board is cut into seven blocks of spaces, and each block has a list of possible contents. The
number of a position is the sum, over the blocks, of the positions that come before its content with the room that
the earlier blocks have left (`before`). All layers, and so games of any number of markers, share one set of tables,
which `ranking_tables` builds.
"""

from __future__ import annotations

from typing import NamedTuple

from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.games.ur.board import CENTRE
from quadriga.games.ur.state import BEN, ROLL, State, Tables

MOST = 7  # markers a side
SIDE = MOST + 1  # a layer, or the room that is left: mine times this plus theirs
ROOMS = SIDE * SIDE
WIDE = 1024  # contents of all blocks together, at most

# Where the codes of each block begin among all codes; the most significant block comes first.
BLOCKS = 7
_END = 0  # codes of the far end: 10 bits,
_LATE = 1024  # ... of B7 and B8: 8 bits,
_MIDDLE = 1280  # ... of B5 and B6,
_CENTRE = 1536  # ... of B3 and B4: 9 bits,
_EARLY = 2048  # ... of B1 and B2: 8 bits,
_MINE = 2304  # ... of my own spaces: 6 bits,
_THEIRS = 2368  # ... of theirs
CODES = 2432

_CONTENT = 0xFFFF
TAKEN = 16  # from this bit on: the room that a content takes up
_FAR = 12  # the step on A7 or C7
_FINKEL = 15  # Finkel's path is off at this step, and is the only one without a far end to share


class Ranks(NamedTuple):
    """The tables of a rule set that `rank` and `unrank` read."""

    keys: Ints  # by code: the content, and the room that it takes up
    before: Ints  # by room and content: how many positions come before it
    contents: Ints  # where each block's contents begin; from ROOMS on the markers of each content


@kernel
def _pair(mine: int, mine_dotted: int, theirs: int, theirs_dotted: int, bit: int) -> int:
    """Return the code of the markers on two neighbours of the middle row, whose bits all kinds of marker share."""
    return (
        ((mine >> bit) & 3)
        | ((mine_dotted >> bit) & 3) << 2
        | ((theirs >> bit) & 3) << 4
        | ((theirs_dotted >> bit) & 3) << 6
    )


@kernel
def _corner(t: Tables, blank: int, dotted: int) -> int:
    """Return the code of one side's markers in the far corners."""
    if t.rules == BEN:
        return ((dotted >> _FAR) & 11) | ((blank >> _FAR) & 1) << 2
    return ((blank >> _FAR) & 3) | ((blank >> (_FAR + 1)) & 12)


@kernel
def _end(t: Tables, s: State, me: int) -> int:
    """Return the code of the far end."""
    if t.off == _FINKEL:
        return 0
    them = me ^ 1
    code = _corner(t, s.blank[me], s.dotted[me]) | _corner(t, s.blank[them], s.dotted[them]) << 4
    own = (s.blank_twin[me] | s.dotted_twin[them]) >> _FAR
    other = (s.dotted_twin[me] | s.blank_twin[them]) >> _FAR
    return code | (own & 1) << 8 | (other & 1) << 9


@kernel
def _late(t: Tables, mask: int) -> int:
    """Return the code of one kind of marker on B7 and B8."""
    last = _FAR if t.off == _FINKEL else _FAR + 2
    return ((mask >> 11) & 1) | ((mask >> last) & 1) << 1


@kernel
def _own_spaces(t: Tables, s: State, seat: int) -> int:
    """Return the code of one side's markers on the spaces that only that side uses."""
    own = (s.blank[seat] >> 1) & 15
    if t.off == _FINKEL:
        return own | ((s.blank[seat] >> 13) & 3) << 4
    return own | ((s.blank_twin[seat] >> 4) & 1) << 4


@kernel
def code(t: Tables, s: State, me: int, block: int) -> int:
    """Return the code of a block, as `me` sees it."""
    them = me ^ 1
    a = s.blank[me]
    b = s.dotted[me]
    c = s.blank[them]
    d = s.dotted[them]
    if block == 0:
        return _END + _end(t, s, me)
    if block == 1:
        return _LATE + (_late(t, a) | _late(t, b) << 2 | _late(t, c) << 4 | _late(t, d) << 6)
    if block == 2:
        return _MIDDLE + _pair(a, b, c, d, 9)
    if block == 3:
        twins = s.blank_twin[me] | s.dotted_twin[me] | s.blank_twin[them] | s.dotted_twin[them]
        return _CENTRE + (_pair(a, b, c, d, 7) | (1 if twins & CENTRE else 0) << 8)
    if block == 4:
        return _EARLY + _pair(a, b, c, d, 5)
    return _MINE + _own_spaces(t, s, me) if block == 5 else _THEIRS + _own_spaces(t, s, them)


@kernel
def layer(t: Tables, s: State, me: int) -> int:
    """Return the layer of a position, seen by `me`."""
    return (t.markers - s.off[me]) * SIDE + t.markers - s.off[me ^ 1]


@kernel
def _one_kind(t: Tables, s: State, me: int, block: int) -> int:
    """Return the code of a block under rules with one kind of marker, of which no two share a space."""
    a = s.blank[me]
    b = s.blank[me ^ 1]
    if block == 0:
        if t.off == _FINKEL:
            return _END
        far = ((a >> _FAR) & 3) | ((a >> (_FAR + 1)) & 12)
        return _END + (far | (((b >> _FAR) & 3) | ((b >> (_FAR + 1)) & 12)) << 4)
    if block == 1:
        return _LATE + (_late(t, a) | _late(t, b) << 4)
    if block == 2:
        return _MIDDLE + (((a >> 9) & 3) | ((b >> 9) & 3) << 4)
    if block == 3:
        return _CENTRE + (((a >> 7) & 3) | ((b >> 7) & 3) << 4)
    if block == 4:
        return _EARLY + (((a >> 5) & 3) | ((b >> 5) & 3) << 4)
    far = 3 if t.off == _FINKEL else 0
    own = a if block == 5 else b
    return (_MINE if block == 5 else _THEIRS) + (((own >> 1) & 15) | ((own >> 13) & far) << 4)


@kernel
def rank(t: Tables, s: State, me: int, ranks: Ranks) -> int:
    """Return the number of a position among those of its layer, seen by `me`."""
    keys = ranks.keys
    before = ranks.before
    room = layer(t, s, me)
    number = 0
    if t.rules == BEN:
        for block in range(BLOCKS):
            key = keys[code(t, s, me, block)]
            number += before[room * WIDE + (key & _CONTENT)]
            room -= key >> TAKEN
        return number
    for block in range(BLOCKS):
        key = keys[_one_kind(t, s, me, block)]
        number += before[room * WIDE + (key & _CONTENT)]
        room -= key >> TAKEN
    return number


@kernel
def unrank(t: Tables, s: State, room: int, number: int, ranks: Ranks) -> None:
    """Set up the position with this number in a layer, seat 0 to roll."""
    before = ranks.before
    contents = ranks.contents
    for seat in range(2):
        s.blank[seat] = 0
        s.dotted[seat] = 0
        s.blank_twin[seat] = 0
        s.dotted_twin[seat] = 0
    s.off[0] = t.markers - room // SIDE
    s.off[1] = t.markers - room % SIDE
    s.phase = ROLL
    s.turn = 0
    s.roll = 0
    for block in range(BLOCKS):
        low = contents[block]
        high = contents[block + 1]
        while high - low > 1:
            middle = (low + high) >> 1
            if before[room * WIDE + middle] <= number:
                low = middle
            else:
                high = middle
        number -= before[room * WIDE + low]
        _put(s, low, contents)
        room -= contents[ROOMS + low * FIELDS + 8]


FIELDS = 9  # of a content: four masks a side, and the room that it takes up


@kernel
def _put(s: State, content: int, contents: Ints) -> None:
    """Add the markers of one block to the position."""
    at = ROOMS + content * FIELDS
    for seat in range(2):
        s.blank[seat] |= contents[at + seat]
        s.dotted[seat] |= contents[at + 2 + seat]
        s.blank_twin[seat] |= contents[at + 4 + seat]
        s.dotted_twin[seat] |= contents[at + 6 + seat]
