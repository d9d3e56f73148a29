"""The shape of the track of Ben Hvrt: straights, half circles, and every square as a polygon."""

from __future__ import annotations

import math

import msgspec

from quadriga.games.benhvrt.board import Square, Track

Point = tuple[float, float]
Line = list[Point]

LANE = 46.0  # the width of a lane
INNER = 96.0  # from the middle to the innermost lane
CELL = 62.0  # the length of a straight square
_MARGIN = 96.0


class SquareShape(msgspec.Struct, frozen=True):
    """The shape of a square."""

    outline: Line
    centre: Point
    heading: float  # in degrees, 0 to the right and 90 down


class TrackShape(msgspec.Struct, frozen=True, kw_only=True):
    """The shape of a track, as it is sent to clients."""

    width: float
    height: float
    squares: dict[str, SquareShape]
    line: Line
    grid: list[str]
    outer: float  # radii of the edges,
    inner: float
    left: float  # ... and the centres of the two half circles
    right: float
    middle: float


class Layout:
    """The oval: to the right along the lower straight, up, back along the upper one, and down."""

    def __init__(self, track: Track) -> None:
        self.track = track
        first, between, last = track.straights
        self.straight = CELL * max(between, first + last)
        self.outer = INNER + LANE * len(track.curves)
        self.left = _MARGIN + self.outer
        self.right = self.left + self.straight
        self.middle = _MARGIN + self.outer
        self.line = self.left + self.straight * last / (first + last)
        self.width = self.right + self.outer + _MARGIN
        self.height = 2 * (self.outer + _MARGIN)

    def at(self, piece: int, along: float, radius: float) -> tuple[Point, float]:
        """Return a point on one of the five pieces, 0 to 1 along it, and the heading there."""
        if piece == 0:
            return (self.line + (self.right - self.line) * along, self.middle + radius), 0.0
        if piece == 1:
            angle = math.pi / 2 - along * math.pi
            point = (self.right + radius * math.cos(angle), self.middle + radius * math.sin(angle))
            return point, -math.degrees(math.pi / 2 - angle)
        if piece == 2:
            return (self.right - self.straight * along, self.middle - radius), 180.0
        if piece == 3:
            angle = -math.pi / 2 - along * math.pi
            point = (self.left + radius * math.cos(angle), self.middle + radius * math.sin(angle))
            return point, 180.0 - 180.0 * along
        return (self.left + (self.line - self.left) * along, self.middle + radius), 0.0

    def shape(self, square: Square) -> SquareShape:
        """Return the shape of a square between two radii."""
        first, between, last = self.track.straights
        bends = self.track.curves[square.lane - 1]
        index = square.index
        piece = 0
        for piece, count in enumerate((first, bends, between, bends, last)):  # noqa: B007
            if index < count:
                break
            index -= count
        near = INNER + LANE * (square.lane - 1)
        far = near + LANE
        steps = 8 if piece in (1, 3) else 1
        places = [(index + k / steps) / count for k in range(steps + 1)]
        inside = [self.at(piece, place, near)[0] for place in places]
        outside = [self.at(piece, place, far)[0] for place in places]
        centre, heading = self.at(piece, (index + 0.5) / count, (near + far) / 2)
        return SquareShape(_rounded(outside + inside[::-1]), _rounded([centre])[0], round(heading % 360, 1))


def _rounded(line: Line) -> Line:
    return [(round(x, 1), round(y, 1)) for x, y in line]


def shape(track: Track) -> TrackShape:
    """Return the shape of a track."""
    layout = Layout(track)
    return TrackShape(
        width=layout.width,
        height=layout.height,
        squares={square.text: layout.shape(square) for square in track.squares},
        line=_rounded([(layout.line, layout.middle + INNER), (layout.line, layout.middle + layout.outer)]),
        grid=[track.squares[track.grid(place)].text for place in range(12)],
        outer=layout.outer,
        inner=INNER,
        left=layout.left,
        right=layout.right,
        middle=layout.middle,
    )
