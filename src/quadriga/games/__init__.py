"""The games of the house, and those that other packages bring through the entry point `quadriga.games`."""

from __future__ import annotations

import importlib
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from quadriga.engine.errors import UnknownGameError
from quadriga.engine.game import Game

GROUP = "quadriga.games"

BUILT_IN = {
    "ur": "quadriga.games.ur:GAME",
    "ave-caesar": "quadriga.games.avecaesar:GAME",
    "ben-hvrt": "quadriga.games.benhvrt:GAME",
}


def ids() -> list[str]:
    """The ids of all games there are: ours first, then other people's by name."""
    return [*BUILT_IN, *sorted(_foreign())]


@cache
def find(id: str) -> Game:
    """The game that goes by this id."""
    if id in BUILT_IN:
        module, _, name = BUILT_IN[id].partition(":")
        game = getattr(importlib.import_module(module), name)
    elif id in _foreign():
        game = _foreign()[id].load()
    else:
        raise UnknownGameError("game.unknown", id=id, known=ids())
    if not isinstance(game, Game) or game.id != id:
        raise UnknownGameError("game.broken", id=id)
    return game


def _foreign() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in BUILT_IN}
