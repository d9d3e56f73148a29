"""The shape of a track of Ben Hvrt: straights, arcs, and every square as a polygon.

Curves in a row are one bend. All bends turn by the same angle: two make an oval, four a rectangle with round
corners. Opposite sides are equally long, or all sides if their number is odd, so that the track closes. A track
with fewer than two bends is drawn as a ring.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import msgspec

from quadriga.games.benhvrt.board import Square, Track

Point = tuple[float, float]
Line = list[Point]

LANE = 46.0  # the width of a lane
INNER = 96.0  # the radius of the innermost edge in a bend
CELL = 62.0  # the least length of a straight square
_MARGIN = 96.0
_ARC_POINTS = 8  # of a square's edge in a bend


class SquareShape(msgspec.Struct, frozen=True):
    """The shape of a square."""

    outline: Line
    centre: Point
    heading: float  # in degrees, 0 to the right and 90 down


class Corner(msgspec.Struct, frozen=True):
    """An arc of an edge: its centre and the directions of its ends. Straight lines join the arcs of an edge."""

    centre: Point
    start: Point
    end: Point


class TrackShape(msgspec.Struct, frozen=True, kw_only=True):
    """The shape of a track, as it is sent to clients."""

    width: float
    height: float
    squares: dict[str, SquareShape]
    line: Line
    grid: list[str]
    outer: float  # radii of the two edges
    inner: float
    corners: list[Corner]
    centre: Point


@dataclass(frozen=True)
class _Piece:
    """A side or a bend, from a point of the innermost edge on. Numbers are complex, with the y axis upward."""

    start: complex
    heading: complex
    sections: list[int]
    length: float  # of a side; 0 for a bend
    turn: float  # of a bend, in radians; 0 for a side
    radius: float

    @property
    def centre(self) -> complex:
        """Return the centre of a bend."""
        return self.start + self.radius * 1j * self.heading

    def at(self, along: float, offset: float) -> tuple[complex, complex]:
        """Return a point, 0 to 1 along and so far from the innermost edge, and the heading there."""
        heading = self.heading * cmath.rect(1, self.turn * along)
        if self.turn:
            return self.centre - (self.radius + offset) * 1j * heading, heading
        return self.start + self.length * along * heading - offset * 1j * heading, heading


class Layout:
    """The place of every section: the side with the Finish Line below, then on to the right and upward."""

    def __init__(self, track: Track) -> None:
        self.track = track
        runs = _runs(track)
        bends = sum(track.sections[run[0]].is_curve for run in runs)
        self.pieces = _polygon(track, runs) if bends > 1 else [_ring(track)]
        self.radius = self.pieces[-1].radius
        self.outer = self.radius + LANE * track.lane_count
        self.shares: dict[int, tuple[_Piece, float, float]] = {}
        for piece in self.pieces:
            self._share(piece)
        arcs = [piece.centre for piece in self.pieces if piece.turn]
        reach = self.outer + _MARGIN
        self.left, self.top = min(c.real for c in arcs) - reach, max(c.imag for c in arcs) + reach
        self.width = max(c.real for c in arcs) + reach - self.left
        self.height = self.top - min(c.imag for c in arcs) + reach
        self.centre = self.point(sum(arcs) / len(arcs))

    def _share(self, piece: _Piece) -> None:
        """Divide a piece between its sections: a bend by their lengths, everything else by their squares."""
        sections = self.track.sections
        is_bend = piece.turn and all(sections[each].is_curve for each in piece.sections)
        sizes = [sections[each].length if is_bend else max(sections[each].squares) for each in piece.sections]
        end = 0
        for number, size in zip(piece.sections, sizes, strict=True):
            self.shares[number] = piece, end / sum(sizes), (end + size) / sum(sizes)
            end += size

    def point(self, place: complex) -> Point:
        """Return a point of the picture, whose y axis is downward."""
        return round(place.real - self.left, 1), round(self.top - place.imag, 1)

    def at(self, section: int, along: float, offset: float) -> tuple[Point, float]:
        """Return a point of a section, and the heading there in degrees."""
        piece, first, last = self.shares[section]
        place, heading = piece.at(first + (last - first) * along, offset)
        return self.point(place), round(-math.degrees(cmath.phase(heading)) % 360, 1) % 360

    def shape(self, square: Square) -> SquareShape:
        """Return the shape of a square between the edges of its lane."""
        section, index = self.track.section_of(square)
        count = self.track.sections[section].squares[square.lane - 1]
        near = LANE * (square.lane - 1)
        steps = _ARC_POINTS if self.shares[section][0].turn else 1
        places = [(index + k / steps) / count for k in range(steps + 1)]
        inside = [self.at(section, place, near)[0] for place in places]
        outside = [self.at(section, place, near + LANE)[0] for place in places]
        return SquareShape(outside + inside[::-1], *self.at(section, (index + 0.5) / count, near + LANE / 2))

    def corners(self) -> list[Corner]:
        """Return the arcs of an edge, each of at most half a turn."""
        found = []
        for piece in self.pieces:
            parts = math.ceil(round(piece.turn / math.pi, 6))
            for part in range(parts):
                ends = [piece.heading * cmath.rect(1, piece.turn * (part + k) / parts) for k in (0, 1)]
                start, end = (_direction(-1j * heading) for heading in ends)
                found.append(Corner(self.point(piece.centre), start, end))
        return found


def _direction(outward: complex) -> Point:
    return round(outward.real, 4), round(-outward.imag, 4)


def _runs(track: Track) -> list[list[int]]:
    """Return the sections in runs of straights and of curves, round the track.

    The first run is the side with the Finish Line or, if the line is in a bend, the side after it.
    """
    runs: list[list[int]] = []
    for number, section in enumerate(track.sections):
        if not runs or track.sections[runs[-1][0]].is_curve != section.is_curve:
            runs.append([])
        runs[-1].append(number)
    if len(runs) > 1 and track.sections[0].is_curve == track.sections[-1].is_curve:
        runs[0] = runs.pop() + runs[0]
    if track.sections[runs[0][0]].is_curve:
        runs = (
            [runs[-1], *runs[:-1]]
            if track.sections[0].is_curve != track.sections[-1].is_curve
            else runs[1:] + runs[:1]
        )
    return runs


def _polygon(track: Track, runs: list[list[int]]) -> list[_Piece]:
    """Return sides and bends in turn, beginning with a side."""
    wanted = [CELL * sum(max(track.sections[each].squares) for each in run) for run in runs[::2]]
    count = len(wanted)
    lengths = [max(wanted)] * count
    if count % 2 == 0:
        lengths = [max(wanted[n], wanted[(n + count // 2) % count]) for n in range(count)]
    pieces, place, heading, turn = [], 0j, 1 + 0j, 2 * math.pi / count
    for length, side, bend in zip(lengths, runs[::2], runs[1::2], strict=True):
        pieces.append(_Piece(place, heading, side, length, 0.0, INNER))
        place = pieces[-1].at(1, 0)[0]
        pieces.append(_Piece(place, heading, bend, 0.0, turn, INNER))
        place, heading = pieces[-1].at(1, 0)
    return pieces


def _ring(track: Track) -> _Piece:
    """Return all sections as one bend, with room for the squares of the fullest lane."""
    squares = sum(max(section.squares) for section in track.sections)
    radius = max(INNER, CELL * squares / (2 * math.pi))
    return _Piece(0j, 1 + 0j, [*range(len(track.sections))], 0.0, 2 * math.pi, radius)


def shape(track: Track) -> TrackShape:
    """Return the shape of a track."""
    layout = Layout(track)
    return TrackShape(
        width=round(layout.width, 1),
        height=round(layout.height, 1),
        squares={square.text: layout.shape(square) for square in track.squares},
        line=[layout.at(0, 0, 0)[0], layout.at(0, 0, LANE * track.lane_count)[0]],
        grid=[track.squares[square].text for square, _ in track.places],
        outer=round(layout.outer, 1),
        inner=round(layout.radius, 1),
        corners=layout.corners(),
        centre=layout.centre,
    )
