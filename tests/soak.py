"""Short and long forms of tests: `make test` runs the short form, `make soak` (QUADRIGA_SOAK=1) the long one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

SOAK = os.environ.get("QUADRIGA_SOAK") == "1"


def count(short: int, long: int, name: str = "") -> int:
    """Return how often to repeat something. QUADRIGA_NAME sets another number."""
    given = os.environ.get(f"QUADRIGA_{name}", "") if name else ""
    return int(given) if given else long if SOAK else short


def only_in_soak(*values: Any, id: str | None = None) -> Any:
    """Return a row of a parametrized test that `make soak` alone runs."""
    return pytest.param(*values, id=id, marks=pytest.mark.soak)


def crossed(first: Iterable[Any], second: Iterable[Any]) -> list[Any]:
    """Return all pairs as rows of a parametrized test. `make test` runs so many that each value occurs in one."""
    rows_of, columns = list(first), list(second)
    found = []
    for number, one in enumerate(rows_of):
        for place, other in enumerate(columns):
            is_short = number % len(columns) == place % max(len(rows_of), 1)
            found.append(pytest.param(one, other, marks=() if is_short else pytest.mark.soak))
    return found


def rows(every: Sequence[Any], is_short: Callable[[Any], bool], ids: Sequence[str] | None = None) -> list[Any]:
    """Return the rows of a parametrized test. `make test` runs those for which `is_short` is true."""
    found = []
    for place, row in enumerate(every):
        values = row if isinstance(row, tuple) and ids is None else (row,)
        marks = () if is_short(row) else (pytest.mark.soak,)
        found.append(pytest.param(*values, id=ids[place] if ids else None, marks=marks))
    return found
