"""The greedy player: it follows a game's rules of thumb (`Bots.advise`), which use what a seat may see.

The rules are kernels, so that they can play millions of games. In a single game they are given a random position
that fits what the seat knows, so even a mistake in them could not reveal a hidden card. In a game without rules of
thumb the player takes any legal action.

`greedy:no-trades` leaves out a part of the rules. `greedy:thrifty` has a temper of the game (`Bots.tempers`).
`greedy:slips-30` plays as people do who do not think of everything: in 30 of 100 decisions it slips, and forgets
about half of the parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.kernels.kernel import kernel
from quadriga.engine.kernels.link import plain
from quadriga.engine.kernels.rng import Rng, below, start
from quadriga.engine.kernels.slots import advise
from quadriga.engine.match.dice import STREAMS
from quadriga.engine.parts.bots import FIRST_TEMPER
from quadriga.players.perspective import Perspective, chosen_text

MOST_SLIPS = 100  # in every decision
_ALL_PARTS = 1 << FIRST_TEMPER


@cache
def plain_rules(game: Game) -> Callable[..., Any]:
    """Return the rules of thumb as plain Python."""
    return plain(advise, game.bindings)


class Habits(NamedTuple):
    """How a greedy player departs from its rules: missing parts and a temper, as bits, and slips per cent."""

    without: int
    slips: int


def temper_bit(game: Game, temper: str) -> int:
    """Return the bit of a temper of a game in the parameter of its rules of thumb."""
    assert game.bots is not None
    return 1 << FIRST_TEMPER + game.bots.tempers.index(temper)


def habits(game: Game, text: str) -> Habits:
    """Return the habits that parameters name: `no-trades+slips-30`. One of them may be a temper: `thrifty`."""
    parts, tempers = ((), ()) if game.bots is None else (game.bots.parts, game.bots.tempers)
    bits = slips = 0
    for word in filter(None, text.split("+")):
        if (found := re.fullmatch(r"slips-(\d{1,3})", word, re.ASCII)) and int(found[1]) <= MOST_SLIPS:
            slips = int(found[1])
        elif word.startswith("no-") and word[3:] in parts:
            bits |= 1 << parts.index(word[3:])
        elif word in tempers and not bits >> FIRST_TEMPER:
            bits |= temper_bit(game, word)
        else:
            allowed = [*(f"no-{part}" for part in parts), f"slips-0..{MOST_SLIPS}", *tempers]
            raise OptionError("player.parameter", name="greedy", value=word, allowed=allowed)
    return Habits(bits, slips)


@kernel
def left_out(rng: Rng, without: int, slips: int) -> int:
    """Return the parts that a player leaves out in one decision; a slip adds each part with a chance of a half."""
    if slips and below(rng, MOST_SLIPS) < slips:
        return without | below(rng, _ALL_PARTS)
    return without


class GreedyPlayer:
    """Decides by rules of thumb. Deterministic per seed, game and move."""

    def __init__(self, game: Game, parameters: str = "", seed: int = 0, number: int = 0) -> None:
        self.habits = habits(game, parameters)
        self.seed = seed
        self.stream = number * STREAMS + STREAMS // 2

    def decide(self, observed: Perspective) -> str:
        """Return the action that the rules of thumb advise in a determinization of the seat's information set."""
        rng = Rng()
        start(rng, self.seed, self.stream + STREAMS // 4 + observed.moment)
        without = left_out(rng, *self.habits)
        return decided(plain_rules(observed.game), observed, self.seed, self.stream, without)


def decided(apply: Callable[..., Any], observed: Perspective, seed: int, stream: int, parameter: int) -> str:
    """Return the action of a kernel in a determinization of the seat's information set."""
    dealer, rng = Rng(), Rng()
    start(dealer, seed, stream + observed.moment)
    start(rng, seed, stream + observed.moment)
    world = observed.world(dealer)
    return chosen_text(observed, world, lambda s, out, n: apply(observed.tables, s, rng, out, n, parameter))
