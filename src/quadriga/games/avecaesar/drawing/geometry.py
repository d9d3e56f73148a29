"""The shape of a course: a closed track of straights and arcs, with every space as a polygon.

A segment has a length and a turn. The lengths in the course file, or else those that follow from the spaces, are
stretched as little as possible so that the ring closes. A position across the track is a fraction, 0 at the left
edge for a clockwise driver and 1 at the right. The alley is left of the track, below 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.games.avecaesar.board import ALLEY, Course
from quadriga.games.avecaesar.segments import Segment, TrackPlan

Point = tuple[float, float]
Line = list[Point]

UNIT = 62.0  # the length of a space
WIDTH = 150.0  # of the track at its widest
_SHARE = {1: 0.46, 2: 0.62, 3: 0.8, 4: 0.92}  # of the width, by number of lanes
_ALLEY = 30.0  # the width of the alley
_MARGIN = 96.0
_COMBS = 22  # rake marks in the sand, across the track
_FINE = 6  # degrees of a bend that one straight line approximates


class SpaceShape(msgspec.Struct, frozen=True):
    """The shape of a space."""

    outline: Line
    centre: Point
    heading: float  # of a clockwise driver, in degrees, 0 to the right and 90 down


class CourseShape(msgspec.Struct, frozen=True, kw_only=True):
    """The shape of a course, as it is sent to clients. It is the same for both directions."""

    width: float
    height: float
    spaces: dict[str, SpaceShape]
    outer: Line  # the wall outside the track and the alley, closed
    inner: Line
    combs: list[Line]  # the marks of the rake in the sand, closed
    walls: list[Line]
    dashes: list[Line]
    line: Line  # the finish
    starts: dict[str, list[str]]  # by direction, the spaces of positions I, II, ...
    caesar: Point
    caesar_heading: float


@dataclass(frozen=True)
class Piece:
    """A placed segment: its start and heading, its length and turn, and its widths."""

    segment: Segment
    x: float
    y: float
    heading: float  # radians
    length: float
    turn: float  # radians
    entry: float  # widths: at its beginning, in its middle, at its end
    middle: float
    exit: float

    def places(self, start: float = 0.0, end: float = 1.0) -> npt.NDArray[np.float64]:
        """Return positions along the segment, close enough to draw it by straight lines."""
        bend = abs(np.degrees(self.turn)) * (end - start)
        return np.linspace(start, end, 5 + int(bend / _FINE))

    def at(self, along: float, across: float) -> Point:
        """Return a point of the segment by its positions along and across, 0 to 1."""
        x, y, heading = self.centre(along)
        offset = (across - 0.5) * self.width(along)
        return x - np.sin(heading) * offset, y + np.cos(heading) * offset

    def beside(self, along: float, offset: float) -> Point:
        """Return a point left of the track."""
        x, y, heading = self.centre(along)
        reach = -0.5 * self.width(along) - offset
        return x - np.sin(heading) * reach, y + np.cos(heading) * reach

    def width(self, along: float) -> float:
        """Return the width of the track, which changes smoothly."""
        pull = 2 * self.middle - (self.entry + self.exit) / 2
        return (1 - along) ** 2 * self.entry + 2 * along * (1 - along) * pull + along**2 * self.exit

    def centre(self, along: float) -> tuple[float, float, float]:
        """Return a point on the middle of the track, and the heading there."""
        bend = self.turn * along
        chord = self.length * along * _sinc(bend / 2)
        direction = self.heading + bend / 2
        return self.x + chord * np.cos(direction), self.y + chord * np.sin(direction), self.heading + bend


def _sinc(angle: float) -> float:
    return 1.0 if abs(angle) < 1e-9 else float(np.sin(angle) / angle)


def _track_width(segment: Segment) -> float:
    return _SHARE.get(len(segment.lanes), 1.0) * WIDTH


def bends(plan: TrackPlan) -> npt.NDArray[np.float64]:
    """Return the turn of each segment in radians, adjusted equally so that they make a full circle."""
    turns = np.radians([plan.segments[name].turn for name in plan.order])
    shared: npt.NDArray[np.float64] = turns + (2 * np.pi - turns.sum()) / len(turns)
    return shared


def lengths(plan: TrackPlan) -> npt.NDArray[np.float64]:
    """Return the lengths of the segments, stretched as little as possible so that the ring closes."""
    segments = [plan.segments[name] for name in plan.order]
    turns = bends(plan)
    headings = np.concatenate([[0.0], np.cumsum(turns)[:-1]])
    tight = np.array([abs(t) * (_track_width(s) / 2 + 12) for s, t in zip(segments, turns, strict=True)])
    least = np.maximum(tight, [UNIT * 0.5 * max(s.lanes) for s in segments])
    asked = np.array([plan.lengths.get(s.name, UNIT * max(s.lanes)) for s in segments], float)
    asked = np.maximum(asked, least)
    chords = np.array([_sinc(t / 2) for t in turns])
    ways = np.stack([np.cos(headings + turns / 2) * chords, np.sin(headings + turns / 2) * chords])
    found: npt.NDArray[np.float64] = asked.copy()
    free = np.ones(len(asked), bool)
    for _ in range(len(asked)):
        weights = ways[:, free] * asked[free] ** 2
        pull = np.linalg.lstsq(weights @ ways[:, free].T, -ways @ np.where(free, asked, found), rcond=None)[0]
        found[free] = asked[free] + weights.T @ pull
        short = free & (found < least)
        if not short.any():
            break
        found[short] = least[short]
        free &= ~short
    return found


class Layout:
    """The placed segments of a plan, and the lines and polygons that follow from them."""

    def __init__(self, plan: TrackPlan) -> None:
        self.plan = plan
        segments = [plan.segments[name] for name in plan.order]
        turns = [float(turn) for turn in bends(plan)]
        widths = [_track_width(segment) for segment in segments]
        self.pieces: dict[str, Piece] = {}
        x = y = heading = 0.0
        for number, (segment, length, turn) in enumerate(zip(segments, lengths(plan), turns, strict=True)):
            before, after = widths[number - 1], widths[(number + 1) % len(widths)]
            own = widths[number]
            entry, leave = (before + own) / 2, (own + after) / 2
            piece = Piece(segment, x, y, heading, float(length), turn, entry, own, leave)
            self.pieces[segment.name] = piece
            x, y, heading = piece.centre(1.0)

    def bounds(self, segment: Segment, boundary: int, along: float) -> float:
        """Return the position of a lane boundary across the track, which widens towards the alley's ends."""
        place = segment.entry[boundary] + (segment.exit[boundary] - segment.entry[boundary]) * along
        if boundary == 0:
            flare = _ALLEY / self.pieces[segment.name].width(along)
            if segment.name == self.plan.after[0]:
                return -flare * along**2
            if segment.name == self.plan.before[0]:
                return -flare * (1 - along) ** 2
        return place / 100

    @cached_property
    def spaces(self) -> dict[str, SpaceShape]:
        """Return the shape of every space by its notation."""
        found = {}
        for name, piece in self.pieces.items():
            for lane, count in enumerate(piece.segment.lanes):
                for j in range(count):
                    found[f"{name}.{lane}.{j}"] = self._space(piece, lane, j / count, (j + 1) / count)
        for j in range(self.plan.alley):
            found[f"{ALLEY}.0.{j}"] = self._alley_space(j / self.plan.alley, (j + 1) / self.plan.alley)
        return found

    def _space(self, piece: Piece, lane: int, start: float, end: float) -> SpaceShape:
        left = self._along(piece, lane, start, end)
        right = self._along(piece, lane + 1, start, end)
        middle = (start + end) / 2
        sides = self.bounds(piece.segment, lane, middle), self.bounds(piece.segment, lane + 1, middle)
        heading = float(np.degrees(piece.centre(middle)[2])) % 360
        return SpaceShape(left + right[::-1], piece.at(middle, sum(sides) / 2), heading)

    def alley_at(self, along: float, offset: float) -> tuple[Point, float]:
        """Return a point of the alley by its position along, 0 to 1, and the heading there."""
        pieces = [self.pieces[name] for name in self.plan.beside]
        whole = sum(piece.length for piece in pieces)
        way = along * whole
        for piece in pieces:
            if way <= piece.length or piece is pieces[-1]:
                share = min(way / piece.length, 1.0)
                return piece.beside(share, offset), float(np.degrees(piece.centre(share)[2])) % 360
            way -= piece.length
        raise AssertionError

    def _alley_space(self, start: float, end: float) -> SpaceShape:
        places = np.linspace(start, end, 8)
        near = [self.alley_at(a, 0.0)[0] for a in places]
        far = [self.alley_at(a, _ALLEY)[0] for a in places]
        centre, heading = self.alley_at((start + end) / 2, _ALLEY / 2)
        return SpaceShape(far + near[::-1], centre, heading)

    def edge(self, across: float) -> Line:
        """Return a line round the whole track."""
        return [p.at(a, across) for p in self.pieces.values() for a in p.places()[:-1]]

    def outer(self) -> Line:
        """Return the outer wall, which also goes round the alley."""
        found: Line = []
        for name, piece in self.pieces.items():
            if name in self.plan.beside:
                found += [piece.beside(a, _ALLEY) for a in piece.places()[:-1]]
            else:
                found += self._along(piece, 0)[:-1]
        return found

    def walls(self) -> list[Line]:
        """Return the walls between lanes, and between the track and the alley."""
        found = []
        for piece in self.pieces.values():
            for boundary in range(1, len(piece.segment.lanes)):
                if piece.segment.walled(boundary - 1):
                    found.append(self._along(piece, boundary))
        found.append([self.alley_at(a, 0.0)[0] for a in np.linspace(0, 1, 30)])
        return found

    def _along(self, piece: Piece, boundary: int, start: float = 0.0, end: float = 1.0) -> Line:
        return [piece.at(a, self.bounds(piece.segment, boundary, a)) for a in piece.places(start, end)]

    def dashes(self) -> list[Line]:
        """Return the lines that can be crossed: lane boundaries without a wall, and dividers between spaces."""
        found = []
        for name, piece in self.pieces.items():
            segment = piece.segment
            for boundary in range(1, len(segment.lanes)):
                if not segment.walled(boundary - 1):
                    found.append(self._along(piece, boundary))
            for lane, count in enumerate(segment.lanes):
                for j in range(1 if name == self.plan.order[0] else 0, count):
                    sides = (self.bounds(segment, lane, j / count), self.bounds(segment, lane + 1, j / count))
                    found.append([piece.at(j / count, side) for side in sides])
        for j in range(self.plan.alley + 1):
            share = j / self.plan.alley
            found.append([self.alley_at(share, 0.0)[0], self.alley_at(share, _ALLEY)[0]])
        return found


def shape(course: Course) -> CourseShape:
    """Return the shape of a course."""
    layout = Layout(course.plan)
    first = layout.pieces[course.plan.order[0]]
    everything = np.array([p for s in layout.spaces.values() for p in s.outline])
    low = everything.min(axis=0) - _MARGIN
    size = everything.max(axis=0) + _MARGIN - low
    (x, y), heading = layout.alley_at(0.5, _ALLEY + 34)

    def moved(line: Line) -> Line:
        return [(round(float(px - low[0]), 1), round(float(py - low[1]), 1)) for px, py in line]

    def moved_point(point: Point) -> Point:
        return moved([point])[0]

    spaces = {
        text: SpaceShape(moved(s.outline), moved_point(s.centre), round(s.heading, 1))
        for text, s in layout.spaces.items()
    }
    both = {d: Course(course.name, d, course.plan) for d in ("cw", "ccw")}
    return CourseShape(
        width=round(float(size[0]), 1),
        height=round(float(size[1]), 1),
        spaces=spaces,
        outer=moved(layout.outer()),
        inner=moved(layout.edge(1.0)),
        combs=[moved(layout.edge(k / _COMBS)) for k in range(1, _COMBS)],
        walls=[moved(line) for line in layout.walls()],
        dashes=[moved(line) for line in layout.dashes()],
        line=moved([first.at(0.0, 0.0), first.at(0.0, 1.0)]),
        starts={d: [c.spaces[x].text for x in c.starts] for d, c in both.items()},
        caesar=moved_point((x, y)),
        caesar_heading=round(heading, 1),
    )
