"""The track of Ben Hvrt (BH-1): lanes of squares, their stations and neighbours.

A track is a list of sections, from the Finish Line on. A section is a straight or a curve. It begins and ends at
the same stations in every lane, and each lane divides it into squares of equal length.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import gcd, lcm

SQUARES = 126  # at most
SIDES = 8  # squares beside a square, at most
CHARIOTS = 12
LETTERS = "ABCDEFGHIJKL"
LANES = 6
_LONGEST = 3000  # the greatest length of a lap in units


@dataclass(frozen=True)
class Square:
    """A square: its lane, from 1 inside, its index from the Finish Line, and its two edges in units."""

    lane: int
    index: int
    rear: int
    front: int

    @cached_property
    def text(self) -> str:
        """Return the notation of the square."""
        return f"{self.lane}.{self.index}"


@dataclass(frozen=True)
class Section:
    """A straight or a curve: its length, and the number of squares in each lane."""

    is_curve: bool
    length: int
    squares: tuple[int, ...]


@dataclass(frozen=True)
class Track:
    """A track of sections, with the start squares by rank; without any they are as in BH-1.3."""

    sections: tuple[Section, ...]
    ranks: tuple[tuple[str, ...], ...] = ()

    @property
    def lane_count(self) -> int:
        """Return the number of lanes."""
        return len(self.sections[0].squares)

    @property
    def length(self) -> int:
        """Return the length of a lap, as the sections state it."""
        return sum(section.length for section in self.sections)

    @cached_property
    def _units(self) -> dict[Fraction, int]:
        """Return every edge in units: whole numbers, in proportion to the lengths if they are small enough.

        Only the order of edges matters to the rules. If a lap would be too long, edges are numbered in order.
        """
        edges = {edge for lane in range(self.lane_count) for edge in self._edges(lane)}
        scale = lcm(*(n // gcd(section.length, n) for section in self.sections for n in section.squares))
        if self.length * scale <= _LONGEST:
            return {edge: int(edge * scale) for edge in edges}
        return {edge: number for number, edge in enumerate(sorted(edges))}

    def _edges(self, lane: int) -> list[Fraction]:
        """Return the edges of the squares of a lane, with both ends of the lap."""
        found, end = [Fraction(0)], 0
        for section in self.sections:
            count = section.squares[lane]
            found += [end + Fraction(section.length * n, count) for n in range(1, count + 1)]
            end += section.length
        return found

    @property
    def lap(self) -> int:
        """Return the length of a lap in units."""
        return self._units[Fraction(self.length)]

    @cached_property
    def lanes(self) -> list[list[Square]]:
        """Return the squares of each lane, from the line."""
        found = []
        for lane in range(self.lane_count):
            units = [self._units[edge] for edge in self._edges(lane)]
            ends = enumerate(pairwise(units))
            found.append([Square(lane + 1, index, rear, front) for index, (rear, front) in ends])
        return found

    def section_of(self, square: Square) -> tuple[int, int]:
        """Return the index of a square's section, and the index of the square in it."""
        index = square.index
        for number, section in enumerate(self.sections):
            count = section.squares[square.lane - 1]
            if index < count:
                return number, index
            index -= count
        raise IndexError(square.text)

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

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """BH-1.3: return the square and the rank, from 1, of each grid place, A first; at most twelve."""
        if self.ranks:
            ranked = enumerate(self.ranks, 1)
            return [(self.number[text], rank) for rank, texts in ranked for text in texts]
        lanes = self.lanes
        behind = (divmod(place, len(lanes)) for place in range(CHARIOTS))
        return [(self.number[lanes[lane][-1 - row].text], row + 1) for row, lane in behind]
