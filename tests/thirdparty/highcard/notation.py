"""How High Card is written: `deal N`, `play N`, `pass` and `knock`; and its reaction window."""

from __future__ import annotations

from highcard.state import DEAL, PASS, PLAY, WINDOW, State, Tables
from quadriga.engine.game import NOBODY
from quadriga.engine.parts.display import OPEN, SILENT, VEILED


def text(t: Tables, s: State, action: int) -> str:
    """Return the notation of an action or of a card that is dealt."""
    if s.phase == WINDOW:
        return "pass" if action == PASS else "knock"
    return f"play {action}" if s.phase == PLAY else f"deal {action}"


def roller(t: Tables, s: State) -> int:
    """Return the seat that draws."""
    return s.turn


def section(t: Tables, s: State) -> dict[str, object] | None:
    """Return the heading of a trick."""
    return None if s.phase == DEAL else {"trick": s.trick + 1}


def secrecy(t: Tables, s: State, action: int) -> int:
    """Return who may read an action: nobody notices a pass, and only its owner sees a card that is dealt."""
    if s.phase == WINDOW and action == PASS:
        return SILENT
    return OPEN if s.phase in (PLAY, WINDOW) else VEILED


def window(t: Tables, s: State) -> str | None:
    """Return the window in which the actor is asked."""
    return "KN" if s.phase == WINDOW else None


def hides_actor(t: Tables, s: State) -> bool:
    """Return whether nobody may know which seat is asked: they would know who holds the highest card."""
    return s.phase == WINDOW


def mover(t: Tables, s: State) -> int:
    """Return the seat whose move others react to: a trick is nobody's."""
    return NOBODY


def trick(t: Tables, s: State) -> int:
    """Return the number of the trick."""
    return s.trick


def ask_all(t: Tables, every: bool) -> None:
    """Let the window ask every seat, so that nobody can tell by the time who holds the highest card."""
    t.ask_all = 1
