"""Puzzles, "find the best move": positions in which one move is clearly best and the obvious one is another.

`puzzles.json` of a game's package holds its puzzles. They were made by the game's own maker,
or by long searches (`searched_puzzles`).
"""

from __future__ import annotations

import math
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.kernels.rng import Rng
from quadriga.engine.kernels.rng import start as seed_rng
from quadriga.engine.match.match import Match
from quadriga.games import find, ids
from quadriga.learn.lesson import set_up

_WORLD = 1  # the seed of the determinization in which a puzzle is shown


class Puzzle(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A position in which the seat to decide has one best move.

    A value is the chance to win with two seats, and with more the share of the result. Half of a share is for the
    win, half for the seats that have less. Errors are half-widths of 95 % intervals; exact values have none.
    """

    id: str
    grade: int  # 1 easy, 2 medium, 3 hard
    seats: int = 2
    options: dict[str, Any] = {}
    position: dict[str, Any] = {}  # as `Teaching.place` takes it; empty for the start of a game
    play: list[str] = []  # decisions and outcomes that lead from there to the position that is shown
    values: dict[str, float]  # by move
    errors: dict[str, float] = {}
    lead_error: float = 0.0  # of the lead of the best move over the next one
    playouts: int = 0  # behind each value
    obvious: str  # the move that rules of thumb make

    @property
    def best(self) -> str:
        """Return the best move."""
        return max(self.values, key=lambda text: self.values[text])

    @property
    def lead(self) -> float:
        """Return how much better the best move is than the next one."""
        first, second, *_ = sorted(self.values.values(), reverse=True)
        return first - second

    @property
    def is_exact(self) -> bool:
        """Return whether the values come from solved tables."""
        return not self.playouts


def has_puzzles(game: Game) -> bool:
    """Return whether a game has puzzles."""
    return bool(_file(game).is_file())


def games_with_puzzles() -> list[str]:
    """Return the ids of the games that have puzzles."""
    return [each for each in ids() if has_puzzles(find(each))]


@cache
def puzzles(game: str) -> list[Puzzle]:
    """Return the puzzles of a game, the easy ones first. Raises OptionError if it has none."""
    found = find(game)
    if not has_puzzles(found):
        raise OptionError("learn.no-puzzles", game=game, known=games_with_puzzles())
    return msgspec.json.decode(_file(found).read_bytes(), type=list[Puzzle])


def find_puzzle(game: str, id: str) -> Puzzle:
    """Return a puzzle by its id. Raises OptionError if there is none."""
    known = {puzzle.id: puzzle for puzzle in puzzles(game)}
    if id not in known:
        raise OptionError("learn.puzzle", puzzle=id, first=puzzles(game)[0].id, last=puzzles(game)[-1].id)
    return known[id]


def stride(game: str) -> int:
    """Return the distance in the list from one day's puzzle to the next day's, such that their grades differ."""
    count = len(puzzles(game))
    return next(step for step in range(count * 5 // 8, 2 * count) if math.gcd(step, count) == 1)


def of_the_day(game: str, day: int) -> Puzzle:
    """Return a game's puzzle of a day, counted in days since 1970: all of them in turn."""
    return puzzles(game)[day * stride(game) % len(puzzles(game))]


def start(game: str, puzzle: Puzzle) -> Match:
    """Return the match of a puzzle, in the position in which the solver is asked.

    What the solver's seat cannot know is dealt anew, so that nothing shows the cards of the game that was played.
    """
    found = find(game)
    match = Match(found, puzzle.options, puzzle.seats)
    if puzzle.position:
        set_up(match, puzzle.position)
    for text in puzzle.play:
        (match.push if match.actor >= 0 else match.happen)(text)
    rng = Rng()
    seed_rng(rng, _WORLD, 0)
    found.rules.deal(match.t, match.s, match.actor, rng)
    return match


def in_order(found: list[Puzzle]) -> list[Puzzle]:
    """Return puzzles sorted by grade, the easy ones first, with new ids in that order."""
    ordered = sorted(found, key=lambda puzzle: puzzle.grade)
    return [msgspec.structs.replace(puzzle, id=f"{place:03}") for place, puzzle in enumerate(ordered, 1)]


def _file(game: Game) -> Any:
    return resources.files(game.package).joinpath("learn", "puzzles.json")
