"""The boards of Ave Caesar's heat maps: the courses that are raced."""

from __future__ import annotations

from quadriga.engine.parts.study import Picture
from quadriga.engine.text.svg import path
from quadriga.games.avecaesar.state import Tables


def boards(t: Tables) -> dict[str, Picture]:
    """Return every course with the outline of each space."""
    from quadriga.games.avecaesar.drawing.geometry import shape
    from quadriga.games.avecaesar.drawing.render_svg import render_svg

    found = {}
    for course in t.raced:
        outlines = {name: path(each.outline, closed=True) for name, each in shape(course).spaces.items()}
        found[course.text] = Picture(render_svg(course), outlines)
    return found
