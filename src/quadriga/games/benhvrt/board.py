"""The track of Ben Hvrt (BH-1): lanes of squares, their stations and neighbours.

A track is built from a few numbers: straights, curves, and how long their squares are.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from math import lcm
from typing import TypeGuard

from quadriga.engine.errors import OptionError
from quadriga.games.benhvrt import custom_files
from quadriga.games.benhvrt.custom_files import Lines

PACKAGE = "quadriga.games.benhvrt"
SQUARES = 126  # at most
SIDES = 8  # squares beside a square, at most
CHARIOTS = 12
LETTERS = "ABCDEFGHIJKL"
LANES = 6
_LONGEST = 3000  # the greatest length of a lap


@dataclass(frozen=True)
class Square:
    """A square: its lane, from 1 inside, its index from the Finish Line, and its two edges."""

    lane: int
    index: int
    rear: int
    front: int

    @cached_property
    def text(self) -> str:
        """Return the notation of the square."""
        return f"{self.lane}.{self.index}"


@dataclass(frozen=True)
class Track:
    """A track, defined by a few numbers."""

    straights: tuple[int, int, int]
    curves: tuple[int, ...]
    square: int
    curve: int

    @cached_property
    def scale(self) -> int:
        """Return the factor that makes every edge a whole number."""
        return lcm(*(count // _gcd(self.curve, count) for count in self.curves))

    @property
    def lap(self) -> int:
        """Return the length of a lap."""
        return (sum(self.straights) * self.square + 2 * self.curve) * self.scale

    @cached_property
    def lanes(self) -> list[list[Square]]:
        """Return the squares of each lane, from the line."""
        found = []
        for lane, bends in enumerate(self.curves, 1):
            first, between, last = self.straights
            straight, bend = self.square * self.scale, self.curve * self.scale // bends
            lengths = (
                [straight] * first + [bend] * bends + [straight] * between + [bend] * bends + [straight] * last
            )
            squares, edge = [], 0
            for index, length in enumerate(lengths):
                squares.append(Square(lane, index, edge, edge + length))
                edge += length
            found.append(squares)
        return found

    @cached_property
    def squares(self) -> list[Square]:
        """Return all squares, lane after lane."""
        return [square for lane in self.lanes for square in lane]

    @cached_property
    def number(self) -> dict[str, int]:
        """Return the index of each square in the list, by its notation."""
        return {square.text: place for place, square in enumerate(self.squares)}

    def ahead(self, place: int) -> int:
        """Return the next square of the lane."""
        square = self.squares[place]
        lane = self.lanes[square.lane - 1]
        return self.number[lane[(square.index + 1) % len(lane)].text]

    def behind(self, place: int) -> int:
        """Return the square directly behind."""
        square = self.squares[place]
        lane = self.lanes[square.lane - 1]
        return self.number[lane[square.index - 1].text]

    def beside(self, place: int) -> list[int]:
        """BH-1.2: return the squares of neighbouring lanes that overlap."""
        return self._sides[place]

    @cached_property
    def _sides(self) -> list[list[int]]:
        return [self._overlapping(here) for here in self.squares]

    def _overlapping(self, here: Square) -> list[int]:
        return [
            other
            for other, there in enumerate(self.squares)
            if abs(there.lane - here.lane) == 1 and max(here.rear, there.rear) < min(here.front, there.front)
        ]

    def to_line(self, finishing: bool) -> list[int]:
        """Return the fewest steps over the line from every square of an empty track.

        Before the last lap, a crossing in an outer lane also costs the changes back to lane 1.
        """
        return self._steps[finishing]

    @cached_property
    def _steps(self) -> tuple[list[int], list[int]]:
        return self._to_line(False), self._to_line(True)

    def _to_line(self, finishing: bool) -> list[int]:
        left = [SQUARES * 2] * len(self.squares)
        waiting = [[] for _ in range(LANES + 1)]  # type: list[list[int]]
        for lane in self.lanes:
            waiting[1 if finishing else lane[-1].lane].append(self.number[lane[-1].text])
        steps = 1
        while any(waiting):
            for place in waiting.pop(1):
                if left[place] > steps:
                    left[place] = steps
                    waiting[1].extend([self.behind(place), *self.beside(place)])
            waiting.append([])
            steps += 1
        return left

    def grid(self, place: int) -> int:
        """BH-1.3: return the square of a grid place; A is 0."""
        lane = self.lanes[place % len(self.curves)]
        return self.number[lane[-1 - place // len(self.curves)].text]

    def rank(self, place: int) -> int:
        """Return the rank of a grid place, from 1."""
        return place // len(self.curves) + 1


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


def checked(document: object, text: str | None = None) -> Track:
    """Return the track of a file. Raise OptionError for the first error."""
    track, faults = read(document, text)
    if track is None:
        raise faults[0]
    return track


def read(document: object, text: str | None = None) -> tuple[Track | None, list[OptionError]]:
    """Return a track, or None and an error for each invalid field."""
    where = Lines(text)
    given = document if isinstance(document, dict) else {}
    faults = _field_faults(given, where)
    if faults:
        return None, faults
    track = Track(tuple(given["straights"]), tuple(given["curves"]), given["square"], given["curve"])
    fault = _shape_fault(track, where)
    return (track, []) if fault is None else (None, [fault])


def _field_faults(given: dict[str, object], where: Lines) -> list[OptionError]:
    straights, curves = given.get("straights"), given.get("curves")
    faults = [
        _refuse("field", where.field(str(foreign)), field=foreign)
        for foreign in sorted(set(given) - {"straights", "curves", "square", "curve"}, key=str)
    ]
    if not _numbers(straights, 1, 20) or len(straights) != 3:
        faults.append(_refuse("straights", where.field("straights")))
    if not _numbers(curves, 1, 30) or not 2 <= len(curves) <= LANES:
        faults.append(_refuse("curves", where.field("curves"), most=LANES))
    for field in ("square", "curve"):
        if not _numbers([given.get(field)], 1, 1000):
            faults.append(_refuse("length", where.field(field), field=field))
    return faults


def _shape_fault(track: Track, where: Lines) -> OptionError | None:
    """Return the error of a track whose numbers are each valid, or None."""
    ranks = -(-CHARIOTS // len(track.curves))
    if track.straights[2] < ranks:
        return _refuse("grid", where.field("straights"), ranks=ranks)
    if len(track.squares) > SQUARES:
        return _refuse("squares", where.field("curves"), squares=len(track.squares), most=SQUARES)
    if track.lap > _LONGEST:
        return _refuse("long", where.field("curve"), lap=track.lap, most=_LONGEST)
    if max(len(track.beside(place)) for place in range(len(track.squares))) > SIDES:
        return _refuse("beside", where.field("curves"), most=SIDES)
    return None


def _numbers(value: object, least: int, most: int) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(type(n) is int and least <= n <= most for n in value)


def _refuse(code: str, line: int | None, **parameters: object) -> OptionError:
    fault = OptionError(f"track.{code}", package=PACKAGE, **parameters)
    return fault if line is None else OptionError("track.at", package=PACKAGE, line=line, reason=fault)


@cache
def own_track() -> Track:
    """Return the built-in track."""
    text = resources.files(PACKAGE).joinpath("data", "track.toml").read_text("utf-8")
    return checked(tomllib.loads(text), text)


def check_file(path: str) -> Track:
    """Return the track of a track file. Raise OptionError with the line of the first error."""
    return custom_files.good(path, checked)[1]
