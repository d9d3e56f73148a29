"""What a seat may see of a game of Ur: everything; nothing is hidden, but the same door is used."""

from __future__ import annotations

from functools import cache

import msgspec

from quadriga.games.ur.board import LAST_BLANK, LOOPS, RULE_SETS, STEPS, TURN_BACK, mirrored, path
from quadriga.games.ur.rules.turn import at_home
from quadriga.games.ur.state import DONE, JUMP, MOVE, State, Tables

PHASES = ("opening", "jump", "roll", "move", "over")


class Marker(msgspec.Struct, frozen=True):
    """A marker on the board."""

    seat: int
    dotted: bool
    step: int
    space: str


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A position of Ur, ready for JSON."""

    game: str = "ur"
    rules: str
    markers: int
    loop: str
    seat: int  # who looks
    phase: str
    turn: int | None  # whose roll or move it is
    roll: int | None  # what is to be moved
    first: int | None  # Black's opening roll while White's is due
    home: tuple[int, int]
    off: tuple[int, int]
    board: list[Marker]
    winner: int | None


@cache
def shown_on(rules: str, loop: str, seat: int, step: int) -> str:
    """The space that a seat's step is shown on; `loop` turns the small block round (UR-1)."""
    space = path(rules, seat)[step - 1]
    inside = rules == "ben" and 12 <= step <= 16
    return mirrored(space) if loop == "other" and inside else space


def space_of(t: Tables, seat: int, step: int) -> str:
    """The space that a seat's step is shown on in this game."""
    return shown_on(list(RULE_SETS)[t.rules], LOOPS[t.loop], seat, step)


def standing(t: Tables, s: State, seat: int) -> list[Marker]:
    """A seat's markers on the board, by step."""
    found = []
    for step in range(1, STEPS + 1):
        bit = TURN_BACK - step
        blanks = (s.blank[seat] >> step & 1) + (s.blank_twin[seat] >> step & 1)
        dotteds = (s.dotted[seat] >> bit & 1) + (s.dotted_twin[seat] >> bit & 1) if bit <= LAST_BLANK else 0
        for dotted, number in ((False, blanks), (True, dotteds)):
            if number:
                found += [Marker(seat, dotted, step, space_of(t, seat, step))] * number
    return found


def view(t: Tables, s: State, seat: int) -> View:
    """The position as a seat sees it."""
    over = s.phase == DONE
    return View(
        rules=list(RULE_SETS)[t.rules],
        markers=t.markers,
        loop=LOOPS[t.loop],
        seat=seat,
        phase=PHASES[s.phase],
        turn=None if over else s.turn,
        roll=s.roll if s.phase in (MOVE, JUMP) else None,
        first=s.first if PHASES[s.phase] == "opening" and s.turn == 1 else None,
        home=(at_home(t, s, 0), at_home(t, s, 1)),
        off=(s.off[0], s.off[1]),
        board=standing(t, s, 0) + standing(t, s, 1),
        winner=s.turn if over else None,
    )
