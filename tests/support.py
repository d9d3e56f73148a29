"""Helpers for tests: every game in a few set-ups, and random matches."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Self, TypeVar

import msgspec
import psutil

from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.lab.traces import random_match
from soak import SOAK

T = TypeVar("T")
M = TypeVar("M", bound=Match)
ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
TRACES = ROOT / "tests" / "traces"
VERSION_0_1_0 = ROOT / "tests" / "fixtures" / "0.1.0"  # a store, a save and records that version 0.1.0 has written


def here(**more: str) -> dict[str, str]:
    """Return the environment of another process that runs the code beside these tests."""
    paths = os.pathsep.join([str(SOURCES), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": paths, **more}


def is_running(process: psutil.Process) -> bool:
    """Return whether a process has not ended; one that has and that nobody has waited for is not running."""
    try:
        return process.status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.NoSuchProcess:
        return False


Setup = tuple[str, dict[str, object], int]
"""A game, its options and the number of seats."""

SETUPS: list[Setup] = [
    ("ur", {}, 2),
    ("ur", {"markers": 1}, 2),
    ("ur", {"markers": 2, "loop": "other"}, 2),
    ("ur", {"rules": "finkel"}, 2),
    ("ur", {"rules": "masters"}, 2),
    ("ur", {"rules": "blitz"}, 2),
    ("ave-caesar", {"courses": ["white cw"]}, 3),
    ("ave-caesar", {"courses": ["blue ccw", "white ccw"]}, 4),
    ("ave-caesar", {"courses": ["yellow cw"]}, 6),
    ("ave-caesar", {"courses": ["red ccw"], "variants": ["bottom-card", "dishonour"]}, 5),
    ("ave-caesar", {"courses": ["white ccw", "blue cw"], "variants": ["start-by-place", "crash-and-burn"]}, 4),
    ("ave-caesar", {"courses": ["white cw"], "variants": ["bottom-card", "crash-and-burn", "dishonour"]}, 4),
    ("ben-hvrt", {"series": [1]}, 2),
    ("ben-hvrt", {"series": [1], "bribes": True}, 3),
    ("ben-hvrt", {"series": [2], "penalty": True}, 4),
    ("ben-hvrt", {"series": [1], "offers": 9, "double": True}, 6),
    ("ben-hvrt", {"series": [1]}, 12),
    ("ben-hvrt", {"series": "caligula" if SOAK else [2], "offers": 0}, 4),
    ("highcard", {}, 2),
    ("highcard", {"cards": 9, "knocking": True}, 4),
    ("ben-hvrt", {"series": [2], "chariots": 1}, 3),
    ("ben-hvrt", {"series": [1], "chariots": 2, "bribes": True}, 5),
    ("nim", {}, 3),
]


SHORT_TRACK = {"straights": [1, 2, 3], "curves": [1, 2, 3, 4], "square": 20, "curve": 40}
"""A track of Ben Hvrt on which a race has less than half of the moves."""
SHORT_RACE: dict[str, object] = {} if SOAK else {"track": SHORT_TRACK}
"""An option of Ben Hvrt: `make test` plays on the short track, `make soak` on the printed one."""

FEW = [SETUPS[place] for place in (0, 4, 8, 11, 13, 16, 18, 21)]
"""What `make test` plays where all set-ups take long: every game, with few and many players and most options."""


def _label(game: str, options: dict[str, object], seats: int) -> str:
    words = " ".join(map(str, options.values())).translate(str.maketrans("", "", "[]',"))
    return "-".join([game, str(seats), *words.split()])


class TypedMatch(Match):
    """A match whose subclass names the types of one game's records and views."""

    @classmethod
    def of(cls, match: Match) -> Self:
        """Return a match as one of this game."""
        twin = object.__new__(cls)
        twin.__dict__.update(match.__dict__)
        return twin


def there(value: T | None) -> T:
    """Return a value that is not None."""
    assert value is not None
    return value


LONG = {"ben-hvrt": 25}  # a series of races is as long as so many games of the others


def fewer(setup: Setup, games: int) -> int:
    """Return how many games of this set-up take as long as `games` short games."""
    return -(-games // LONG.get(setup[0], 1))


IDS = [_label(*setup) for setup in SETUPS]


def played(setup: Setup, number: int = 0, seed: int = 1) -> Match:
    """Return a whole random game. Each is played once, and copied."""
    id, options, seats = setup
    return _played(id, msgspec.json.encode(options), seats, number, seed).copy()


@lru_cache(256)
def _played(id: str, options: bytes, seats: int, number: int, seed: int) -> Match:
    game = find(id)
    settled, _ = game.resolve_options(msgspec.json.decode(options), seats)
    return random_match(game, settled, seats, seed, number, SeededDice(seed, number))


def some(match: M, most: int) -> Iterator[tuple[int, M]]:
    """Return about `most` numbered positions from the whole length of a match."""
    stride = 1 + len(match.entries) // most
    return ((moment, position) for moment, position in enumerate(match.positions()) if moment % stride == 0)
