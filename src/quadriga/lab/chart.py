"""A chart of a reviewed game: everybody's chance, decision by decision, as SVG."""

from __future__ import annotations

from quadriga.engine import svg
from quadriga.lab.review import Review

_COLOURS = ("#b03a2e", "#1f618d", "#1e8449", "#b7950b", "#6c3483", "#515a5a")
_WIDE, _HIGH, _EDGE = 900.0, 360.0, 40.0


def chart(found: Review, names: list[str], title: str) -> str:
    """A line a seat; a dot where something was lost, larger where it was more."""
    last = max((move.number for move in found.moves), default=1)

    def at(number: int, chance: float) -> svg.Point:
        across = _EDGE + (_WIDE - 2 * _EDGE) * number / last
        return across, _HIGH - _EDGE - (_HIGH - 2 * _EDGE) * min(max(chance, 0.0), 1.0)

    parts = [svg.element("rect", x=0, y=0, width=_WIDE, height=_HIGH, fill="#fffdf7")]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        left, right = at(0, share), at(last, share)
        parts.append(svg.element("path", d=svg.path([left, right]), stroke="#d5cfc0", fill="none"))
        label = svg.words(f"{share:.0%}")
        parts.append(svg.element("text", label, x=4, y=left[1] + 4, font_size=12, font_family="sans-serif"))
    for seat, name in enumerate(names):
        colour = _COLOURS[seat % len(_COLOURS)]
        own = [move for move in found.moves if move.seat == seat]
        points = [at(move.number, move.after) for move in own]
        if points:
            parts.append(svg.element("path", d=svg.path(points), stroke=colour, stroke_width=2, fill="none"))
        for move, (x, y) in zip(own, points, strict=True):
            if move.lost > 0.005:
                size = 2 + 40 * min(move.lost, 0.2)
                parts.append(svg.element("circle", cx=x, cy=y, r=size, fill=colour, fill_opacity="0.6"))
        place = _EDGE + 110.0 * seat
        parts.append(svg.element("text", svg.words(name), x=place, y=24, font_size=14, fill=colour))
    return svg.document(_WIDE, _HIGH, *parts, title=title)
