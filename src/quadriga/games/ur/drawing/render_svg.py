"""Draw the board of Ur as SVG: twenty inlaid spaces, and the markers of a view."""

from __future__ import annotations

import math
from collections.abc import Sequence

from quadriga.engine.text.svg import document, element, escape_text
from quadriga.games.ur.board import MOTIFS, RULE_SETS, SPACES, path
from quadriga.games.ur.state import Tables
from quadriga.games.ur.view import Marker, View, shown_on

SIZE = 84.0  # of a space
_MARGIN = 26.0
_WOOD = "#6b4226"
_SHELL = "#f3ead7"
_LAPIS = "#24477f"
_RED = "#a63a2c"
_INK = "#2c1d10"
_DARK = ("#26221f", "#f3ead7")  # marker and dots
_LIGHT = ("#fbf8f1", "#26221f")


def render_svg(t: Tables, seen: View | None = None, caption: Sequence[str] = ()) -> str:
    """Return the board as SVG, with the markers of a view and the steps of the seat to move, and lines below."""
    width, height = 8 * SIZE + 2 * _MARGIN, 3 * SIZE + 2 * _MARGIN
    parts = [element("rect", width=width, height=height, rx=14, fill=_WOOD)]
    for space in SPACES:
        parts.append(_space(space))
    if seen:
        parts += [_steps(space, text) for space, text in _labels(seen).items()]
        for space in dict.fromkeys(marker.space for marker in seen.board):
            here = [marker for marker in seen.board if marker.space == space]
            parts += _markers(space, here, RULE_SETS[seen.rules].dark_seat)
    return document(width, height, *parts, title="Ur", caption=caption)


def corner(space: str) -> tuple[float, float]:
    """Return the upper left corner of a space."""
    return _MARGIN + (int(space[1]) - 1) * SIZE, _MARGIN + "ABC".index(space[0]) * SIZE


def _space(space: str) -> str:
    """Draw a space with its inlay."""
    x, y = corner(space)
    ground = element("rect", x=1, y=1, width=SIZE - 2, height=SIZE - 2, rx=5, fill=_SHELL, stroke=_INK)
    frame = element(
        "rect", x=7, y=7, width=SIZE - 14, height=SIZE - 14, rx=3, fill="none", stroke=_LAPIS, stroke_width=3
    )
    return element("g", ground, frame, *_inlay(MOTIFS[space]), transform=f"translate({x} {y})")


def _inlay(motif: str) -> list[str]:
    middle = SIZE / 2
    corners = [(middle + dx * 19, middle + dy * 19) for dx in (-1, 1) for dy in (-1, 1)]
    if motif == "rosette":
        petals = [
            element(
                "ellipse", cx=0, cy=-17, rx=7, ry=13, fill=_RED if n % 2 else _LAPIS, transform=f"rotate({45 * n})"
            )
            for n in range(8)
        ]
        core = element("circle", cx=0, cy=0, r=6, fill="#d9b04a", stroke=_INK)
        return [element("g", *petals, core, transform=f"translate({middle} {middle})")]
    if motif == "eyes":
        return [
            element("circle", cx=x, cy=y, r=9, fill="none", stroke=_LAPIS, stroke_width=3)
            + element("circle", cx=x, cy=y, r=3, fill=_RED)
            for x, y in corners
        ]
    if motif == "holes":
        return [element("circle", cx=x, cy=y, r=6, fill=_LAPIS) for x, y in [*corners, (middle, middle)]]
    if motif == "squares":
        return [element("rect", x=x - 10, y=y - 10, width=20, height=20, fill=_LAPIS) for x, y in corners]
    if motif == "passage":
        teeth = "".join(f"l{(SIZE - 28) / 8:.1f} {(-12, 12)[n % 2]}" for n in range(8))
        return [
            element("path", d=f"M14 {y}{teeth}", fill="none", stroke=_RED, stroke_width=4)
            for y in (30.0, SIZE - 18)
        ]
    arrows = "M20 26h40l-9 -8M60 26l-9 8M64 58h-40l9 -8M24 58l9 8"
    return [element("path", d=arrows, fill="none", stroke="#3d6b3a", stroke_width=4)]


def _labels(seen: View) -> dict[str, str]:
    """Return the steps of the seat to move, by space."""
    seat = seen.turn if seen.turn is not None else seen.winner or 0
    steps: dict[str, list[str]] = {}
    for step in range(1, len(path(seen.rules, seat)) + 1):
        steps.setdefault(shown_on(seen.rules, seen.loop, seat, step), []).append(str(step))
    return {space: "·".join(numbers) for space, numbers in steps.items()}


def _steps(space: str, text: str) -> str:
    x, y = corner(space)
    halo = {"stroke": _SHELL, "stroke_width": 4, "paint_order": "stroke"}  # keeps the steps legible on the inlay
    font = {"font_size": 13, "font_family": "sans-serif", "fill": _INK}
    return element("text", escape_text(text), x=x + 11, y=y + 21, **font, **halo)


def _markers(space: str, here: list[Marker], dark_seat: int) -> list[str]:
    """Draw the markers on a space, side by side; a dotted one has five dots."""
    x, y = corner(space)
    parts = []
    for number, marker in enumerate(here):
        paint, dots = _DARK if marker.seat == dark_seat else _LIGHT
        radius = 25.0 if len(here) == 1 else 17.0
        cx = x + SIZE / 2 + (number - (len(here) - 1) / 2) * 2.1 * radius
        cy = y + SIZE / 2 + 4
        parts.append(element("circle", cx=cx, cy=cy, r=radius, fill=paint, stroke=_INK, stroke_width=3))
        for turn in range(5) if marker.dotted else ():
            angle = 2 * math.pi * turn / 5 - math.pi / 2
            dx, dy = 0.5 * radius * math.cos(angle), 0.5 * radius * math.sin(angle)
            parts.append(element("circle", cx=cx + dx, cy=cy + dy, r=radius / 8, fill=dots))
    return parts
