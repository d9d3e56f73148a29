"""The board of Ur's heat maps."""

from __future__ import annotations

from quadriga.engine.parts.study import Picture
from quadriga.engine.text.svg import path
from quadriga.games.ur.board import SPACES
from quadriga.games.ur.state import Tables


def boards(t: Tables) -> dict[str, Picture]:
    """Return the board with the outline of each space."""
    from quadriga.games.ur.drawing.render_svg import SIZE, corner, render_svg

    outlines = {}
    for space in SPACES:
        x, y = corner(space)
        outlines[space] = path([(x, y), (x + SIZE, y), (x + SIZE, y + SIZE), (x, y + SIZE)], closed=True)
    return {"ur": Picture(render_svg(t), outlines)}
