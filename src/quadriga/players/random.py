"""The random player: any legal action, each as likely."""

from __future__ import annotations

from quadriga.engine.dice import STREAMS
from quadriga.engine.rng import Rng, below, start
from quadriga.players.perspective import Perspective


class RandomPlayer:
    """Decides by the seed, the game number and the moment alone, so that a game can be taken up again."""

    def __init__(self, seed: int, game: int = 0) -> None:
        self.seed = seed
        self.stream = game * STREAMS + STREAMS // 2  # the dice have the first half of a game's streams
        self._rng = Rng()

    def decide(self, eyes: Perspective) -> str:
        """Any legal action."""
        texts = list(eyes.actions())
        start(self._rng, self.seed, self.stream + eyes.moment)
        return texts[below(self._rng, len(texts))]
