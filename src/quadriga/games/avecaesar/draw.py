"""Ave Caesar in the terminal."""

from __future__ import annotations

from rich.text import Text

from quadriga.engine.words import Words
from quadriga.games.avecaesar.view import View


def draw(seen: View, say: Words) -> Text:
    """The whole position."""
    return Text(repr(seen) + "\n")
