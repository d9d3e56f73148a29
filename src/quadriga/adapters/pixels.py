"""Turn a drawing for the terminal into an image: every character has a cell."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from quadriga.adapters.environment_state import need

if TYPE_CHECKING:
    from rich.text import Text

Colour = tuple[int, int, int]
Cell = tuple[str, Colour, Colour]
"""A character, its colour and its background."""

WIDE, HIGH = 10, 20  # of a cell
_PAPER = (18, 18, 20)
_INK = (222, 222, 216)
_DIM = (128, 128, 124)  # for black, which would not be visible on this background
_DARK = 60
_X, _Y = WIDE // 2, HIGH // 2

# Where the strokes of a box-drawing character go from the middle of its cell: up, down, left, right.
_STROKES = {
    "─": "lr", "│": "ud", "┌": "dr", "┐": "dl", "└": "ru", "┘": "ul", "├": "udr", "┤": "udl", "┬": "dlr",
    "┴": "ulr", "┼": "udlr", "╭": "dr", "╮": "dl", "╰": "ru", "╯": "ul", "╴": "l", "╵": "u", "╶": "r",
    "╷": "d", "┄": "lr", "┊": "ud", "═": "lr", "║": "ud", "–": "lr", "—": "lr",
}  # fmt: skip
_ENDS = {"u": (_X, 0), "d": (_X, HIGH), "l": (0, _Y), "r": (WIDE, _Y)}
_ARROWS = {"▸": ((2, 5), (8, 10), (2, 15)), "◂": ((8, 5), (2, 10), (8, 15))}
_ROUND = {"●": (4, True, 0), "○": (4, False, 0), "◎": (4, False, 1), "◉": (4, False, 2), "∘": (2, False, 0)}
_CROWN = ((2, 15), (1, 6), (3, 10), (5, 5), (7, 10), (9, 6), (8, 15), (2, 15))
_LETTERS = 0x250  # characters below this are in the font
_SLANTS = {"╱": ((0, HIGH), (WIDE, 0)), "╲": ((0, 0), (WIDE, HIGH))}


def pixels(drawing: Text) -> npt.NDArray[np.uint8]:
    """Return the drawing as an array of rows, columns and red, green and blue."""
    need("PIL", "pettingzoo", "Pillow")
    from PIL import Image, ImageDraw

    lines = _cells(drawing)
    size = (WIDE * max(map(len, lines)) + 2 * WIDE, HIGH * len(lines) + HIGH)
    image = Image.new("RGB", size, _PAPER)
    pen = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        for column, (character, ink, paper) in enumerate(line):
            x, y = WIDE + column * WIDE, _Y + row * HIGH
            if paper != _PAPER:
                pen.rectangle((x, y, x + WIDE - 1, y + HIGH - 1), fill=paper)
            if character != " ":
                _mark(pen, x, y, character, ink)
    return np.asarray(image, np.uint8)


def _cells(drawing: Text) -> list[list[Cell]]:
    """Return the drawing's characters with their colours, line by line."""
    from rich.console import Console

    lines: list[list[Cell]] = [[]]
    for segment in drawing.render(Console(force_terminal=True, color_system="truecolor")):
        ink, paper = _INK, _PAPER
        if style := segment.style:
            if style.color and not style.color.is_default:
                ink = cast("Colour", style.color.get_truecolor())
            if style.bgcolor and not style.bgcolor.is_default:
                paper = cast("Colour", style.bgcolor.get_truecolor())
            if style.reverse:
                ink, paper = paper, ink
        if paper == _PAPER and max(ink) < _DARK:
            ink = _DIM
        for character in segment.text:
            if character == "\n":
                lines.append([])
            else:
                lines[-1].append((character, ink, paper))
    return lines


def _mark(pen: Any, x: int, y: int, character: str, colour: Colour) -> None:
    """Draw one character into its cell."""
    if character in _STROKES:
        for end in _STROKES[character]:
            to = _ENDS[end]
            pen.line((x + _X, y + _Y, x + to[0], y + to[1]), fill=colour)
    elif character in _SLANTS:
        (left, top), (right, bottom) = _SLANTS[character]
        pen.line((x + left, y + top, x + right, y + bottom), fill=colour)
    elif character in _ARROWS:
        pen.polygon([(x + dx, y + dy) for dx, dy in _ARROWS[character]], fill=colour)
    elif character in _ROUND:
        radius, filled, inner = _ROUND[character]
        _circle(pen, x, y, radius, colour, filled)
        if inner:
            _circle(pen, x, y, inner, colour, True)
    elif character == "✿":
        for dx, dy in ((0, -4), (4, 0), (0, 4), (-4, 0)):
            _circle(pen, x + dx, y + dy, 2, colour, False)
    elif character == "♔":
        pen.line([(x + dx, y + dy) for dx, dy in _CROWN], fill=colour)
    elif character == "▫":
        pen.rectangle((x + 3, y + 8, x + 7, y + 12), outline=colour)
    elif ord(character) < _LETTERS:
        pen.text((x + _X, y + _Y), character, fill=colour, font=_font(), anchor="mm")
    else:
        pen.rectangle(
            (x + 2, y + 5, x + 8, y + 15), outline=colour
        )  # a card, or a character without a drawing of its own


def _circle(pen: Any, x: int, y: int, radius: int, colour: Colour, filled: bool) -> None:
    box = (x + _X - radius, y + _Y - radius, x + _X + radius, y + _Y + radius)
    pen.ellipse(box, outline=colour, fill=colour if filled else None)


@lru_cache
def _font() -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(14)
