"""The races that puzzles of Ave Caesar are searched in: every course, both ways, with three or four chariots."""

from __future__ import annotations

from quadriga.engine.parts.teaching import PuzzleSetup

_COURSES = [f"{course} {way}" for course in ("white", "yellow", "blue", "red") for way in ("cw", "ccw")]

PUZZLES = PuzzleSetup(
    grades=(0.15, 0.08, 0.04),
    seats=lambda number: 3 + number % 2,
    options=lambda number: {"courses": [_COURSES[number % len(_COURSES)]]},
)
