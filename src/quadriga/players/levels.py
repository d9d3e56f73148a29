"""Levels: six names for players by strength, the same in every game.

A game says in `Bots.levels` which player stands for a level. `DEFAULTS` holds for those that it does not name. A
level may have a temper of the game (`Bots.tempers`).
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
    """Return the player that a level stands for in a game, with the temper if it has one: `normal:thrifty`.

    Any other text is returned unchanged. Raises OptionError if the game does not know the temper.
    """
    level, _, temper = text.partition(":")
    if level not in DEFAULTS:
        return text
    own = {} if game.bots is None else game.bots.levels
    player = own.get(level, DEFAULTS[level])
    if not temper:
        return player
    known = () if game.bots is None else game.bots.tempers
    if temper not in known:
        raise OptionError("player.parameter", name=level, value=temper, allowed=list(known) or "-")
    return f"{player}{'+' if ':' in player else ':'}{temper}"
