"""The courses of Ave Caesar as lane graphs (AC-1).

A course in one direction is a list of spaces in driving order, from the first past the finish line to the last
before it. A step leads to a space further on in the list or, over the line, to one at its beginning. So the spaces
that a chariot can reach fit into a window of the list.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from importlib import resources
from typing import NamedTuple

from quadriga.games.avecaesar.segments import Segment, TrackPlan, checked, refuse

LAPS = 3
MOST_SPACES = 96
WINDOW = 62  # the most places ahead in the list of spaces that a card may lead
POINTS = 84  # the sum of a player's cards (AC-2.1)
LONGEST = 6
DIRECTIONS = ("cw", "ccw")
ALLEY = "ALLEY"
NEVER = 9999


class Space(NamedTuple):
    """A space: its place, and the station of its leading edge (AC-1.3)."""

    segment: str
    lane: int
    j: int
    station: Fraction

    @property
    def alley(self) -> bool:
        """Return whether the space is in the Imperial Alley."""
        return self.segment == ALLEY

    @property
    def text(self) -> str:
        """Return the notation of the space."""
        return f"{self.segment}.{self.lane}.{self.j}"


@dataclass(frozen=True, eq=False)
class Course:
    """One course in one direction."""

    name: str
    direction: str
    plan: TrackPlan

    @property
    def text(self) -> str:
        """Return the notation of the course: `white cw`."""
        return f"{self.name} {self.direction}"

    @cached_property
    def spaces(self) -> list[Space]:
        """Return all spaces in driving order. Those of the alley are beside the line."""
        return sorted(self._stations(), key=lambda space: (space.station, space.alley, space.lane))

    @cached_property
    def index(self) -> dict[tuple[str, int, int], int]:
        """Return the index of each space in the list."""
        return {space[:3]: number for number, space in enumerate(self.spaces)}

    @cached_property
    def steps(self) -> list[list[int]]:
        """AC-1.2: return the spaces one step on from each space, without the entrance of the alley."""
        leads: list[list[int]] = [[] for _ in self.spaces]
        for one, other in self._edges():
            source, target = (one, other) if self.direction == "cw" else (other, one)
            if not (target[0] == ALLEY and source[0] != ALLEY):
                leads[self.index[source]].append(self.index[target])
        return [sorted(set(targets)) for targets in leads]

    @property
    def gate(self) -> int:
        """Return the space from which the alley is entered."""
        segment, lane = self.plan.after if self.direction == "cw" else self.plan.before
        return self.index[segment, lane, self._last_j(segment, lane)]

    @property
    def entrance(self) -> int:
        """Return the first space of the alley."""
        return self.index[ALLEY, 0, 0 if self.direction == "cw" else self.plan.alley - 1]

    @cached_property
    def starts(self) -> list[int]:
        """AC-1.4: return the start positions I, II, ..."""
        column = self.plan.order[-1] if self.direction == "cw" else self.plan.order[0]
        return [self.index[column, lane, self._last_j(column, lane)] for lane in self.plan.starts]

    @cached_property
    def rank(self) -> list[int]:
        """Return the rank of each space by its station. Equal stations have equal ranks."""
        stations = sorted({space.station for space in self.spaces})
        return [stations.index(space.station) for space in self.spaces]

    @cached_property
    def to_go(self) -> dict[tuple[int, bool], list[int]]:
        """Return the fewest steps to the finish from every space, by lap and by whether the coin is held.

        NEVER stands for spaces from which the coin cannot be paid any more.
        """
        size = len(self.spaces)
        table = {(lap, coin): [NEVER] * size for lap in range(LAPS + 1) for coin in (False, True)}
        for lap in range(LAPS, -1, -1):
            for coin in (False, True):
                for x in range(size - 1, -1, -1):
                    table[lap, coin][x] = self._fewest(table, lap, coin, x)
        return table

    @cached_property
    def keeps(self) -> list[bool]:
        """AC-5.4: return, for each space, whether the alley is in reach after a move to it, without other chariots.

        These are the spaces of the alley, and those from which its gate can be reached before the line.
        """
        kept = [space.alley for space in self.spaces]
        for x in range(self.gate, -1, -1):
            kept[x] = x == self.gate or any(x < y <= self.gate and kept[y] for y in self.steps[x])
        return kept

    @property
    def cheapest(self) -> list[int]:
        """AC-1.4: return the fewest steps of a race from every start, including the stop in the alley."""
        return [self.to_go[0, True][start] for start in self.starts]

    def _fewest(self, table: dict[tuple[int, bool], list[int]], lap: int, coin: bool, x: int) -> int:
        if coin and self.spaces[x].alley:
            return table[lap, False][x]  # a chariot in the alley with its coin stops and pays
        targets = list(self.steps[x])
        if coin and x == self.gate and lap in (1, 2):  # AC-5.2
            targets.append(self.entrance)
        best = NEVER
        for y in targets:
            crossing = y < x
            if crossing and lap == LAPS:
                rest = NEVER if coin else 0
            else:
                rest = table[lap + crossing, coin][y]
            best = min(best, rest + 1)
        return min(best, NEVER)

    def _stations(self) -> Iterator[Space]:
        """AC-1.3: yield every space with the station of its leading edge, in columns since the line."""
        plan, columns = self.plan, len(self.plan.order)
        for number, name in enumerate(plan.order):
            column = number if self.direction == "cw" else columns - 1 - number
            for lane, count in enumerate(plan.segments[name].lanes):
                for j in range(count):
                    driven = j if self.direction == "cw" else count - 1 - j
                    yield Space(name, lane, j, column + Fraction(driven + 1, count))
        first = columns - len([name for name in plan.beside if self._before_line(name)])
        for j in range(plan.alley):
            driven = j if self.direction == "cw" else plan.alley - 1 - j
            station = first + Fraction(len(plan.beside) * (driven + 1), plan.alley)
            yield Space(ALLEY, 0, j, station - columns if station > columns else station)

    def _before_line(self, name: str) -> bool:
        late = self.plan.order.index(name) * 2 >= len(self.plan.order)
        return late if self.direction == "cw" else not late

    def _edges(self) -> Iterator[tuple[tuple[str, int, int], tuple[str, int, int]]]:
        """AC-1.2: yield every step of the course driven clockwise."""
        plan = self.plan
        for name, following in zip(plan.order, (*plan.order[1:], plan.order[0]), strict=True):
            one, other = plan.segments[name], plan.segments[following]
            for lane, count in enumerate(one.lanes):
                for j in range(count - 1):
                    yield (name, lane, j), (name, lane, j + 1)
                for target in range(len(other.lanes)):
                    if touches(one, lane, other, target):
                        yield (name, lane, count - 1), (following, target, 0)
        for j in range(plan.alley - 1):
            yield (ALLEY, 0, j), (ALLEY, 0, j + 1)
        (after, after_lane), (before, before_lane) = plan.after, plan.before
        yield (after, after_lane, plan.segments[after].lanes[after_lane] - 1), (ALLEY, 0, 0)
        yield (ALLEY, 0, plan.alley - 1), (before, before_lane, 0)

    def _last_j(self, segment: str, lane: int) -> int:
        return self.plan.segments[segment].lanes[lane] - 1 if self.direction == "cw" else 0


def touches(one: Segment, lane: int, other: Segment, target: int) -> bool:
    """AC-1.2: return whether a step leads from the last space of a lane to the first of a lane of `other`."""
    left, right = one.exit[lane], one.exit[lane + 1]
    low, high = other.entry[target], other.entry[target + 1]
    if max(left, low) < min(right, high):
        return True
    if right == low:  # diagonally to the right, unless a wall stands on both sides of the corner
        return not (one.walled(lane) and other.walled(target - 1))
    if high == left:
        return not (one.walled(lane - 1) and other.walled(target))
    return False


def courses(document: object) -> dict[str, Course]:
    """Return all courses of a course file, in both directions, by their notation. Raise OptionError if invalid."""
    found: dict[str, Course] = {}
    for name, plan in checked(document).items():
        for direction in DIRECTIONS:
            course = Course(name, direction, plan)
            check(course)
            found[course.text] = course
    return found


@cache
def own_courses() -> dict[str, Course]:
    """Return the built-in courses."""
    return courses(json.loads(own_document()))


def own_document() -> str:
    """Return the built-in course file."""
    return resources.files("quadriga.games.avecaesar").joinpath("data", "courses.json").read_text("utf-8")


def check(course: Course) -> None:
    """Check that a course can be raced: no dead ends, a passable alley, and a finish within the cards."""
    size = len(course.spaces)
    if size > MOST_SPACES:
        raise refuse("spaces", course.name, spaces=size, most=MOST_SPACES)
    reached = {y for targets in course.steps for y in targets} | {course.entrance}
    for x, space in enumerate(course.spaces):
        if not course.steps[x] or x not in reached:
            raise refuse("dead-end", space.segment, space=space.text, direction=course.direction)
        ahead = [(y - x) % size for y in [*course.steps[x], *([course.entrance] if x == course.gate else [])]]
        if max(ahead) * 2 >= size:
            raise refuse("ring", space.segment, space=space.text)
    for x in range(size):
        if (farthest := _farthest(course, x)) >= size:
            raise refuse("short", course.name, most=LONGEST)
        if farthest > WINDOW:
            raise refuse("wide", course.spaces[x].segment, most=WINDOW)
    for number, cost in enumerate(course.cheapest, 1):
        if cost >= NEVER:
            raise refuse("unreachable", course.name, start=number, direction=course.direction)
        if cost > POINTS:
            raise refuse("long", course.name, start=number, cost=cost, most=POINTS)
        if course.plan.target is not None and cost != course.plan.target:
            raise refuse("target", course.name, start=number, cost=cost, target=course.plan.target)


def _farthest(course: Course, x: int) -> int:
    """Return how many places ahead in the list of spaces six steps from space `x` can lead at most."""
    size = len(course.spaces)
    layer, farthest = {x: 0}, 0
    for _ in range(LONGEST):
        following: dict[int, int] = {}
        for y, way in layer.items():
            for z in [*course.steps[y], *([course.entrance] if y == course.gate else [])]:
                following[z] = max(following.get(z, 0), way + (z - y) % size)
        layer = following
        farthest = max(farthest, *layer.values())
    return farthest
