"""The order of tests on several workers: long ones first, and those that compile the same on one worker.

Each worker begins with one part of the list, and then takes tests from the end of the other parts.
So each part begins with long tests and ends with short ones that may run anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TypeVar

HERE = Path(__file__).parent
LANES = (
    (  # these compile, and the first of them what bots at the table think with
        "players",
        "lab/executors",  # early, so that no other worker takes a part of it and starts a second cluster
        "games/test_every_game.py",
        "adapters",
        "lab",
        "games/avecaesar/test_properties.py",
        "games/ur/test_properties.py",
        "games/benhvrt/test_conserved.py",
        "test_api.py",
        "engine/kernels/test_compiler.py",
    ),
    (  # those that take longest come first
        "browser/test_web.py",
        "browser/test_strangers.py",
        "browser/test_games.py",
        "browser/test_tournaments.py",
        "browser",
    ),
    ("server/rooms", "server"),
    ("packaging", "docs", "cli"),
)


class Item(Protocol):
    """A test: its path is what matters here."""

    @property
    def path(self) -> Path: ...


T = TypeVar("T", bound=Item)


def _place(item: Item) -> tuple[int, int] | None:
    """Return the lane of a test and its place there; None for a test that may run anywhere."""
    for lane, folders in enumerate(LANES):
        for rank, folder in enumerate(folders):
            if item.path.is_relative_to(HERE / folder):
                return lane, rank
    return None


def dealt(items: Sequence[T], workers: int) -> list[T]:
    """Return the tests in parts of equal size, one per worker; the lanes are dealt out to them."""
    places = [_place(item) for item in items]
    lanes: list[list[T]] = [[] for _ in range(workers)]
    for lane in range(len(LANES)):
        own = [(place[1], n) for n, place in enumerate(places) if place is not None and place[0] == lane]
        lanes[lane % workers] += [items[n] for _, n in sorted(own)]
    rest = [item for item, place in zip(items, places, strict=True) if place is None]
    found: list[T] = []
    for worker, first in enumerate(lanes):
        size = (len(items) - len(found)) // (workers - worker)
        missing = max(0, size - len(first))
        found += first[:size] + rest[:missing]
        rest = first[size:] + rest[missing:]
    return found
