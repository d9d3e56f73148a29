"""A player that somebody else brings: always the highest card."""

from __future__ import annotations


class Highest:
    """Made from the game, the parameters, a seed and the number of the game."""

    def __init__(self, game, parameters="", seed=0, number=0):
        self.game = game.id

    def decide(self, eyes):
        """The highest of the legal actions."""
        actions = eyes.actions()
        return max(actions, key=lambda text: actions[text])
