"""Random races and tournaments of Ave Caesar."""

from __future__ import annotations

from collections.abc import Iterator

import twins
from measure import Row, alone, one_core
from playouts import playouts

TITLE = "Ave Caesar"
ABOUT = """
Whole random games on one core: single races of four chariots on the white course, and tournaments of the four
recommended races with six. The aim for the race was 20,000 a second. The C program plays the very same races,
which is checked, but does not follow what the players know of each other's hands.
"""
RACE: dict[str, object] = {"courses": ["white cw"]}


def rows() -> Iterator[Row]:
    one_core()
    yield from twins.ave_caesar()
    yield alone("... plain Python", playouts("ave-caesar", RACE, 4, 10, compiled=False), "races/s")
    yield alone("tournaments of 4 races, 6 players", playouts("ave-caesar", {}, 6, 500), "tournaments/s")
    yield alone("... plain Python", playouts("ave-caesar", {}, 6, 2, compiled=False), "tournaments/s")
