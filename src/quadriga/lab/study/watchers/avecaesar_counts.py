"""The parts of a row of counts for Ave Caesar, and where each count is."""

from __future__ import annotations

from quadriga.games.avecaesar.board import MOST_SPACES

RACES = 1  # parts of a row
RULES = 2
SPACES = 3

START = 0  # counts of a seat in a race
PLACE = 1
END = 2
POINTS = 3
CARDS = 4
LEFT = 5
ALLEY = 6
WAITS = 7
OVERTAKEN = 8
RACE_FIELDS = 9

ENDS = ("", "finished", "dishonoured", "out", "wrecked")  # by the number in END

OVERSHOT = 0  # special rules
EMPTY = 1
BARRED = 2
FIRST_SIX = 3
EXCEPTION = 4
AFTER_FINISH = 5
LIFTED = 6
STALLED = 7
KEPT = 8
DISHONOURED = 9
BOTTOMS = 10
CRASHES = 11
BY_PLACE = 12
DRIVEN_ON = 13
RULE_IDS = (
    "AC-3.3",
    "AC-3.4",
    "AC-4.1",
    "AC-4.2",
    "AC-4.3",
    "AC-4.4",
    "AC-4.5",
    "AC-4.5 end",
    "AC-5.4",
    "AC-5.5",
    "AC-V2",
    "AC-V3",
    "AC-V1",
    "AC-V4",
)
RULE_COUNT = 14

LANDINGS = 0  # counts of a space
STANDS = 1
BLOCKS = 2
OVERTAKES = 3
SPACE_FIELDS = 4


def parts(races: int, seats: int) -> list[tuple[int, ...]]:
    """Return the shapes of the parts of a row."""
    return [(races, seats, RACE_FIELDS), (races, RULE_COUNT), (races, MOST_SPACES, SPACE_FIELDS)]
