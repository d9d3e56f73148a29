"""Draw Ur for the terminal, with the steps of the player to move on the edges of the spaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rich.text import Text

from quadriga.engine.text.canvas import Canvas
from quadriga.engine.text.catalogues import Words
from quadriga.engine.text.wrapping import MARK, mark, wrap
from quadriga.games.ur.board import MOTIFS, RULE_SETS, SPACES, path
from quadriga.games.ur.state import Tables
from quadriga.games.ur.view import Marker, View, shown_on

_INLAY = {
    "rosette": ("╲  ╷  ╱", "╶─ ✿ ─╴", "╱  ╵  ╲"),
    "eyes": ("◎     ◎", "       ", "◎     ◎"),
    "holes": ("∘     ∘", "   ∘   ", "∘     ∘"),
    "passage": ("╱╲╱╲╱╲╱", "       ", "╲╱╲╱╲╱╲"),
    "squares": ("▫▫   ▫▫", "       ", "▫▫   ▫▫"),
    "conversion": ("╭────╴▸", "       ", "◂╶────╯"),
}
_STYLE = {
    "rosette": "yellow",
    "eyes": "cyan",
    "holes": "bright_blue",
    "passage": "red",
    "squares": "magenta",
    "conversion": "green",
}
_GLYPH = {"rosette": "✿", "eyes": "◎", "holes": "∘", "passage": "╳", "squares": "▫", "conversion": "⇄"}


class Paint(NamedTuple):
    """The style and the glyphs of a side's markers."""

    style: str
    blank: str
    dotted: str


_DARK = Paint("bold bright_white on grey23", " ● ", "⁚●⁚")
_LIGHT = Paint("bold black on bright_white", " ○ ", "⁚○⁚")


class Cell(NamedTuple):
    """The inside of a space: its columns and rows, and the columns that a terminal needs for it."""

    wide: int
    high: int
    least: int


_CELLS = (Cell(7, 3, 67), Cell(5, 2, 51), Cell(3, 2, 0))


def render_text(t: Tables, seen: View, say: Words, width: int = 80, marks: Mapping[str, str] | None = None) -> Text:
    """The whole position: seat 0 above, the board, seat 1 below."""
    cell = next(each for each in _CELLS if width >= each.least)
    page = wrap(_side(seen, 0, say)[:-1], width, 4)
    page.append_text(_board(seen, cell, marks or {}))
    return page.append_text(wrap(_side(seen, 1, say)[:-1], width, 4))


def render_status(t: Tables, seen: View, say: Words) -> Text:
    """A line for each side."""
    return _side(seen, 0, say).append_text(_side(seen, 1, say))


def _side(seen: View, seat: int, say: Words) -> Text:
    """Return one line: the seat, its markers at home and off, and whether it is to roll or to move."""
    line = Text("  ")
    paint = _paint(seen, seat)
    line.append(f" {say(f'ur.seat.{seat}-{_colours(seen)}')} ", paint.style)
    for place, number in (("ur.home", seen.home[seat]), ("ur.off", seen.off[seat])):
        line.append(f"  {say(place)} ", "dim")
        line.append(paint.blank.strip() * number or "–")
    if seen.turn == seat:
        line.append("  ◂ ", "bold")
        line.append(say("ur.to-roll") if seen.roll is None else say("ur.rolled", roll=seen.roll), "bold")
    if seen.winner == seat:
        line.append(f"  ★ {say('ur.wins')}", "bold yellow")
    return line.append("\n")


def _colours(seen: View) -> str:
    return "ben" if seen.rules == "ben" else "classic"


def _paint(seen: View, seat: int) -> Paint:
    return _DARK if seat == RULE_SETS[seen.rules].dark_seat else _LIGHT


def _board(seen: View, cell: Cell, marks: Mapping[str, str]) -> Text:
    canvas = Canvas(3 * (cell.high + 1) + 1, 8 * (cell.wide + 1) + 1)
    _draw_edges(canvas, cell)
    labels = _labels(seen)
    for space in SPACES:
        top, left = _corner(space, cell)
        _draw_inlay(canvas, top, left, MOTIFS[space], cell)
        label = labels.get(space, "")
        canvas.put(top, left + 1, label if len(label) <= cell.wide else label.split("·")[0], "bold")
        here = [(_paint(seen, marker.seat), marker) for marker in seen.board if marker.space == space]
        _draw_markers(canvas, top + cell.high // 2 + cell.high % 2, left, here, cell)
        if space in marks:
            text = mark(marks[space], cell.wide)
            canvas.put(top + cell.high, left + 1 + (cell.wide - len(text)) // 2, text, MARK)
    return canvas.text(margin=2 if cell.wide > 3 else 1)


def _corner(space: str, cell: Cell) -> tuple[int, int]:
    return "ABC".index(space[0]) * (cell.high + 1), (int(space[1]) - 1) * (cell.wide + 1)


def _draw_inlay(canvas: Canvas, top: int, left: int, motif: str, cell: Cell) -> None:
    if cell.high == 3:
        for row, inlay in enumerate(_INLAY[motif], 1):
            canvas.put(top + row, left + 1, inlay, _STYLE[motif])
    else:
        canvas.put(top + 1, left + 1 + cell.wide // 2, _GLYPH[motif], _STYLE[motif])


def _labels(seen: View) -> dict[str, str]:
    """Return the steps of the player to move, by space."""
    seat = seen.turn if seen.turn is not None else seen.winner or 0
    steps: dict[str, list[str]] = {}
    for step in range(1, len(path(seen.rules, seat)) + 1):
        steps.setdefault(shown_on(seen.rules, seen.loop, seat, step), []).append(str(step))
    return {space: "·".join(numbers) for space, numbers in steps.items()}


def _draw_markers(canvas: Canvas, row: int, left: int, here: list[tuple[Paint, Marker]], cell: Cell) -> None:
    if 3 * len(here) > cell.wide:  # a letter each
        start = left + 1 + max(cell.wide - len(here), 0) // 2
        for number, (paint, _) in enumerate(here):
            canvas.put(row, start + number, paint.blank.strip(), paint.style)
        return
    start = left + 1 + (cell.wide - 3 * len(here)) // 2
    for number, (paint, marker) in enumerate(here):
        glyph = paint.dotted if marker.dotted else paint.blank
        canvas.put(row, start + number * 3 + (number and len(here) % 2 == 0), glyph, paint.style)


def _draw_edges(canvas: Canvas, cell: Cell) -> None:
    """Draw the lines between the spaces."""
    for space in SPACES:
        top, left = _corner(space, cell)
        canvas.box(top, left, top + cell.high + 1, left + cell.wide + 1)
    canvas.draw_edges("dim")
