"""A canvas of styled characters: what games draw their boards on in the terminal."""

from __future__ import annotations

from rich.text import Text

_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8
_JOINTS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"  # by their arms


class Canvas:
    """Characters with styles at rows and columns, and edges that join where they meet."""

    def __init__(self, rows: int, columns: int) -> None:
        self.cells = [[(" ", "")] * columns for _ in range(rows)]
        self._arms: dict[tuple[int, int], int] = {}

    def put(self, row: int, column: int, text: str, style: str = "") -> None:
        """Write a text at a place; what is off the canvas is lost."""
        for offset, letter in enumerate(text):
            if 0 <= row < len(self.cells) and 0 <= column + offset < len(self.cells[row]):
                self.cells[row][column + offset] = (letter, style)

    def across(self, row: int, left: int, right: int) -> None:
        """An edge from left to right."""
        for column in range(left, right + 1):
            arms = (_RIGHT if column < right else 0) | (_LEFT if column > left else 0)
            self._arms[row, column] = self._arms.get((row, column), 0) | arms

    def down(self, column: int, top: int, bottom: int) -> None:
        """An edge from top to bottom."""
        for row in range(top, bottom + 1):
            arms = (_DOWN if row < bottom else 0) | (_UP if row > top else 0)
            self._arms[row, column] = self._arms.get((row, column), 0) | arms

    def box(self, top: int, left: int, bottom: int, right: int) -> None:
        """The four edges of a box."""
        for row in (top, bottom):
            self.across(row, left, right)
        for column in (left, right):
            self.down(column, top, bottom)

    def draw_edges(self, style: str = "") -> None:
        """Put all edges on the canvas, joined."""
        for (row, column), arms in self._arms.items():
            self.put(row, column, _JOINTS[arms], style)

    def text(self, margin: int) -> Text:
        """All rows, one below the other."""
        page = Text()
        for row in self.cells:
            page.append(" " * margin)
            for letter, style in row:
                page.append(letter, style)
            page.rstrip()
            page.append("\n")
        return page
