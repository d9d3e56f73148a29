"""Course files: segments and their order, as they are read and checked.

    {"segments": {"F+": {"lanes": [1, 1], "walls": [1], "a": [50], "b": [40], "turn": 0}, ...},
     "courses": {"mine": {"order": ["F+", ...], "alley": {...}, "start_lane": {"1": 1, "2": 0}}}}

`lanes` is the number of spaces in each lane, left to right for a clockwise driver. `walls[i]` is between lanes i
and i + 1. `a` and `b` are the positions of the lane boundaries at entry and exit, 0 to 100.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from quadriga.engine.errors import OptionError

PACKAGE = "quadriga.games.avecaesar"
MOST_COURSES = 8
MOST_LANES = 8
MOST_IN_LANE = 8
MOST_ALLEY = 12
MOST_SEGMENTS = 60


def refuse(code: str, where: str, **parameters: object) -> OptionError:
    """Return the error for a course file, with the segment or course that is wrong."""
    return OptionError(f"course.{code}", package=PACKAGE, where=where, **parameters)


@dataclass(frozen=True)
class Segment:
    """A piece of track: its lanes, the walls between them, and the lane boundaries at entry and exit."""

    name: str
    lanes: tuple[int, ...]
    walls: tuple[int, ...]
    entry: tuple[float, ...]  # from 0 to 100, the edges included
    exit: tuple[float, ...]
    turn: float

    def walled(self, boundary: int) -> bool:
        """Return whether there is a wall between lanes `boundary` and `boundary + 1`. The edges are walls."""
        return not 0 <= boundary < len(self.walls) or bool(self.walls[boundary])


@dataclass(frozen=True)
class TrackPlan:
    """A course of a file: segments clockwise from the line, the alley and the start lanes."""

    name: str
    segments: dict[str, Segment]
    order: tuple[str, ...]
    alley: int
    after: tuple[str, int]
    before: tuple[str, int]
    beside: tuple[str, ...]
    starts: tuple[int, ...]
    target: int | None
    lengths: dict[str, float]  # for drawings: the lengths of segments, where the file has them


def check_head(document: Any) -> None:
    """Check that a file has segments and courses, whatever is in them. Raise OptionError if not."""
    if not isinstance(document, dict) or not isinstance(document.get("segments"), dict):
        raise refuse("document", "-")
    if not isinstance(document.get("courses"), dict) or not document["courses"]:
        raise refuse("document", "-")
    if len(document["courses"]) > MOST_COURSES:
        raise refuse("many", "-", most=MOST_COURSES)


def checked(document: Any) -> dict[str, TrackPlan]:
    """Return the courses of a file. Raise OptionError with the place of a mistake and the allowed values."""
    check_head(document)
    return {name: plan(name, course, document["segments"]) for name, course in document["courses"].items()}


def _numbers(value: object, least: float, most: float, count: int | None = None) -> bool:
    return (
        isinstance(value, list)
        and (count is None or len(value) == count)
        and all(isinstance(n, int | float) and not isinstance(n, bool) and least <= n <= most for n in value)
    )


def checked_segment(name: str, course: str, given: object) -> Segment:
    """Return a segment of a course. Raise OptionError if something about it is wrong."""
    if not isinstance(given, dict) or not _numbers(given.get("lanes"), 1, MOST_IN_LANE):
        raise refuse("lanes", name, most=MOST_LANES)
    lanes = given["lanes"]
    if not 1 <= len(lanes) <= MOST_LANES or not all(isinstance(n, int) for n in lanes):
        raise refuse("lanes", name, most=MOST_LANES)
    inner = len(lanes) - 1
    walls = given.get("walls", [0] * inner)
    if not _numbers(walls, 0, 1, inner):
        raise refuse("walls", name, count=inner)
    for boundary, (left, right) in enumerate(pairwise(lanes)):
        if max(left, right) > 1 and not walls[boundary]:
            raise refuse("unwalled", name, lane=boundary, next=boundary + 1)
    standard = {0: [], 1: [50]}.get(inner)
    entry = given.get("a", given.get("b", standard) if inner > 1 else standard)
    leave = given.get("b", given.get("a", standard) if inner > 1 else standard)
    for letter, bounds in (("a", entry), ("b", leave)):
        if not _numbers(bounds, 0.001, 99.999, inner) or any(x >= y for x, y in pairwise(bounds or [])):
            raise refuse("bounds", name, letter=letter, count=inner)
    turn = given.get("turn", 0)
    if isinstance(turn, dict):
        turn = turn.get(course, 0)
    if not isinstance(turn, int | float) or isinstance(turn, bool) or not -360 <= turn <= 360:
        raise refuse("turn", name)
    return Segment(name, tuple(lanes), tuple(walls), (0, *(entry or ()), 100), (0, *(leave or ()), 100), turn)


def plan(name: str, given: Any, segments: dict[str, Any]) -> TrackPlan:
    """Return a course of a file. Raise OptionError for the first mistake in it or in its segments."""
    if not name.isidentifier():
        raise refuse("name", name)
    if not isinstance(given, dict) or not isinstance(given.get("order"), list):
        raise refuse("order", name, least=4, most=MOST_SEGMENTS)
    order = given["order"]
    if not 4 <= len(order) <= MOST_SEGMENTS or not all(isinstance(s, str) for s in order):
        raise refuse("order", name, least=4, most=MOST_SEGMENTS)
    if len(set(order)) != len(order):
        raise refuse("twice", name, segment=next(s for s in order if order.count(s) > 1))
    for segment in order:
        if segment not in segments or "." in segment or " " in segment or segment == "ALLEY":
            raise refuse("unknown", name, segment=segment)
    built = {segment: checked_segment(segment, name, segments[segment]) for segment in order}
    starts = _starts(name, given.get("start_lane"), built[order[-1]], built[order[0]])
    alley, after, before, beside = _alley(name, given.get("alley"), built, order)
    target = given.get("target")
    if target is not None and type(target) is not int:
        raise refuse("target-number", name)
    long = given.get("length", {})
    if not isinstance(long, dict) or not _numbers(list(long.values()), 1, 10_000):
        raise refuse("length", name)
    return TrackPlan(name, built, tuple(order), alley, after, before, beside, starts, target, long)


def _starts(course: str, given: object, last: Segment, first: Segment) -> tuple[int, ...]:
    """AC-1.4: check the lanes of the start positions, in the columns at the line."""
    if not isinstance(given, dict) or not 1 <= len(given) <= 6:
        raise refuse("starts", course)
    lanes = [given.get(str(number)) for number in range(1, len(given) + 1)]
    room = min(len(last.lanes), len(first.lanes))
    if not _numbers(lanes, 0, room - 1) or len(set(lanes)) != len(lanes):
        raise refuse("starts", course)
    return tuple(lanes)  # type: ignore[arg-type]


def _alley(
    course: str, given: Any, segments: dict[str, Segment], order: list[str]
) -> tuple[int, tuple[str, int], tuple[str, int], tuple[str, ...]]:
    """Check the Imperial Alley, a separate lane beside the columns at the line."""
    if not isinstance(given, dict) or type(given.get("spaces")) is not int:
        raise refuse("alley", course)
    beside = given.get("beside")
    if not 1 <= given["spaces"] <= MOST_ALLEY or not isinstance(beside, list) or len(beside) < 2:
        raise refuse("alley", course)
    columns = len(order)
    ring = {order[(number - columns // 2) % columns]: number for number in range(columns)}
    if any(segment not in ring for segment in beside):
        raise refuse("beside", course)
    places = [ring[segment] for segment in beside]
    line = ring[order[0]]
    if places != list(range(places[0], places[0] + len(places))) or not places[0] < line <= places[-1]:
        raise refuse("beside", course)
    if places[0] == 0 or places[-1] == columns - 1:
        raise refuse("beside", course)
    ends = []
    for key, neighbour in (("after", places[0] - 1), ("before", places[-1] + 1)):
        end = given.get(key)
        right = next(segment for segment, place in ring.items() if place == neighbour)
        if not isinstance(end, list) or len(end) != 2 or end[0] != right or type(end[1]) is not int:
            raise refuse("alley-end", course, key=key, segment=right)
        if not 0 <= end[1] < len(segments[right].lanes):
            raise refuse("alley-end", course, key=key, segment=right)
        ends.append((right, end[1]))
    return given["spaces"], ends[0], ends[1], tuple(beside)
