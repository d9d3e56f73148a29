"""Levels: six names for players by strength, the same in every game.

A game says in `Bots.levels` which player stands for a level. `DEFAULTS` holds for those that it does not name.
"""

from __future__ import annotations

from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game

DEFAULTS = {
    "beginner": "greedy:slips-100",
    "easy": "greedy:slips-50",
    "normal": "greedy",
    "hard": "search:50",
    "expert": "search:300",
    "master": "search:2000",
}

LEVELS = tuple(DEFAULTS)
"""The names of the levels, the weakest first."""


def named(text: str, game: Game) -> str:
    """Return the player that a level stands for in a game, or any other text unchanged."""
    level, colon, _ = text.partition(":")
    if level not in DEFAULTS:
        return text
    if colon:
        raise OptionError("player.parameter", name=level, value=text[len(level) + 1 :], allowed="-")
    own = {} if game.bots is None else game.bots.levels
    return own.get(level, DEFAULTS[level])
