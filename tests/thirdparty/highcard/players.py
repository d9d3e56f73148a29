"""A player that another package brings: always the highest card."""

from __future__ import annotations

from quadriga.engine.game import Game
from quadriga.players.perspective import Perspective


class Highest:
    """Made from the game, the parameters, a seed and the number of the game."""

    def __init__(self, game: Game, parameters: str = "", seed: int = 0, number: int = 0) -> None:
        self.game = game.id

    def decide(self, observed: Perspective) -> str:
        """Return the highest of the legal actions."""
        actions = observed.actions()
        return max(actions, key=lambda text: actions[text])
