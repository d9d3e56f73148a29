"""The view of a game of Ur. Nothing is hidden, so all seats see the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

import msgspec
from msgspec.structs import replace

from quadriga.engine.game import NOBODY
from quadriga.games.ur.board import LOOPS, RULE_SETS, TURN_BACK, mirrored, path
from quadriga.games.ur.state import DONE, JUMP, MOVE, State, Tables

_RULES = tuple(RULE_SETS)
PHASES = ("opening", "jump", "roll", "move", "over")


class Marker(msgspec.Struct, frozen=True):
    """A marker on the board."""

    seat: int
    dotted: bool
    step: int
    space: str


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A position of Ur, as it is sent to clients."""

    game: str = "ur"
    rules: str
    markers: int
    loop: str
    seat: int  # the viewer
    phase: str
    turn: int | None  # the seat to roll or move
    roll: int | None  # the roll to move by
    first: int | None  # Black's opening roll while White's is due
    home: tuple[int, int]
    off: tuple[int, int]
    board: tuple[Marker, ...]
    winner: int | None


@cache
def shown_on(rules: str, loop: str, seat: int, step: int) -> str:
    """UR-1: return the space on which a seat's step is shown. `loop` sets the direction in the small block."""
    space = path(rules, seat)[step - 1]
    inside = rules == "ben" and 12 <= step <= 16
    return mirrored(space) if loop == "other" and inside else space


def space_of(t: Tables, seat: int, step: int) -> str:
    """Return the space on which a seat's step is shown in this game."""
    return shown_on(_RULES[t.rules], LOOPS[t.loop], seat, step)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def markers_of(t: Tables, s: State, seat: int) -> tuple[Marker, ...]:
    """Return the markers of a seat on the board, by step."""
    blanks, dotteds = (s.blank[seat], s.blank_twin[seat]), (s.dotted[seat], s.dotted_twin[seat])
    return _cached_markers(_RULES[t.rules], LOOPS[t.loop], seat, blanks, dotteds)


@lru_cache(maxsize=4096)
def _cached_markers(
    rules: str, loop: str, seat: int, blanks: tuple[int, int], dotteds: tuple[int, int]
) -> tuple[Marker, ...]:
    found = [(step, False) for mask in blanks for step in _bits(mask)]
    found += [(TURN_BACK - bit, True) for mask in dotteds for bit in _bits(mask)]
    return tuple(Marker(seat, dotted, step, shown_on(rules, loop, seat, step)) for step, dotted in sorted(found))


def view(t: Tables, s: State, seat: int) -> View:
    """Return the position as a seat sees it."""
    phase, turn, markers = s.phase, s.turn, t.markers
    black, white = markers_of(t, s, 0), markers_of(t, s, 1)
    off = s.off[0], s.off[1]
    return View(
        rules=_RULES[t.rules],
        markers=markers,
        loop=LOOPS[t.loop],
        seat=seat,
        phase=PHASES[phase],
        turn=None if phase == DONE else turn,
        roll=s.roll if phase in (MOVE, JUMP) else None,
        first=s.first if PHASES[phase] == "opening" and turn == 1 else None,
        home=(markers - off[0] - len(black), markers - off[1] - len(white)),
        off=off,
        board=black + white,
        winner=turn if phase == DONE else None,
    )


def views(t: Tables, s: State, seats: Iterable[int], actions: Sequence[int] | None) -> list[View]:
    """Return the views of several seats, which differ only in the seat."""
    public = view(t, s, NOBODY)
    return [replace(public, seat=seat) for seat in seats]
