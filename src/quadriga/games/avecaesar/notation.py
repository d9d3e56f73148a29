"""The notation of Ave Caesar: `cut N`, `draw N`, `CARD SPACE`, `CARD finish`, `bottom CARD`."""

from __future__ import annotations

from quadriga.engine.parts.display import OPEN, VEILED
from quadriga.games.avecaesar.board import Space
from quadriga.games.avecaesar.rules.moves import BOTTOMS, FINISH, SPAN
from quadriga.games.avecaesar.rules.turn import seat_to_act
from quadriga.games.avecaesar.state import BOTTOM, CUT, MOVE, State, Tables


def destination(t: Tables, s: State, action: int) -> Space | None:
    """Return the destination of a move of the player to move; None for the finish."""
    if action % SPAN == FINISH:
        return None
    spaces = t.raced[s.race].spaces
    return spaces[(s.space[s.order[s.at]] + action % SPAN) % len(spaces)]


def target(t: Tables, s: State, action: int) -> str | None:
    """Return the space where a move ends; None for the finish."""
    space = destination(t, s, action) if s.phase == MOVE else None
    return space.text if space else None


def text(t: Tables, s: State, action: int) -> str:
    """Return the notation of an action or an outcome."""
    if s.phase == MOVE:
        space = destination(t, s, action)
        return f"{action // SPAN + 1} {space.text if space else 'finish'}"
    if s.phase == BOTTOM:
        return f"bottom {action - BOTTOMS + 1}"
    return f"{'cut' if s.phase == CUT else 'draw'} {action}"


def name_outcome(t: Tables, s: State, action: int) -> str:
    """Return the card that is drawn."""
    return str(action)


def roller(t: Tables, s: State) -> int:
    """Return the seat that cuts or draws."""
    return seat_to_act(s)


def secrecy(t: Tables, s: State, action: int) -> int:
    """Return VEILED for a card that is drawn or put under a deck (AC-V2): only its owner may see it. Else OPEN."""
    return OPEN if s.phase in (MOVE, CUT) else VEILED


def section(t: Tables, s: State) -> dict[str, object]:
    """Return the heading of a race in a record."""
    course = t.raced[s.race]
    return {"race": s.race + 1, "course": course.name, "direction": course.direction}
