"""Draw heat maps: the game's own picture of its board, with a colour for each space.

A page holds each board once, and every heat map refers to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from quadriga.engine.text.svg import element
from quadriga.lab.report.dataset import Dataset
from quadriga.lab.report.figure import Heat

# From light to dark in even steps of lightness, so that the order is seen without colours too.
SCALE = ("#fff7d6", "#fdd17f", "#f79a4b", "#d95a4e", "#9d2f6d", "#4b1d6b")


class Board(NamedTuple):
    """The picture of a board and the outlines of its spaces, as the `d` of paths."""

    id: str
    box: str
    content: str
    outlines: Mapping[str, str]


def boards(data: Dataset, prefix: str = "") -> dict[str, Board]:
    """Return the boards of a study by their names in heat maps. `prefix` tells the boards of two studies apart."""
    study = data.game.study
    pictures = {} if study is None or study.boards is None else study.boards(data.tables)
    return {
        name: _board(prefix + name.replace(" ", "-"), picture.drawing, picture.outlines)
        for name, picture in pictures.items()
    }


_GRAIN = re.compile(r"<rect[^>]*filter=[^>]*/>")
_ID = re.compile(r'(id="|url\(#)([a-z]+)')


def _board(id: str, drawing: str, outlines: Mapping[str, str]) -> Board:
    """Return a board without its grain texture, which is slow to draw, and with ids that are unique in a page."""
    opening, rest = drawing.split("\n", 1)
    box = re.search(r'viewBox="([^"]*)"', opening)
    content = rest.rsplit("</svg>", 1)[0]
    content = re.sub(r"<title>.*?</title>", "", content)
    content = _ID.sub(rf"\1{id}-\2", _GRAIN.sub("", content))
    return Board(f"board-{id}", box.group(1) if box else "0 0 1 1", content, outlines)


def shared(found: list[dict[str, Board]]) -> list[dict[str, Board]]:
    """Return the boards of each study, with one board for those that look the same in the first study."""
    first = found[0]
    return [
        {
            name: first[name] if name in first and _looks_like(board, first[name]) else board
            for name, board in each.items()
        }
        for each in found
    ]


def _looks_like(board: Board, other: Board) -> bool:
    return board.outlines == other.outlines and board.content.replace(board.id[6:], other.id[6:]) == other.content


def definitions(found: Mapping[str, Board]) -> str:
    """Return the boards of a page by id, which show nothing by themselves."""
    symbols = [element("symbol", board.content, id=name, viewBox=board.box) for name, board in found.items()]
    return (
        element("svg", *symbols, width=0, height=0, aria_hidden="true", class_="boards", focusable="false")
        if symbols
        else ""
    )


def heat_map(board: Board, heat: Heat, most: float, described: str) -> str:
    """Return a heat map with colours up to the value `most`. `described` is the id of its heading."""
    cells = [
        element("path", d=board.outlines[space], fill=colour(value / most if most else 0.0))
        for space, value in heat.values.items()
        if space in board.outlines
    ]
    _, _, width, height = board.box.split()
    ground = element("use", href=f"#{board.id}", width=width, height=height)
    over = element("g", *cells, class_="heat")
    return element("svg", ground, over, viewBox=board.box, role="img", aria_labelledby=described)


def colour(share: float) -> str:
    """Return the colour of a share of the scale, between two of its colours."""
    place = min(max(share, 0.0), 1.0) * (len(SCALE) - 1)
    k = min(int(place), len(SCALE) - 2)
    mixed = [round(a + (b - a) * (place - k)) for a, b in zip(_rgb(SCALE[k]), _rgb(SCALE[k + 1]), strict=True)]
    return "#" + "".join(f"{each:02x}" for each in mixed)


def _rgb(code: str) -> list[int]:
    return [int(code[i : i + 2], 16) for i in (1, 3, 5)]
