"""Drawings of positions for pictures of a table. They show what a spectator sees, also after the game."""

from __future__ import annotations

from collections.abc import Iterable

from quadriga.engine.game import NOBODY
from quadriga.engine.match.match import Match
from quadriga.server.messages import finished
from quadriga.server.protocol.errors import RoomError
from quadriga.server.state.room_state import CLOSED, RoomState

_NEAR_THE_END = 0.9
FRAMES = 36  # of an animated picture
_LOOKED_AT = 150  # the last decisions of a game, of which those that change the board are drawn


def current(state: RoomState) -> Match:
    """Return a copy of the position of a running game. Raises RoomError if there is none to draw."""
    if state.session is None or state.status == CLOSED:
        raise RoomError("picture.none", 404)
    return state.session.match.clone()


def after(state: RoomState, step: int) -> Match:
    """Return the position after so many steps of a finished game, or its last one; before 0, one near its end.

    At the very end the board of a race is empty.
    """
    game = finished.replayed(state)
    last = game.total - 1
    return game.position_after(min(step, last) if step >= 0 else int(_NEAR_THE_END * last))


def drawing(match: Match) -> str:
    """Return a position as SVG, without words."""
    render = match.game.display.render_svg
    if render is None:
        raise RoomError("picture.none", 404)
    return render(match.t, match.view(NOBODY), [])


def last_part(state: RoomState) -> list[str]:
    """Return the end of a finished game as drawings, each different from the one before."""
    game = finished.replayed(state)
    decisions = [number for number, entry in enumerate(game.entries, 1) if not entry.chance]
    return _different(drawing(position) for position in game.positions_after(decisions[-_LOOKED_AT:]))[-FRAMES:]


def _different(drawings: Iterable[str]) -> list[str]:
    found: list[str] = []
    for each in drawings:
        if not found or found[-1] != each:
            found.append(each)
    return found
