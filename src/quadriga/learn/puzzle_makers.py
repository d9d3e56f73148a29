"""Find the way in which puzzles of a game are made."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import cast

from quadriga.engine.game import Game
from quadriga.games import find, ids
from quadriga.learn import searched_puzzles
from quadriga.learn.puzzles import Puzzle

Maker = Callable[[int, int, Callable[[int, int], None]], list[Puzzle]]
"""Makes a number of puzzles from a seed, and reports how many are found, of how many."""


def find_maker(game: Game) -> Maker | None:
    """Return the function that makes puzzles of a game; None if there is none."""
    if game.teaching is None:
        return None
    if game.teaching.puzzle_maker is not None:
        return cast("Maker", import_module(game.teaching.puzzle_maker).make)
    return None if game.teaching.puzzles is None else partial(searched_puzzles.make, game)


def games_with_makers() -> list[str]:
    """Return the ids of the games that puzzles can be made of."""
    return [each for each in ids() if find_maker(find(each)) is not None]
