"""Traces of seeded random games."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from quadriga.engine.game import Game
from quadriga.engine.match.dice import Dice, FairDice, SeededDice
from quadriga.engine.match.match import Match
from quadriga.engine.match.options import Options
from quadriga.engine.match.trace import dumps
from quadriga.players import Perspective, RandomPlayer


def random_match(game: Game, options: Options, seats: int, seed: int, number: int, dice: Dice) -> Match:
    """Play a whole game by random legal actions and return it."""
    match = Match(game, options, seats, dice)
    player = RandomPlayer(game, seed=seed, number=number)
    while not match.over:
        match.play(player.decide(Perspective(match)))
    return match


def random_traces(
    game: Game, options: Options, seats: int, seed: int, games: int, fair: bool = False
) -> Iterator[str]:
    """Yield the traces of random games, numbered from 0. The seeds of fair dice are derived from `seed`."""
    for number in range(games):
        dice = FairDice([""] * seats, fair_seed(seed, number)) if fair else SeededDice(seed, number)
        yield dumps(random_match(game, options, seats, seed, number, dice))


def fair_seed(seed: int, number: int) -> bytes:
    """Return a reproducible seed for fair dice. It is for examples and tests: `seed` reveals all rolls."""
    return hashlib.sha256(f"quadriga example {seed} {number}".encode()).digest()
