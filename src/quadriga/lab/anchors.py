"""Ratings of the levels of bots, on the scale of people: measured, and fixed.

`benchmarks/anchors.py` measures them and writes `anchors.json`; `normal` is at 1,500 in every game. A bot keeps its
rating, so people who play bots are rated against something that does not move.
"""

from __future__ import annotations

import functools
from importlib.resources import files
from typing import Any

import msgspec

from quadriga.lab.rating import Rating


class Anchors(msgspec.Struct, frozen=True):
    """The ratings of the levels of a game, as mean and standard error, and the games that they come from."""

    date: str
    levels: dict[str, tuple[float, float]]
    meetings: list[dict[str, Any]]


@functools.cache
def measured() -> dict[str, Anchors]:
    """Return what was measured, by the game's id."""
    return msgspec.json.decode(files(__package__).joinpath("anchors.json").read_bytes(), type=dict[str, Anchors])


def anchor(game: str, level: str) -> Rating | None:
    """Return the rating of a level of a game, or None if it was not measured."""
    found = measured().get(game)
    if found is None or level not in found.levels:
        return None
    return Rating(*found.levels[level])
