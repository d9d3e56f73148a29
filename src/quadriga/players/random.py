"""The random player: it takes any legal action, all equally likely."""

from __future__ import annotations

from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.kernels.rng import Rng, below, start
from quadriga.engine.match.dice import STREAMS
from quadriga.engine.match.entry import FAMILY
from quadriga.players.perspective import Perspective

PROPOSAL_ODDS = 16  # one in 16 offers that the player proposes is made


class RandomPlayer:
    """Decides at random. Deterministic per seed, game and move, so a saved game continues the same."""

    def __init__(self, game: Game, parameters: str = "", seed: int = 0, number: int = 0) -> None:
        if parameters:
            raise OptionError("player.parameter", name="random", value=parameters, allowed="-")
        self.seed = seed
        self.stream = number * STREAMS + STREAMS // 2  # the dice have the first half of a game's streams
        self._rng = Rng()

    def decide(self, observed: Perspective) -> str:
        """Return any legal action. A member of a family is returned only rarely, and then a sensible one."""
        start(self._rng, self.seed, self.stream + observed.moment)
        texts = list(observed.actions())
        single = [text for text in texts if not text.endswith(FAMILY)]
        chosen = texts[below(self._rng, len(texts))]
        if chosen.endswith(FAMILY):
            member = observed.propose(chosen, self._rng) if below(self._rng, PROPOSAL_ODDS) == 0 else None
            return member or single[below(self._rng, len(single))]
        return chosen
