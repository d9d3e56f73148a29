"""Draw the track of Ben Hvrt as SVG, in the style of a woodcut."""

from __future__ import annotations

from collections.abc import Sequence

from quadriga.engine.text.svg import document, element, inscription, path
from quadriga.games.benhvrt.board import LETTERS, Track
from quadriga.games.benhvrt.drawing.geometry import LANE, TrackShape, shape
from quadriga.games.benhvrt.drawing.render_text import mark
from quadriga.games.benhvrt.view_types import View

_SAND = "#e9cf96"
_DARK = "#dcbd7c"
_GROUND = "#b98d4f"
_INK = "#3a2413"
_RED = "#9e2b25"
_STONE = "#efe6d2"
_GOLD = "#c9962f"
_GREEN = "#6d7a45"
_CHARIOTS = (  # by seat: paint and ink
    *(("#b3261e", "#fff"), ("#2457a6", "#fff"), ("#2e7d32", "#fff"), ("#e0b030", "#000"), ("#8e24aa", "#fff")),
    *(("#26a5a5", "#000"), ("#f4f4f4", "#000"), ("#f08080", "#000"), ("#8ab4f8", "#000"), ("#9ccc65", "#000")),
    *(("#fff176", "#000"), ("#e69be6", "#000")),
)

_DEFS = """<defs>
<pattern id="planks" width="90" height="26" patternUnits="userSpaceOnUse"><rect width="90" height="26"
 fill="#b98d4f"/><path d="M0 25.5H90M30 0V13M74 13V26" stroke="#a0763c" stroke-width="1.4"/></pattern>
<pattern id="people" width="22" height="20" patternUnits="userSpaceOnUse"><rect width="22" height="20"
 fill="#7d4a2c"/><circle cx="5" cy="6" r="3.4" fill="#e8c9a0"/><circle cx="16" cy="8" r="3.4" fill="#d9ad80"/>
<path d="M1 20Q5 8 9 20ZM12 22Q16 10 20 22Z" fill="#c9a24a"/></pattern>
<filter id="cut" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise"
 baseFrequency="0.02 0.7" numOctaves="2" seed="3"/><feColorMatrix values="0 0 0 0 0.2 0 0 0 0 0.12 0 0 0 0 0.05 0
 0 0 0.5 -0.22"/></filter></defs>"""


def render_svg(track: Track, seen: View | None = None, caption: Sequence[str] = ()) -> str:
    """Return the track as SVG, with the chariots and targets of a view, and lines of text below."""
    drawn = shape(track)
    return document(
        drawn.width,
        drawn.height,
        _DEFS,
        element("rect", width=drawn.width, height=drawn.height, fill="url(#planks)"),
        _stands(drawn),
        _squares(drawn, track),
        _spina(drawn),
        _line(drawn),
        _grid(drawn),
        _arrows(drawn, track),
        element("rect", width=drawn.width, height=drawn.height, filter="url(#cut)", opacity=0.5),
        *(_pieces(drawn, seen) if seen else ()),
        title="Ben Hvrt",
        caption=caption,
    )


def _pieces(drawn: TrackShape, seen: View) -> list[str]:
    """Draw the chariots as dice with their Speed and their players' emblems, and number the targets."""
    parts = []
    for chariot in seen.chariots:
        if chariot.square is not None:
            x, y = drawn.squares[chariot.square].centre
            fill, ink = _CHARIOTS[chariot.seat]
            body = element(
                "rect", x=x - 19, y=y - 17, width=38, height=34, rx=7, fill=fill, stroke=_INK, stroke_width=3
            )
            parts += [body, inscription(f"{mark(chariot)}{chariot.speed}", x, y, 19, ink)]
    for number, square in enumerate(seen.targets, 1):
        x, y = drawn.squares[square].centre
        ring = element("circle", cx=x, cy=y, r=14, fill="#ffffff", opacity=0.85, stroke=_RED, stroke_width=3)
        parts += [ring, inscription(str(number), x, y, 16, _INK)]
    return parts


def _edge(drawn: TrackShape, radius: float) -> str:
    """Return the path at a distance from the centres of the arcs."""
    parts: list[str] = []
    for corner in drawn.corners:
        (x, y), (dx, dy), (ex, ey) = corner.centre, corner.start, corner.end
        parts.append(
            f"{'L' if parts else 'M'}{x + radius * dx:.1f} {y + radius * dy:.1f}"
            f"A{radius:.1f} {radius:.1f} 0 0 0 {x + radius * ex:.1f} {y + radius * ey:.1f}"
        )
    return "".join(parts) + "Z"


def _stands(drawn: TrackShape) -> str:
    return element(
        "g",
        element("path", d=_edge(drawn, drawn.outer + 62), fill=_INK, opacity=0.3, transform="translate(8 10)"),
        element("path", d=_edge(drawn, drawn.outer + 62), fill="url(#people)", stroke=_INK, stroke_width=5),
        element("path", d=_edge(drawn, drawn.outer + 20), fill=_STONE, stroke=_INK, stroke_width=4),
        element(
            "path",
            d=_edge(drawn, drawn.outer + 11),
            fill="none",
            stroke=_RED,
            stroke_width=7,
            stroke_dasharray="26 12",
        ),
    )


def _squares(drawn: TrackShape, track: Track) -> str:
    """Draw every square in two tones of sand, with outlines."""
    parts = [element("path", d=_edge(drawn, drawn.outer), fill=_SAND)]
    for square in track.squares:
        tone = _SAND if (square.lane + square.index) % 2 else _DARK
        outline = drawn.squares[square.text].outline
        parts.append(
            element(
                "path", d=path(outline, True), fill=tone, stroke=_INK, stroke_width=1.6, stroke_linejoin="round"
            )
        )
    for lane in range(track.lane_count + 1):
        heavy = 5.0 if lane in (0, track.lane_count) else 2.6
        radius = drawn.inner + LANE * lane
        parts.append(element("path", d=_edge(drawn, radius), fill="none", stroke=_INK, stroke_width=heavy))
    return element("g", *parts)


def _spina(drawn: TrackShape) -> str:
    """Draw the middle: a lawn, the bowl for the pot, and two dice on wheels."""
    x, y = drawn.centre
    half = x - min(corner.centre[0] for corner in drawn.corners)
    reach = min(max(half - 10, drawn.inner - 60), 145)  # the dice stand on the lawn, whatever its shape
    lawn = element("path", d=_edge(drawn, drawn.inner), fill=_GREEN, stroke=_INK, stroke_width=5)
    hatch = element(
        "path",
        d=_edge(drawn, drawn.inner - 14),
        fill="none",
        stroke=_INK,
        stroke_width=1.4,
        stroke_dasharray="3 9",
        opacity=0.6,
    )
    return element(
        "g",
        lawn,
        hatch,
        _bowl(x, y),
        _die(x - reach, y, 5, _RED),
        _die(x + reach, y, 6, "#2f5f9e"),
        inscription("BEN HVRT", x, y - 58, 30, _INK),
    )


def _bowl(x: float, y: float) -> str:
    coins = "".join(
        element("ellipse", cx=x + dx, cy=y - 6 + dy, rx=13, ry=6, fill=_GOLD, stroke=_INK, stroke_width=1.6)
        for dx, dy in ((-34, 2), (30, 2), (-14, -4), (14, -4), (0, 3), (-2, -10))
    )
    bowl = f"M{x - 62} {y - 4}Q{x} {y + 74} {x + 62} {y - 4}Q{x} {y + 16} {x - 62} {y - 4}Z"
    return (
        element("ellipse", cx=x + 8, cy=y + 40, rx=52, ry=10, fill=_INK, opacity=0.3)
        + element("ellipse", cx=x, cy=y - 4, rx=62, ry=14, fill="#7d4a2c", stroke=_INK, stroke_width=3)
        + coins
        + element("path", d=bowl, fill="#a5652f", stroke=_INK, stroke_width=3)
        + element(
            "path",
            d=f"M{x - 44} {y + 14}Q{x} {y + 46} {x + 44} {y + 14}",
            fill="none",
            stroke=_GOLD,
            stroke_width=3,
        )
    )


_PIPS = {5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)), 6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1))}


def _die(x: float, y: float, face: int, colour: str) -> str:
    pips = "".join(element("circle", cx=10 * dx, cy=10 * dy, r=3.6, fill=_STONE) for dx, dy in _PIPS[face])
    body = element("rect", x=-20, y=-20, width=40, height=40, rx=6, fill=colour, stroke=_INK, stroke_width=3)
    wheels = "".join(
        element("circle", cx=dx, cy=24, r=9, fill="#7d4a2c", stroke=_INK, stroke_width=2.6)
        + element("path", d=f"M{dx - 8} 24h16M{dx} 16v16", stroke=_INK, stroke_width=1.4)
        for dx in (-13, 13)
    )
    return element("g", wheels, body, pips, transform=f"translate({x} {y}) rotate(-6)")


def _line(drawn: TrackShape) -> str:
    """Draw the Finish Line."""
    line = path(drawn.line)
    return element("path", d=line, stroke=_STONE, stroke_width=10, fill="none") + element(
        "path", d=line, stroke=_INK, stroke_width=10, stroke_dasharray="7.7 7.7", fill="none"
    )


def _grid(drawn: TrackShape) -> str:
    return element(
        "g",
        *(
            inscription(letter, *drawn.squares[square].centre, 20, _INK)
            for letter, square in zip(LETTERS, drawn.grid, strict=False)
        ),
    )


def _arrows(drawn: TrackShape, track: Track) -> str:
    """Draw arrows for the driving direction half way round."""
    parts = []
    for lane in track.lanes:
        square = drawn.squares[lane[(len(lane) - 1) // 2].text]
        turn = f"translate({square.centre[0]} {square.centre[1]}) rotate({square.heading})"
        parts.append(
            element("path", d="M-12 -5L4 -5L4 -11L15 0L4 11L4 5L-12 5Z", fill=_RED, opacity=0.55, transform=turn)
        )
    return element("g", *parts)
