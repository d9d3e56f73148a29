"""Who decides: players by name, each given no more than its seat may see."""

from __future__ import annotations

from collections.abc import Callable

from quadriga.engine.errors import OptionError
from quadriga.players.perspective import Perspective, Player
from quadriga.players.random import RandomPlayer

__all__ = ["Perspective", "Player", "RandomPlayer", "find", "names"]

_KINDS: dict[str, Callable[[int, int], Player]] = {
    "random": RandomPlayer,
}


def names() -> list[str]:
    """The players there are."""
    return list(_KINDS)


def find(name: str, seed: int, game: int = 0) -> Player:
    """A player by name; the same seed and game number decide the same."""
    if name not in _KINDS:
        raise OptionError("player.unknown", name=name, known=names())
    return _KINDS[name](seed, game)
