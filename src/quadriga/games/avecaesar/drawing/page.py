"""Data for drawing a game of Ave Caesar: the courses, the ways over them, and the names of spaces, as JSON."""

from __future__ import annotations

from typing import Any

import msgspec

from quadriga.engine.text.catalogues import as_json
from quadriga.games.avecaesar.board import ALLEY, Course, Space
from quadriga.games.avecaesar.drawing.geometry import shape
from quadriga.games.avecaesar.names import place_name
from quadriga.games.avecaesar.state import Tables


def geometry(t: Tables) -> dict[str, Any]:
    """Return each course of the tournament once, with the steps and the names of its spaces in both directions."""
    found: dict[str, Any] = {}
    for course in t.raced:
        if course.name not in found:
            drawn = msgspec.to_builtins(shape(course))
            both = {way: Course(course.name, way, course.plan) for way in ("cw", "ccw")}
            drawn["steps"] = {way: _steps(each) for way, each in both.items()}
            drawn["places"] = {way: _places(each) for way, each in both.items()}
            drawn["terms"] = {space.text: _term(course, space) for space in course.spaces}
            found[course.name] = drawn
    return {"courses": found}


def _steps(course: Course) -> dict[str, list[str]]:
    """Return the spaces that one step leads to from each space, the entrance of the alley included."""
    spaces = course.spaces
    ways = {spaces[x].text: [spaces[y].text for y in targets] for x, targets in enumerate(course.steps)}
    ways[spaces[course.gate].text].append(spaces[course.entrance].text)
    return ways


def _term(course: Course, space: Space) -> str:
    """Return the entry of the glossary for a space."""
    if space.segment == ALLEY:
        return "alley"
    return "narrow" if len(course.plan.segments[space.segment].lanes) == 1 else "lane"


def _places(course: Course) -> dict[str, object]:
    """Return the name of each space, as a message."""
    return {space.text: as_json(place_name(course, number)) for number, space in enumerate(course.spaces)}
