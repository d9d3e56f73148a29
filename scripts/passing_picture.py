"""Draw docs/images/passing.svg: what passing means in Ben Hvrt (BH-6.9), played on the engine.

Run it when the track, the drawing or the rule has changed; a test compares the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from quadriga.engine.match.match import Match
from quadriga.engine.text.svg import document, element, escape_text, inscription, path
from quadriga.games import find
from quadriga.games.benhvrt.drawing.geometry import TrackShape, shape
from quadriga.games.benhvrt.learn.positions import place
from quadriga.games.benhvrt.names import lap_name
from quadriga.games.benhvrt.state import State, Tables
from quadriga.games.benhvrt.track_file import own_track

PICTURE = Path(__file__).parent.parent / "docs" / "images" / "passing.svg"
WIDE, HIGH, ROOM = 560.0, 300.0, 56.0  # a panel, and the room for its text
INK, RED, GROUND = "#3a2413", "#9e2b25", "#f6efe0"
SAND = ("#e9cf96", "#dcbd7c")
PAINT = (("#b3261e", "#fff"), ("#2457a6", "#fff"), ("#2e7d32", "#fff"), ("#e0b030", "#000"))


@dataclass(frozen=True)
class Panel:
    """A move: where the chariots are, by square and lap, and the squares that chariot 0 drives to."""

    title: str
    text: str
    chariots: tuple[tuple[str, int], ...]
    steps: tuple[str, ...]


PANELS = (
    Panel(
        "1. After each step",
        "The mover is level with blue at step 2, with green at step 3: both are passed.",
        (("2.8", 1), ("1.8", 1), ("3.13", 1)),
        ("2.9", "2.10", "2.11"),
    ),
    Panel(
        "2. Not where the move begins",
        "Blue and green are level at the start, then behind and no more beside: nobody is passed.",
        (("2.9", 1), ("1.7", 1), ("3.11", 1)),
        ("2.10", "2.11"),
    ),
    Panel(
        "3. Laps do not matter",
        "Blue is a lap ahead. On the board it is overtaken all the same, at step 1.",
        (("1.7", 1), ("2.10", 2)),
        ("1.8", "1.9"),
    ),
    Panel(
        "4. Once per target and move",
        "Step 1 passes blue. Step 3 comes back to its side: it is not passed again.",
        (("2.3", 1), ("1.3", 1)),
        ("2.4", "3.5", "2.4"),
    ),
)


def played(panel: Panel) -> list[set[int]]:
    """Play a panel on the engine; return the chariots that each step passes."""
    game = find("ben-hvrt")
    match = Match(game, {"series": [3], "chariots": 1}, 4)
    t, s = match.t, match.s
    assert isinstance(t, Tables)
    assert isinstance(s, State)
    chariots = [{"square": square, "lap": lap, "speed": 3} for square, lap in panel.chariots]
    others = list(range(1, len(chariots)))
    place(t, s, {"stage": "race", "laps": 3, "chariots": chariots, "moved": others})
    match.start_here()
    match.happen("die 3")
    found, before = [], 0
    for square in panel.steps:
        match.play(f"step {square}")
        fresh = s.passed & ~before
        found.append({chariot for chariot in others if fresh >> chariot & 1})
        before = s.passed
    return found


def drawn(panel: Panel, track: TrackShape, passed: list[set[int]]) -> str:
    """Return a panel: the squares around the move, the chariots, the way, and who is passed at which step."""
    way = [track.squares[square].centre for square in (panel.chariots[0][0], *panel.steps)]
    places = [*way, *(track.squares[square].centre for square, _ in panel.chariots)]
    x, y = (sum(each[axis] for each in places) / len(places) for axis in (0, 1))
    left, top = x - WIDE / 2, y - HIGH / 2
    parts = []
    for text, drawn_square in track.squares.items():
        if not any(left < px < left + WIDE and top < py < top + HIGH for px, py in drawn_square.outline):
            continue
        lane, index = map(int, text.split("."))
        tone = SAND[(lane + index) % 2]
        parts.append(element("path", d=path(drawn_square.outline, True), fill=tone, stroke=INK, stroke_width=1.6))
    parts.append(element("path", d=path(way), fill="none", stroke=RED, stroke_width=4, stroke_dasharray="3 8"))
    for number, (square, lap) in enumerate(panel.chariots):
        parts.append(_chariot(number, lap, *track.squares[square].centre))
    for step, ((cx, cy), targets) in enumerate(zip(way[1:], passed, strict=True), 1):
        dx = 13.0 if panel.steps.count(panel.steps[step - 1]) > 1 else 0.0  # two steps on one square
        cx += dx if step == len(passed) else -dx
        parts.append(
            element("circle", cx=cx, cy=cy, r=12, fill=RED if targets else "#fff", stroke=RED, stroke_width=3)
        )
        parts.append(inscription(str(step), cx, cy, 15, "#fff" if targets else INK))
        for chariot in targets:
            tx, ty = track.squares[panel.chariots[chariot][0]].centre
            parts.append(element("circle", cx=tx, cy=ty, r=29, fill="none", stroke=RED, stroke_width=5))
    box = f"{left:.1f} {top:.1f} {WIDE} {HIGH}"
    return element("svg", *parts, x=0, y=ROOM, width=WIDE, height=HIGH, viewBox=box)


def _chariot(number: int, lap: int, x: float, y: float) -> str:
    fill, ink = PAINT[number]
    body = element("rect", x=x - 19, y=y - 17, width=38, height=34, rx=7, fill=fill, stroke=INK, stroke_width=3)
    return body + inscription(lap_name(lap), x, y, 17, ink)


def picture() -> str:
    """Return the whole picture."""
    track = shape(own_track())
    parts = [element("rect", width=2 * WIDE, height=2 * (HIGH + ROOM), fill=GROUND)]
    for number, panel in enumerate(PANELS):
        title = element("text", escape_text(panel.title), x=10, y=22, font_size=18, font_weight=700, fill=INK)
        text = element("text", escape_text(panel.text), x=10, y=44, font_size=13.5, fill=INK)
        where = f"translate({number % 2 * WIDE:.0f} {number // 2 * (HIGH + ROOM):.0f})"
        drawing = drawn(panel, track, played(panel))
        parts.append(element("g", title, text, drawing, transform=where, font_family="sans-serif"))
    return document(2 * WIDE, 2 * (HIGH + ROOM), *parts, title="Passing in Ben Hvrt (BH-6.9)")


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
