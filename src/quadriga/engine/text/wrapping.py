"""Fit texts into the columns of a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

_LEAST = 12  # columns that a continued line has at least


def wrap(text: Text, columns: int, indent: int) -> Text:
    """Return a text whose lines have at most so many columns; a continued line is indented."""
    page = Text()
    for line in text.split("\n"):
        _add(page, line, columns, min(indent, max(columns - _LEAST, 0)))
    return page


def _add(page: Text, line: Text, columns: int, indent: int) -> None:
    """Add a line, broken at spaces where it is too long."""
    while line.cell_len > columns:
        first = len(line.plain) - len(line.plain.lstrip())
        cut = line.plain.rfind(" ", first + 1, columns + 1)
        if cut <= first:
            break  # one long word
        page.append_text(line[:cut]).append("\n")
        rest = line[cut:]
        skipped = len(rest.plain) - len(rest.plain.lstrip())
        line = Text(" " * indent).append_text(rest[skipped:])
    page.append_text(line)
    page.rstrip()
    page.append("\n")


def mark(numbers: str, columns: int) -> str:
    """Return the numbers of the moves to a space, cut to `columns` characters: `[3]`, or `3` if these are few."""
    if len(numbers) + 2 <= columns:
        return f"[{numbers}]"
    return numbers if len(numbers) <= columns else numbers.split("·")[0][:columns]


MARK = "bold black on bright_green"
"""The style of marks, in all games."""


def side_by_side(rows: Sequence[Text], width: int) -> Text:
    """Return rows as the most columns that fit, to be read downward."""
    for count in range(len(rows), 0, -1):
        high = -(-len(rows) // count)
        columns = [rows[first : first + high] for first in range(0, len(rows), high)]
        widths = [max(map(len, column)) for column in columns]
        if sum(widths) <= width:
            break
    page = Text()
    for row in range(high):
        for column, wide in zip(columns, widths, strict=True):
            cell = column[row] if row < len(column) else Text()
            page.append_text(cell).append(" " * (wide - len(cell)))
        page.rstrip()
        page.append("\n")
    return page
