"""All games: the built-in ones, and those that other packages add through the entry point `quadriga.games`.

A game is one package with all that there is about it. The three have the same modules: `board` (geometry), `state`
(records), `rules` (kernels), `notation` (actions as text), `view` (all that a seat may see), `explain` and
`why_illegal` (messages), `options` (setup), `drawing` (terminal, picture, page), `bots`, `study` (what the lab
counts), `learn` and `words`.
"""

from __future__ import annotations

import copyreg
import importlib
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from quadriga.engine.errors import UnknownGameError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from quadriga.engine.game import Game

GROUP = "quadriga.games"

BUILT_IN = {
    "ur": "quadriga.games.ur:GAME",
    "ave-caesar": "quadriga.games.avecaesar:GAME",
    "ben-hvrt": "quadriga.games.benhvrt:GAME",
}


def ids() -> list[str]:
    """Return the ids of all games: the built-in ones first, then those of other packages by name."""
    return [*BUILT_IN, *sorted(_plugins())]


@cache
def find(id: str) -> Game:
    """Return a game by its id. Raise UnknownGameError if there is none, or if its package is broken."""
    from quadriga.engine.game import Game  # loads NumPy, which `ids` does not need

    copyreg.pickle(Game, _reduced)
    if id in BUILT_IN:
        module, _, name = BUILT_IN[id].partition(":")
        game = getattr(importlib.import_module(module), name)
    elif id in _plugins():
        game = _plugins()[id].load()
    else:
        raise UnknownGameError("game.unknown", id=id, known=ids())
    if not isinstance(game, Game) or game.id != id:
        raise UnknownGameError("game.broken", id=id)
    return game


@cache  # reading what is installed takes milliseconds
def _plugins() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in BUILT_IN}


def _reduced(game: Game) -> tuple[Callable[[str], Game], tuple[str]]:
    """Pickle a game by its id, so that matches can be, too."""
    return find, (game.id,)
