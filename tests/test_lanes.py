"""Tests are dealt out to workers in parts of equal size, each with its long ones first."""

from pathlib import Path
from typing import NamedTuple

import pytest

from lanes import HERE, LANES, dealt


class Item(NamedTuple):
    path: Path
    number: int


FILES = ["adapters/test_x.py", "browser/test_y.py", "players/test_z.py", "server/test_t.py", "cli/test_c.py"]


@pytest.mark.parametrize("workers", [2, 3, 4, 9])
def test_every_test_is_dealt_once_and_long_ones_begin_a_part(workers):
    items = [Item(HERE / file, n) for file in FILES for n in range(4)]
    items += [Item(HERE / "rules" / "test_r.py", n) for n in range(203)]
    parts = dealt(items, workers)
    assert sorted(parts) == sorted(items)
    begins = [sum((len(items) + n) // workers for n in range(part)) for part in range(workers)]
    for begin in begins[: len(LANES)]:
        assert parts[begin].path.parent.name != "rules"
    players = parts.index(Item(HERE / "players/test_z.py", 0))
    assert players < parts.index(Item(HERE / "adapters/test_x.py", 0))


def test_the_files_of_the_lanes_exist():
    assert all((HERE / folder).exists() for lane in LANES for folder in lane)
