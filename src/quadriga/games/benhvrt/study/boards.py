"""The board of Ben Hvrt's heat maps: the track."""

from __future__ import annotations

from quadriga.engine.parts.study import Picture
from quadriga.engine.text.svg import path
from quadriga.games.benhvrt.state import Tables


def boards(t: Tables) -> dict[str, Picture]:
    """Return the track with the outline of each square."""
    from quadriga.games.benhvrt.drawing.geometry import shape
    from quadriga.games.benhvrt.drawing.render_svg import render_svg

    outlines = {name: path(each.outline, closed=True) for name, each in shape(t.track).squares.items()}
    return {"track": Picture(render_svg(t.track), outlines)}
