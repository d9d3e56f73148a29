"""Tables as CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

# How a text begins that a spreadsheet would compute.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def as_csv(head: Sequence[str], lines: Iterable[Iterable[object]]) -> str:
    """Return lines as CSV. A text that a spreadsheet would take for a formula begins with an apostrophe."""
    made = io.StringIO()
    writer = csv.writer(made)
    writer.writerow(head)
    writer.writerows([_cell(each) for each in line] for line in lines)
    return made.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
