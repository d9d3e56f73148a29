"""Bots by name. A bot is given no more than its seat may see.

A player is written `NAME` or `NAME:PARAMETERS`, as in `greedy` or `search:500`. Other packages add players through
the entry point `quadriga.players`: a function of the game, the parameters, a seed and the number of the game.

A player can also be in a file, `careful.py:Careful`, which is loaded where it is admitted (`player_files`).
`foreign` tells errors of players that are not ours from our own.

`perspective` is the input of a player, `analysis` an answer that it may give beside its decision. `random`,
`greedy` and `search` are the players, and `exploiter` plays those that only measure. `search` uses `exact` endgame
tables and a `learned` network. `levels` names players by strength. `compiled_match` and `vector_greedy` let players
play in compiled code.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.players import foreign
from quadriga.players.analysis import Considered, Considers
from quadriga.players.exploiter import ExploiterPlayer
from quadriga.players.greedy import GreedyPlayer
from quadriga.players.levels import LEVELS, named
from quadriga.players.perspective import Perspective, Player
from quadriga.players.player_files import admit, admitted, split
from quadriga.players.random import RandomPlayer
from quadriga.players.search import SearchPlayer

__all__ = [
    "Considered",
    "Considers",
    "Factory",
    "GreedyPlayer",
    "Perspective",
    "Player",
    "RandomPlayer",
    "SearchPlayer",
    "admit",
    "check",
    "check_name",
    "find",
    "names",
]

GROUP = "quadriga.players"

Factory = Callable[[Game, str, int, int], Player]
"""Makes a player for a game from its parameters, a seed and the number of the game; refuses bad parameters."""

BUILT_IN: dict[str, Factory] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "search": SearchPlayer,
}
MEASURING: dict[str, Factory] = {"exploiter": ExploiterPlayer}  # no opponents for people, and not listed


def names() -> list[str]:
    """Return the names of all players: built-in ones, those of other packages by name, then levels."""
    return [*BUILT_IN, *sorted(_plugins()), *LEVELS]


def find(text: str, game: Game, seed: int, number: int = 0) -> Player:
    """Return a player by name and parameters, which is deterministic per seed and number of the game."""
    name, parameters = split(named(text, game))
    return _factory(name)(game, parameters, seed, number)


def check(text: str, game: Game) -> None:
    """Raise OptionError for a player that does not exist or does not take these parameters."""
    find(text, game, 0)


def check_name(text: str) -> None:
    """Raise OptionError if no player has the name, whatever its parameters."""
    name = split(text)[0]
    if name not in LEVELS:
        _factory(name)


def _factory(name: str) -> Factory:
    if name in BUILT_IN or name in MEASURING:
        return {**BUILT_IN, **MEASURING}[name]
    return admitted(name) or _plugin(name)


@cache
def _plugin(name: str) -> Factory:
    if name not in _plugins():
        raise OptionError("player.unknown", name=name, known=names())
    factory: Any = _plugins()[name].load()
    if not callable(factory):
        raise OptionError("player.broken", name=name)
    return partial(foreign.make, name, factory)


@cache  # reading what is installed takes milliseconds
def _plugins() -> dict[str, EntryPoint]:
    own = {*BUILT_IN, *MEASURING, *LEVELS}
    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in own}
