"""Custom deck and track files: read and check them, and find the line of an error."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeGuard, TypeVar

from quadriga.engine import files
from quadriga.engine.errors import OptionError

T = TypeVar("T")
_TABLE = re.compile(r"(\[\[?)(\s*\w[\w.\s-]*)\]\]?\s*(#.*)?")


def good(path: str, check: Callable[[object, str], T]) -> tuple[dict[str, Any], T]:
    """Return the content of a file and the result of a check. Raise OptionError with the file and the line."""
    return files.parse_checked(path, files.read_small(path), check)


def failures(*reads: Callable[[], object]) -> list[OptionError]:
    """Call some functions and return the errors of those that fail."""
    found = []
    for read in reads:
        try:
            read()
        except OptionError as fault:
            found.append(fault)
    return found


def is_name(value: object) -> TypeGuard[str]:
    """Return whether a value is one line of 1 to 40 characters with single spaces between words."""
    if not isinstance(value, str) or not 1 <= len(value) <= 40:
        return False
    return value.isprintable() and value == " ".join(value.split())


class Lines:
    """The line numbers of the fields in a file of tables, such as [[card]]. Without its text all are unknown."""

    def __init__(self, text: str | None, table: str) -> None:
        self.keys: list[str] = []
        within = False  # a table such as [card.fr], whose keys are no fields of the card
        for line in (text or "").split("\n"):
            is_table = _TABLE.fullmatch(line.strip()) is not None
            within = within and not is_table
            self.keys.append("" if within else _key(line, table))
            within = within or (is_table and self.keys[-1] != f"[[{table}]]")
        self.tables = [number for number, key in enumerate(self.keys) if key == f"[[{table}]]"]

    def field(self, field: str) -> int | None:
        """Return the line, from 1, of a field of the file itself."""
        return self._find(field, 0, self.tables[0] if self.tables else len(self.keys))

    def table(self, number: int, field: str | None = None) -> int | None:
        """Return the line of a field of a table, or of the table if it has no such field."""
        if number >= len(self.tables):
            return None
        start = self.tables[number]
        end = self.tables[number + 1] if number + 1 < len(self.tables) else len(self.keys)
        found = self._find(field, start, end) if field else None
        return start + 1 if found is None else found

    def _find(self, field: str, start: int, end: int) -> int | None:
        for number in range(start, end):
            if self.keys[number] == field:
                return number + 1
        return None


def _key(line: str, table: str) -> str:
    """Return what a line sets: a field, a table such as `[[card]]`, or a field of one such as `[card.fr]`."""
    if found := _TABLE.fullmatch(line.strip()):
        name = found[2].strip()
        return f"[[{name}]]" if found[1] == "[[" else name.removeprefix(f"{table}.")
    return line.partition("=")[0].partition(".")[0].strip().strip("\"'")
