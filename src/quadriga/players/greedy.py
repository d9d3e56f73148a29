"""The greedy player: it follows a game's rules of thumb (`Bots.advise`), which use what a seat may see.

The rules are kernels, so that they can play millions of games. In a single game they are given a random position
that fits what the seat knows, so even a mistake in them could not reveal a hidden card. In a game without rules of
thumb the player takes any legal action.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.kernels.link import plain
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.kernels.slots import advise
from quadriga.engine.match.dice import STREAMS
from quadriga.players.perspective import Perspective, chosen_text


@cache
def plain_rules(game: Game) -> Callable[..., Any]:
    """Return the rules of thumb as plain Python."""
    return plain(advise, game.bindings)


def left_out(game: Game, text: str) -> int:
    """Return the parts that a player leaves out, as bits: `no-trades+no-bids`."""
    parts = () if game.bots is None else game.bots.parts
    bits = 0
    for word in filter(None, text.split("+")):
        name = word.removeprefix("no-")
        if name == word or name not in parts:
            allowed = [f"no-{part}" for part in parts] or "-"
            raise OptionError("player.parameter", name="greedy", value=word, allowed=allowed)
        bits |= 1 << parts.index(name)
    return bits


class GreedyPlayer:
    """Decides by rules of thumb. Deterministic per seed, game and move."""

    def __init__(self, game: Game, parameters: str = "", seed: int = 0, number: int = 0) -> None:
        self.without = left_out(game, parameters)
        self.seed = seed
        self.stream = number * STREAMS + STREAMS // 2

    def decide(self, observed: Perspective) -> str:
        """Return the action that the rules of thumb advise in a determinization of the seat's information set."""
        return decided(plain_rules(observed.game), observed, self.seed, self.stream, self.without)


def decided(apply: Callable[..., Any], observed: Perspective, seed: int, stream: int, parameter: int) -> str:
    """Return the action of a kernel in a determinization of the seat's information set."""
    dealer, rng = Rng(), Rng()
    start(dealer, seed, stream + observed.moment)
    start(rng, seed, stream + observed.moment)
    world = observed.world(dealer)
    return chosen_text(observed, world, lambda s, out, n: apply(observed.tables, s, rng, out, n, parameter))
