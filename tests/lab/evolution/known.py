"""The values of a game's bots."""

from __future__ import annotations

from quadriga.engine.parts.values import Values
from quadriga.games import find


def values_of(game: str) -> Values:
    bots = find(game).bots
    assert bots is not None
    assert bots.values is not None
    return bots.values
