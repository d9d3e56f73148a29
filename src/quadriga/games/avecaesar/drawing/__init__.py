"""Draw the game: in the terminal, as a picture, and the data for the page.

Libraries for drawing load slowly, so these functions import their modules on the first call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from quadriga.engine.text.catalogues import Words
from quadriga.games.avecaesar.state import Tables
from quadriga.games.avecaesar.view import View

if TYPE_CHECKING:
    from rich.text import Text


def draw_text(t: Tables, seen: View, say: Words, width: int = 80, marks: Mapping[str, str] | None = None) -> Text:
    """Return a view for a terminal."""
    from quadriga.games.avecaesar.drawing.render_text import render_text

    return render_text(t, seen, say, width, marks)


def draw_low(t: Tables, seen: View, say: Words, width: int = 80, marks: Mapping[str, str] | None = None) -> Text:
    """Return a view for a terminal with few lines."""
    from quadriga.games.avecaesar.drawing.render_text import render_low

    return render_low(t, seen, say, width, marks)


def draw_status(t: Tables, seen: View, say: Words) -> Text:
    """Return a view for a terminal without the board."""
    from quadriga.games.avecaesar.drawing.render_text import render_status

    return render_status(t, seen, say)


def draw_svg(t: Tables, seen: View | None = None, caption: Sequence[str] = ()) -> str:
    """Return the board as a picture, with the pieces of a view if there is one."""
    from quadriga.games.avecaesar.drawing.render_svg import render_svg

    return render_svg(t.raced[seen.race - 1 if seen else 0], seen, caption)


def page_geometry(t: Tables) -> dict[str, object]:
    """Return the board as JSON, for the page."""
    from quadriga.games.avecaesar.drawing.page import geometry

    return geometry(t)
