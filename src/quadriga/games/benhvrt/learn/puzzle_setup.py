"""The series that puzzles of Ben Hvrt are searched in: short, and without offers, so that actions can be listed."""

from __future__ import annotations

from quadriga.engine.parts.teaching import PuzzleSetup

PUZZLES = PuzzleSetup(
    grades=(0.07, 0.045, 0.03),
    seats=lambda number: 2 + number % 3,
    options=lambda number: {"series": [1 + number // 3 % 2], "offers": 0, "chariots": 1 if number % 3 else 2},
)
