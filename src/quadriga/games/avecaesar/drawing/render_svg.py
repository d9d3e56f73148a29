"""Draw a course as SVG: stands, sand, walls with shadows, and Caesar beside the alley."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from quadriga.engine.text.svg import Point, document, element, inscription, path
from quadriga.games.avecaesar.board import Course
from quadriga.games.avecaesar.drawing.geometry import CourseShape, Line, shape
from quadriga.games.avecaesar.view import View

_SAND = "#e6cf9f"
_GROUND = "#c9a66b"
_STONE = "#efe6d2"
_SHADE = "#5b3a22"
_RED = "#9e2b25"  # of Pompeii
_BRONZE = "#8a6a2f"
_LAUREL = "#4f6b3a"
_ACCENTS = {"white": "#fbf7ec", "blue": "#2f5f9e", "yellow": "#e0b030", "red": _RED}
_CHARIOTS = ("#b3261e", "#2457a6", "#2e7d32", "#b28704", "#8e24aa", "#00838f")
_NUMERALS = ("I", "II", "III", "IV", "V", "VI")

_DEFS = """<defs>
<filter id="grain" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="0.9"
 numOctaves="2" seed="7"/><feColorMatrix values="0 0 0 0 0.35 0 0 0 0 0.22 0 0 0 0 0.1 0 0 0 0.55 -0.2"/></filter>
<pattern id="crowd" width="14" height="12" patternUnits="userSpaceOnUse" patternTransform="rotate(8)">
<rect width="14" height="12" fill="#d9cbb0"/><circle cx="3" cy="3" r="2" fill="#8c5a3c"/><circle cx="10" cy="4"
 r="2" fill="#6f7f5a"/><circle cx="6" cy="9" r="2" fill="#9c3f34"/><circle cx="13" cy="10" r="1.7" fill="#54616f"/>
</pattern></defs>"""


def render_svg(course: Course, seen: View | None = None, caption: Sequence[str] = ()) -> str:
    """Return the course as SVG, with the chariots and targets of a view, and lines of text below."""
    drawn, board = _board(course)
    pieces = _pieces(drawn, seen) if seen else []
    return document(drawn.width, drawn.height, *board, *pieces, title=f"Ave Caesar: {course.text}", caption=caption)


@lru_cache(maxsize=16)
def _board(course: Course) -> tuple[CourseShape, list[str]]:
    """Return the shape of a course and all that does not move. It takes most of a second, so it is kept."""
    drawn = shape(course)
    accent = _ACCENTS.get(course.name, _BRONZE)
    return drawn, [
        _DEFS,
        element("rect", width=drawn.width, height=drawn.height, fill=_GROUND),
        _stands(drawn),
        _sand(drawn),
        _infield(drawn, accent),
        _marks(drawn, course),
        _walls(drawn),
        _loge(drawn, accent),
        element("rect", width=drawn.width, height=drawn.height, filter="url(#grain)", opacity=0.55),
        _cartouche(drawn, course, accent),
    ]


def _pieces(drawn: CourseShape, seen: View) -> list[str]:
    """Draw the chariots with their letters, and on each target the cards that lead to it."""
    parts = []
    for chariot in seen.chariots:
        if chariot.space is not None and chariot.status != "out":
            x, y = drawn.spaces[chariot.space].centre
            colour = _CHARIOTS[chariot.seat]
            parts.append(element("circle", cx=x, cy=y, r=15, fill=colour, stroke=_SHADE, stroke_width=2.5))
            parts.append(inscription("ABCDEF"[chariot.seat], x, y, 19, "#ffffff"))
            if chariot.leads:
                parts.append(inscription("♔", x, y - 22, 18, _RED))
    for space in dict.fromkeys(move.space for move in seen.moves if move.space):
        x, y = drawn.spaces[space].centre
        cards = "".join(str(move.card) for move in seen.moves if move.space == space)
        ring = element("circle", cx=x, cy=y, r=14, fill="#ffffff", opacity=0.85, stroke=_LAUREL, stroke_width=3)
        parts += [ring, inscription(cards, x, y, 15, _SHADE)]
    return parts


def _stroke(line: Line, colour: str, width: float, closed: bool = False, **more: object) -> str:
    return element(
        "path",
        d=path(line, closed),
        fill="none",
        stroke=colour,
        stroke_width=width,
        stroke_linejoin="round",
        stroke_linecap="butt",
        **more,
    )


def _stands(drawn: CourseShape) -> str:
    """Draw the stands and spectators round the course."""
    steps = [
        _stroke(drawn.outer, _SHADE, 92.0, True, opacity=0.25, transform="translate(7 9)"),
        _stroke(drawn.outer, "#b9a27a", 92.0, True),
        _stroke(drawn.outer, "url(#crowd)", 84.0, True),
        _stroke(drawn.outer, _STONE, 38.0, True),
        _stroke(drawn.outer, "#cdbb98", 34.0, True, stroke_dasharray="22 3"),
        _stroke(drawn.outer, _STONE, 22.0, True),
    ]
    return element("g", *steps)


def _sand(drawn: CourseShape) -> str:
    """Draw the raked sand of the track."""
    combs = [_stroke(line, "#b8955a", 0.7, True, opacity=0.45) for line in drawn.combs]
    ground = element("path", d=path(drawn.outer, True), fill=_SAND)
    return element("g", ground, *combs)


def _infield(drawn: CourseShape, accent: str) -> str:
    """Draw the infield: grass, a kerb of stone, and monuments where there is room."""
    parts = [
        element("path", d=path(drawn.inner, True), fill="#b7b07a"),
        _stroke(drawn.inner, _LAUREL, 16.0, True, opacity=0.25),
    ]
    for number, (x, y, room) in enumerate(_clearings(drawn.inner)):
        size = min(room / 62, 1.6)
        monument = _obelisk(accent) if number % 2 == 0 else _turning_posts()
        parts.append(element("g", monument, transform=f"translate({x:.1f} {y:.1f}) scale({size:.2f})"))
    return element("g", *parts)


def _clearings(line: Line, most: int = 3) -> list[tuple[float, float, float]]:
    """Return points inside a closed line that are far from it and from each other, with their distance."""
    xs, ys = [p[0] for p in line], [p[1] for p in line]
    found: list[tuple[float, float, float]] = []
    candidates = []
    stride = max(12, int(max(max(xs) - min(xs), max(ys) - min(ys)) / 80))
    for x in range(int(min(xs)), int(max(xs)), stride):
        for y in range(int(min(ys)), int(max(ys)), stride):
            if _inside((x, y), line):
                candidates.append((min(math.dist((x, y), p) for p in line), float(x), float(y)))
    for room, east, south in sorted(candidates, reverse=True):
        if room > 30 and all(math.dist((east, south), (a, b)) > room + r for a, b, r in found):
            found.append((east, south, room))
            if len(found) == most:
                break
    return found


def _inside(point: Point, line: Line) -> bool:
    x, y = point
    odd = False
    for (x1, y1), (x2, y2) in zip(line, line[1:] + line[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            odd = not odd
    return odd


def _obelisk(accent: str) -> str:
    return "".join(
        (
            element("path", d="M-26 20L24 34L44 26L-4 12Z", fill=_SHADE, opacity=0.3),
            element("rect", x=-20, y=10, width=40, height=12, fill="#d8c8a8", stroke=_SHADE, stroke_width=1),
            element("rect", x=-13, y=2, width=26, height=9, fill=_STONE, stroke=_SHADE, stroke_width=1),
            element("path", d="M-8 2L-5 -46L0 -54L5 -46L8 2Z", fill="#d9a679", stroke=_SHADE, stroke_width=1),
            element("path", d="M1 -52L5 -46L8 2L2 2Z", fill=_SHADE, opacity=0.25),
            element("path", d="M-3 -36h5M-4 -26h6M-4 -16h7M-5 -6h8", stroke=_RED, stroke_width=1.6, fill="none"),
            element("circle", cx=0, cy=-57, r=3.4, fill=accent, stroke=_BRONZE, stroke_width=1.4),
        )
    )


def _turning_posts() -> str:
    """Draw the metae: three gilded cones on a base."""
    cones = "".join(
        element("path", d=f"M{x - 6} 8L{x} {-24 if x == 0 else -16}L{x + 6} 8Z", fill=fill, stroke=_SHADE)
        for x, fill in ((-12, "#c79a45"), (12, "#c79a45"), (0, "#dbb35c"))
    )
    shadow = element("path", d="M-20 16L22 26L36 20L0 8Z", fill=_SHADE, opacity=0.3)
    return shadow + element("ellipse", cx=0, cy=10, rx=25, ry=8, fill=_STONE, stroke=_SHADE) + cones


def _marks(drawn: CourseShape, course: Course) -> str:
    """Draw dividers as dashes, the finish as squares, the starts as numerals, and the direction by arrows."""
    parts = [_stroke(line, "#8f6b3c", 1.6, stroke_dasharray="6 5", opacity=0.8) for line in drawn.dashes]
    parts.append(_stroke(drawn.line, "#fffaf0", 9.0))
    parts.append(_stroke(drawn.line, _SHADE, 9.0, stroke_dasharray="5 5", opacity=0.85))
    back = 180 if course.direction == "ccw" else 0
    for numeral, text in zip(_NUMERALS, drawn.starts[course.direction], strict=False):
        space = drawn.spaces[text]
        x, y = space.centre
        parts.append(inscription(numeral, x, y, 13, _RED, space.heading))
    for text, space in drawn.spaces.items():
        segment, lane, j = text.split(".")
        if segment in course.plan.order[2:-2:4] and lane == j == "0":
            turn = f"translate({space.centre[0]} {space.centre[1]}) rotate({space.heading + back})"
            parts.append(
                element(
                    "path",
                    d="M-9 -5L3 -5L3 -10L13 0L3 10L3 5L-9 5Z",
                    fill=_BRONZE,
                    opacity=0.4,
                    transform=turn,
                )
            )
    return element("g", *parts)


def _walls(drawn: CourseShape) -> str:
    """Draw the stone walls with a short shadow. The light comes from the upper left."""
    lines = [(line, False) for line in drawn.walls] + [(drawn.outer, True), (drawn.inner, True)]
    layers: tuple[tuple[str, float, dict[str, object]], ...] = (
        (_SHADE, 7.0, {"opacity": 0.35, "transform": "translate(3 4)"}),
        (_SHADE, 7.0, {}),
        (_STONE, 4.4, {}),
        ("#ffffff", 1.2, {"opacity": 0.7, "transform": "translate(-0.8 -0.8)"}),
    )
    parts = [
        _stroke(line, colour, width, closed, **more) for colour, width, more in layers for line, closed in lines
    ]
    return element("g", *parts)


def _loge(drawn: CourseShape, accent: str) -> str:
    """Draw Caesar in the loge: steps, four columns, a gable and a canopy."""
    x, y = drawn.caesar
    columns = "".join(
        element("rect", x=cx, y=-16, width=6, height=32, fill=_STONE, stroke=_SHADE, stroke_width=0.8)
        for cx in (-39, -17, 11, 33)
    )
    parts = (
        element("path", d="M-44 20L52 20L60 30L-36 30Z", fill=_SHADE, opacity=0.35),
        element("rect", x=-48, y=16, width=96, height=6, fill="#d8c8a8", stroke=_SHADE, stroke_width=0.8),
        element("rect", x=-42, y=-16, width=84, height=32, fill=_RED),
        element("path", d="M-42 -16Q-21 -2 0 -16Q21 -2 42 -16L42 -10Q21 4 0 -10Q-21 4 -42 -10Z", fill="#c9a03f"),
        columns,
        element("path", d="M-50 -16L0 -40L50 -16Z", fill=_STONE, stroke=_SHADE, stroke_width=1),
        element("circle", cx=0, cy=-24, r=6, fill=accent, stroke=_BRONZE, stroke_width=2),
        element("circle", cx=0, cy=-2, r=5, fill="#e2b48c", stroke=_SHADE, stroke_width=0.7),
        element("path", d="M-6 -3Q-4 -9 0 -8Q4 -9 6 -3Q3 -7 0 -6Q-3 -7 -6 -3Z", fill=_LAUREL),
        element("path", d="M-9 16Q-9 3 0 4Q9 3 9 16Z", fill="#fbf7ec", stroke=_SHADE, stroke_width=0.7),
        element("path", d="M-5 5Q4 8 8 15L3 16Q0 9 -6 7Z", fill="#6b2a63"),
    )
    return element("g", *parts, transform=f"translate({x} {y}) rotate({drawn.caesar_heading})")


def _cartouche(drawn: CourseShape, course: Course, accent: str) -> str:
    """Draw the name of the course in the emptiest corner."""
    corners = [(x, y) for x in (124.0, drawn.width - 116) for y in (44.0, drawn.height - 40)]
    x, y = max(corners, key=lambda corner: min(math.dist(corner, p) for p in drawn.outer))
    arrow = "↻" if course.direction == "cw" else "↺"
    parts = (
        element("rect", x=x - 104, y=y - 24, width=208, height=48, rx=5, fill=_SHADE, opacity=0.3),
        element("rect", x=x - 108, y=y - 28, width=208, height=48, rx=5, fill=_STONE, stroke=_SHADE),
        element(
            "rect",
            x=x - 102,
            y=y - 22,
            width=196,
            height=36,
            rx=3,
            fill="none",
            stroke=accent,
            stroke_width=3,
        ),
        inscription(f"{course.name.upper()}  {arrow}", x - 4, y - 4, 22, _SHADE),
    )
    return element("g", *parts)
