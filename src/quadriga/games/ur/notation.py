"""The notation of Ur: `roll N`, and `FROM-TO` in steps of the mover's own path."""

from __future__ import annotations

from quadriga.engine.text.catalogues import Message
from quadriga.games.ur.state import BEN, JUMP, MOVE, State, Tables
from quadriga.games.ur.view import space_of


def text(t: Tables, s: State, action: int) -> str:
    """Return the notation of an action or a roll."""
    if s.phase in (MOVE, JUMP):
        return f"{action // 4}-{action // 4 + action % 4 + 1}"
    return f"roll {action}"


def target(t: Tables, s: State, action: int) -> str | None:
    """Return the space where a move ends, if it is on the board."""
    to = action // 4 + action % 4 + 1
    return None if s.phase not in (MOVE, JUMP) or to == t.off else space_of(t, s.turn, to)


def seat_name(t: Tables, seat: int) -> Message:
    """Return the name of a seat: Black or White under Ben's rules, else Light or Dark."""
    return Message(f"ur.seat.{seat}-{'ben' if t.rules == BEN else 'classic'}", {})


def roller(t: Tables, s: State) -> int:
    """Return the seat that rolls."""
    return s.turn
