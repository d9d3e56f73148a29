"""A canvas of styled characters, on which games draw their boards for the terminal."""

from __future__ import annotations

from rich.text import Text

_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8
_JOINTS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"  # by the bits of their arms


class Canvas:
    """Characters with styles at rows and columns, and edges that join where they meet."""

    def __init__(self, rows: int, columns: int) -> None:
        self.cells = [[(" ", "")] * columns for _ in range(rows)]
        self._arms: dict[tuple[int, int], int] = {}

    def put(self, row: int, column: int, text: str, style: str = "") -> None:
        """Write a text at a row and column; cut off what is outside of the canvas."""
        for offset, letter in enumerate(text):
            if 0 <= row < len(self.cells) and 0 <= column + offset < len(self.cells[row]):
                self.cells[row][column + offset] = (letter, style)

    def horizontal_edge(self, row: int, left: int, right: int) -> None:
        """Add an edge from left to right."""
        for column in range(left, right + 1):
            arms = (_RIGHT if column < right else 0) | (_LEFT if column > left else 0)
            self._arms[row, column] = self._arms.get((row, column), 0) | arms

    def vertical_edge(self, column: int, top: int, bottom: int) -> None:
        """Add an edge from top to bottom."""
        for row in range(top, bottom + 1):
            arms = (_DOWN if row < bottom else 0) | (_UP if row > top else 0)
            self._arms[row, column] = self._arms.get((row, column), 0) | arms

    def box(self, top: int, left: int, bottom: int, right: int) -> None:
        """Add the four edges of a box."""
        for row in (top, bottom):
            self.horizontal_edge(row, left, right)
        for column in (left, right):
            self.vertical_edge(column, top, bottom)

    def draw_edges(self, style: str = "") -> None:
        """Draw all edges, joined where they meet."""
        for (row, column), arms in self._arms.items():
            self.put(row, column, _JOINTS[arms], style)

    def text(self, margin: int) -> Text:
        """Return all rows as a text, each after a margin."""
        page = Text()
        for row in self.cells:
            page.append(" " * margin)
            for letter, style in row:
                page.append(letter, style)
            page.rstrip()
            page.append("\n")
        return page
