"""Draw a chart of a reviewed game: the chance of every seat, decision by decision, as SVG or PNG."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from quadriga.engine.errors import OptionError
from quadriga.engine.text import svg
from quadriga.lab.review.raster import Raster
from quadriga.lab.review.review import SLIP, Review

_COLOURS = ("#b03a2e", "#1f618d", "#1e8449", "#b7950b", "#6c3483", "#515a5a", "#b9770e", "#117a65")
_GROUND, _GRID, _INK = "#fffdf7", "#d5cfc0", "#4a4436"
_WIDE, _HIGH, _EDGE, _TOP = 900.0, 360.0, 40.0, 56.0
SUFFIXES = (".svg", ".png")


class Line(NamedTuple):
    """A line through points."""

    points: list[svg.Point]
    ink: str
    thick: float


class Dot(NamedTuple):
    """A disc."""

    x: float
    y: float
    radius: float
    ink: str


class Label(NamedTuple):
    """A text."""

    x: float
    y: float
    text: str
    size: float
    ink: str


def chart_suffix(path: str) -> str:
    """Return the suffix of a chart file; raise OptionError for a format that cannot be written."""
    reviewed = Path(path).suffix.lower()
    if reviewed not in SUFFIXES:
        raise OptionError("option.value", name="--chart", value=path, allowed="FILE.svg | FILE.png")
    return reviewed


def _marks(reviewed: Review, names: list[str], title: str) -> list[Line | Dot | Label]:
    """Return a line for each seat that ends at its result, and a dot at each mistake, larger the more was lost."""
    last = max(reviewed.entries, 1)

    def at(number: int, chance: float) -> svg.Point:
        across = _EDGE + (_WIDE - 2 * _EDGE) * number / last
        return across, _HIGH - _EDGE - (_HIGH - _EDGE - _TOP) * min(max(chance, 0.0), 1.0)

    marks: list[Line | Dot | Label] = [Label(_EDGE, 20, title, 15, _INK)]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        left, right = at(0, share), at(last, share)
        marks.append(Line([left, right], _GRID, 1))
        marks.append(Label(4, left[1] + 4, f"{share:.0%}", 11, _INK))
    for seat, name in enumerate(names):
        ink = _COLOURS[seat % len(_COLOURS)]
        points = [
            at(0, reviewed.sides[seat].start),
            *(at(move.number, move.chances[seat]) for move in reviewed.moves),
            at(last, reviewed.sides[seat].result),
        ]
        marks.append(Line(points, ink, 2))
        for move in reviewed.moves:
            if move.seat == seat and move.lost >= SLIP:
                marks.append(Dot(*at(move.number, move.chances[seat]), 2 + 40 * min(move.lost, 0.2), ink))
        place = _EDGE + (_WIDE - 2 * _EDGE) / max(len(names), 6) * seat
        marks.append(Label(place, 42, name, 13, ink))
    return marks


def chart(reviewed: Review, names: list[str], title: str) -> str:
    """Return the chart as SVG."""
    parts = [svg.element("rect", x=0, y=0, width=_WIDE, height=_HIGH, fill=_GROUND)]
    for mark in _marks(reviewed, names, title):
        if isinstance(mark, Line):
            d = svg.path(mark.points)
            parts.append(svg.element("path", d=d, stroke=mark.ink, stroke_width=mark.thick, fill="none"))
        elif isinstance(mark, Dot):
            parts.append(
                svg.element("circle", cx=mark.x, cy=mark.y, r=mark.radius, fill=mark.ink, fill_opacity="0.6")
            )
        else:
            style = {"font_size": mark.size, "font_family": "sans-serif", "fill": mark.ink}
            parts.append(svg.element("text", svg.escape_text(mark.text), x=mark.x, y=mark.y, **style))
    return svg.document(_WIDE, _HIGH, *parts, title=title)


def pixels(reviewed: Review, names: list[str], title: str) -> bytes:
    """Return the chart as PNG."""
    sheet = Raster(_WIDE, _HIGH, _GROUND)
    for mark in _marks(reviewed, names, title):
        if isinstance(mark, Line):
            sheet.line(mark.points, mark.ink, mark.thick)
        elif isinstance(mark, Dot):
            sheet.dot(mark.x, mark.y, mark.radius, mark.ink, 0.6)
        else:
            sheet.text(mark.text, mark.x, mark.y, mark.size, mark.ink)
    return sheet.png()


def chart_file(reviewed: Review, names: list[str], title: str, path: str) -> bytes:
    """Return the content of a chart's file in the format of its suffix."""
    return (
        pixels(reviewed, names, title) if chart_suffix(path) == ".png" else chart(reviewed, names, title).encode()
    )
