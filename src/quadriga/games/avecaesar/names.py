"""The names of the spaces of Ave Caesar in messages: the lane, and the steps to the line."""

from __future__ import annotations

from functools import lru_cache

from quadriga.engine.text.catalogues import Message
from quadriga.games.avecaesar.board import ALLEY, LAPS, Course

_FEW_LANES = {1: ("single",), 2: ("inner", "outer"), 3: ("inner", "middle", "outer")}


@lru_cache(maxsize=4096)
def place_name(course: Course, number: int) -> Message:
    """Return the name of a space of a course by its number in driving order. Lanes are counted from the inside."""
    space = course.spaces[number]
    if space.segment == ALLEY:
        return Message("ave-caesar.place.alley", {"space": space.text})
    lanes = len(course.plan.segments[space.segment].lanes)
    lane = lanes - space.lane  # lane 0 is on the outside
    known = _FEW_LANES.get(lanes)
    name = f"ave-caesar.lane.{known[lane - 1]}" if known else "ave-caesar.lane.many"
    steps = course.to_go[LAPS, False][number]
    named = Message(name, {"lane": lane, "lanes": lanes})
    return Message("ave-caesar.place.track", {"lane": named, "n": steps, "space": space.text})
