"""Draw Ur for the terminal, with the steps of the player to move on the edges of the spaces."""

from __future__ import annotations

from rich.text import Text

from quadriga.engine.text.canvas import Canvas
from quadriga.engine.text.catalogues import Words
from quadriga.games.ur.board import MOTIFS, SPACES, path
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
_SIDE = ("bold bright_white on grey23", "bold black on bright_white")
_BLANK = (" ● ", " ○ ")
_DOTTED = ("⁚●⁚", "⁚○⁚")
_WIDE, _HIGH = 7, 3  # the inside of a space


def render_text(t: Tables, seen: View, say: Words, width: int = 80) -> Text:
    """The whole position: Black's side above, the board, White's side below."""
    page = _side(seen, 0, say)
    page.append_text(_board(seen))
    page.append_text(_side(seen, 1, say))
    return page


def render_status(t: Tables, seen: View, say: Words) -> Text:
    """A line for each side."""
    return _side(seen, 0, say).append_text(_side(seen, 1, say))


def _side(seen: View, seat: int, say: Words) -> Text:
    """Return one line: the seat, its markers at home and off, and whether it is to roll or to move."""
    line = Text("  ")
    line.append(f" {say(f'ur.seat.{seat}-{_colours(seen)}')} ", _SIDE[seat])
    for place, number in (("ur.home", seen.home[seat]), ("ur.off", seen.off[seat])):
        line.append(f"  {say(place)} ", "dim")
        line.append(_BLANK[seat].strip() * number or "–")
    if seen.turn == seat:
        line.append("  ◂ ", "bold")
        line.append(say("ur.to-roll") if seen.roll is None else say("ur.rolled", roll=seen.roll), "bold")
    if seen.winner == seat:
        line.append(f"  ★ {say('ur.wins')}", "bold yellow")
    return line.append("\n")


def _colours(seen: View) -> str:
    return "ben" if seen.rules == "ben" else "classic"


def _board(seen: View) -> Text:
    canvas = Canvas(3 * (_HIGH + 1) + 1, 8 * (_WIDE + 1) + 1)
    _draw_edges(canvas)
    labels = _labels(seen)
    for space in SPACES:
        top, left = _corner(space)
        style = _STYLE[MOTIFS[space]]
        for row, inlay in enumerate(_INLAY[MOTIFS[space]], 1):
            canvas.put(top + row, left + 1, inlay, style)
        canvas.put(top, left + 1, labels.get(space, ""), "bold")
        here = [marker for marker in seen.board if marker.space == space]
        _draw_markers(canvas, top + 2, left, here)
    return canvas.text(margin=2)


def _corner(space: str) -> tuple[int, int]:
    return "ABC".index(space[0]) * (_HIGH + 1), (int(space[1]) - 1) * (_WIDE + 1)


def _labels(seen: View) -> dict[str, str]:
    """Return the steps of the player to move, by space."""
    seat = seen.turn if seen.turn is not None else seen.winner or 0
    steps: dict[str, list[str]] = {}
    for step in range(1, len(path(seen.rules, seat)) + 1):
        steps.setdefault(shown_on(seen.rules, seen.loop, seat, step), []).append(str(step))
    return {space: "·".join(numbers) for space, numbers in steps.items()}


def _draw_markers(canvas: Canvas, row: int, left: int, here: list[Marker]) -> None:
    start = left + 1 + (_WIDE - 3 * len(here)) // 2
    for number, marker in enumerate(here):
        glyph = (_DOTTED if marker.dotted else _BLANK)[marker.seat]
        canvas.put(row, start + number * 3 + (number and len(here) % 2 == 0), glyph, _SIDE[marker.seat])


def _draw_edges(canvas: Canvas) -> None:
    """Draw the lines between the spaces."""
    for space in SPACES:
        top, left = _corner(space)
        canvas.box(top, left, top + _HIGH + 1, left + _WIDE + 1)
    canvas.draw_edges("dim")
