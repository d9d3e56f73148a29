"""The closed set of operations of cards (BH-7.7): types of cards, windows and arguments of each.

In a window an operation acts on the chariot that the window is about: the mover in PR, RO and PA, the passed one in
PB. In BM and AU there is no such chariot, and the player of the card names one.
"""

from __future__ import annotations

from itertools import count
from typing import NamedTuple

DEAREST = 99

TYPES = ("Move", "Event", "Improvement", "Driver")
MOVE, EVENT, IMPROVEMENT, DRIVER = range(4)
WINDOWS = ("-", "AU", "PR", "RO", "PB", "PA", "BM", "RE")
ALWAYS, AU, PR, RO, PB, PA, BM, RE = range(8)
TAKES = ("nothing", "value", "chariot", "opposing chariot", "two chariots")
NOTHING, VALUE, CHARIOT, RIVAL, PAIR = range(5)

_numbers = count(1)


class Operation(NamedTuple):
    """An operation: its code, the types of cards, the windows in which it is possible or not, and its numbers."""

    code: int
    types: tuple[int, ...]
    windows: dict[int, int]  # what the player names, by window
    refused: dict[int, str]  # why it is impossible in the other windows: ids of `error.deck.why`
    ranges: tuple[tuple[int, int], ...]
    amount: bool  # a number of cards, or one that depends on the laps
    limited: bool  # needs `per`

    @property
    def in_force(self) -> bool:
        """Return whether the operation is always in force and never played."""
        return ALWAYS in self.windows


def _op(
    types: tuple[int, ...] | int,
    windows: dict[int, int],
    refused: dict[int, str],
    *ranges: tuple[int, int],
    amount: bool = False,
    limited: bool = False,
) -> Operation:
    all_types = (types,) if isinstance(types, int) else types
    return Operation(next(_numbers), all_types, windows, refused, ranges, amount, limited)


def _nowhere_else(windows: dict[int, int], reason: str) -> dict[int, str]:
    return dict.fromkeys((window for window in range(AU, RE + 1) if window not in windows), reason)


_ROLLED = {RO: NOTHING}
_NO_ROLL = {AU: "no-roll", PR: "no-roll", PB: "driven", PA: "driven", BM: "no-roll", RE: "answer"}
_AT_HAND = {PR: NOTHING, RO: NOTHING, PB: NOTHING, PA: NOTHING}  # the chariot that the window is about
_SPEED = {PR: NOTHING, RO: NOTHING, PB: NOTHING, BM: CHARIOT}
_NO_SPEED = {AU: "no-track", PA: "replaced", RE: "answer"}
_FORCE = {ALWAYS: NOTHING}
_NEVER_ASKED = _nowhere_else({}, "in-force")
_BEFORE = {PR: NOTHING}
_NOT_BEFORE = _nowhere_else(_BEFORE, "before-roll")

OPS = {
    "add": _op((MOVE, EVENT), _ROLLED, _NO_ROLL, (-6, 6)),  # to the roll
    "set": _op((MOVE, EVENT), _ROLLED, _NO_ROLL, (1, 6)),  # the roll
    "again": _op((MOVE, EVENT), _ROLLED, _NO_ROLL),  # the real die is rolled again
    "halt": _op(EVENT, _AT_HAND, {AU: "no-move", BM: "no-move", RE: "answer"}),  # the mover takes no more steps
    "shift": _op(
        EVENT, _AT_HAND | {BM: CHARIOT}, {AU: "no-track", RE: "answer"}, (1, 6)
    ),  # by up to this many squares
    "retire": _op(EVENT, _AT_HAND | {AU: CHARIOT, BM: CHARIOT}, {RE: "answer"}),  # a Driver
    "slow-to": _op(EVENT, _SPEED, _NO_SPEED, (1, 6)),  # set a Speed
    "choose": _op(EVENT, dict.fromkeys(_AT_HAND, VALUE), {AU: "two", BM: "two", RE: "answer"}),  # the next roll
    "hasten": _op(EVENT, _SPEED, _NO_SPEED, (-5, 5)),  # change a Speed
    "next-roll": _op(EVENT, _AT_HAND | {AU: CHARIOT, BM: CHARIOT}, {RE: "answer"}, (1, 6)),
    "cancel": _op(EVENT, {RE: NOTHING}, _nowhere_else({RE: NOTHING}, "no-card")),  # the card just played
    "draw": _op(EVENT, dict.fromkeys(range(AU, RE + 1), NOTHING), {}, amount=True),
    "poach": _op(
        EVENT, {AU: PAIR, PB: NOTHING, PA: NOTHING, BM: PAIR}, {PR: "own", RO: "which", RE: "answer"}
    ),  # an opponent's Driver for the Driver's price
    "wager": _op(
        EVENT,
        {AU: RIVAL, BM: RIVAL},
        dict.fromkeys((PR, RO, PB, PA), "begun") | {RE: "answer"},
        (1, DEAREST),
    ),  # on a named chariot
    "when-passed": _op(IMPROVEMENT, _FORCE, _NEVER_ASKED, (-5, 5)),  # this chariot's Speed
    "when-passing": _op(IMPROVEMENT, _FORCE, _NEVER_ASKED, (-5, 5)),  # the other's Speed
    "natural": _op((IMPROVEMENT, DRIVER), _FORCE, _NEVER_ASKED, (1, 6), (1, 6)),  # counts as
    "shield": _op(IMPROVEMENT, _FORCE, _NEVER_ASKED),  # against PA and PB Events
    "start-speed": _op(IMPROVEMENT, _FORCE, _NEVER_ASKED, (1, 5)),
    "keep-speed": _op(IMPROVEMENT, _FORCE, _NEVER_ASKED, limited=True),
    "free-lane": _op(IMPROVEMENT, _FORCE, _NEVER_ASKED),  # the first change of each move
    "supply": _op(IMPROVEMENT, _FORCE, _NEVER_ASKED, amount=True),  # cards after maintenance
    "choose-roll": _op(DRIVER, _BEFORE, _NOT_BEFORE, (1, 6), limited=True),
    "two-dice": _op(DRIVER, _BEFORE, _NOT_BEFORE, limited=True),
    "slow": _op(DRIVER, {PB: NOTHING}, _nowhere_else({PB: NOTHING}, "no-target"), (1, 5), limited=True),
    "skim": _op(
        DRIVER, {RO: NOTHING}, _nowhere_else({RO: NOTHING}, "own-roll"), (0, 6), (0, DEAREST), limited=True
    ),  # off the own roll, out of the pot
    "calm": _op(DRIVER, _FORCE, _NEVER_ASKED),  # the first opposing Move card on each roll has no effect
    "stubborn": _op(DRIVER, _FORCE, _NEVER_ASKED),  # the first retirement of a race fails
    "heirs": _op(DRIVER, _FORCE, _NEVER_ASKED, amount=True),  # cards when the Driver is discarded
}
CODES = {name: operation.code for name, operation in OPS.items()}
