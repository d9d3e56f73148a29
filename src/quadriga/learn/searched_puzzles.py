"""Make puzzles by long searches, of games that no tables exist of.

They come from races that rules of thumb drive against each other. Every legal move of a position is judged by
playouts in worlds that fit what the seat knows, with the same worlds and dice for all moves. A position is taken
where one move is clearly best, beyond the error of the estimate, the rules of thumb play another, and a long tree
search, in which all seats look for their best moves, finds the same best move. The numbers of a puzzle come from
playouts that had no part in the choice of the position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from quadriga.engine.game import Game
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.entry import FAMILY
from quadriga.engine.match.match import Match
from quadriga.engine.parts.teaching import PuzzleSetup
from quadriga.learn.puzzles import Puzzle, in_order
from quadriga.players.bot import NamedBot
from quadriga.players.search import tree_choice
from quadriga.players.search.estimate import PlayoutJudge, half_width

PLAYOUTS = 20_000  # behind each value of a puzzle
TREE = 30_000  # playouts of the tree search that has to agree
_SCREENS = (200, 2_000)  # playouts of each move that a position is first screened with
_SLACK = 0.8  # a screen lets a lead pass that is this part of the least one
_EVEN = (0.08, 0.94)  # values of the best move between which a position is interesting
_CHOICES = 3  # legal moves, at least
_PER_GAME = 2  # puzzles of one game, at most
_SHARE = 3  # at most one part in so many has the same kind of best move, where moves have kinds,
_GRADE_SHARE = 2  # ... and one part in so many the same grade

Worth = dict[str, npt.NDArray[np.float64]]
"""The estimated value of each move for the seat to decide, a number for each batch of playouts."""


def make(
    game: Game, count: int, seed: int, report: Callable[[int, int], None] = lambda done, total: None
) -> list[Puzzle]:
    """Search games for `count` puzzles and return them; after an interrupt, those that were found so far."""
    found: list[Puzzle] = []
    kinds: Counter[str] = Counter()
    grades: Counter[int] = Counter()
    number = 0
    try:
        while len(found) < count:
            known: set[str] = set()  # two decisions of one game may ask the same
            for puzzle in _from_game(game, number, seed):
                if puzzle.best in known:
                    continue
                known.add(puzzle.best)
                kind = puzzle.best.split()[0]
                is_common = not kind.isdecimal() and kinds[kind] >= -(-count // _SHARE)
                if len(found) < count and not is_common and grades[puzzle.grade] < -(-count // _GRADE_SHARE):
                    found.append(puzzle)
                    kinds[kind] += 1
                    grades[puzzle.grade] += 1
            number += 1
            report(len(found), count)
    except KeyboardInterrupt:
        pass
    return in_order(found)


def puzzle_setup(game: Game) -> PuzzleSetup:
    """Return the games that puzzles are searched in. The game must have them."""
    found = None if game.teaching is None else game.teaching.puzzles
    assert found is not None
    return found


def _from_game(game: Game, number: int, seed: int) -> list[Puzzle]:
    """Return the puzzles of one game between rules of thumb."""
    setup = puzzle_setup(game)
    match = Match(game, setup.options(number), setup.seats(number), SeededDice(seed + number))
    bot = NamedBot("greedy", seed + number)
    finder = Finder(match, setup.grades, seed)
    found: list[Puzzle] = []
    while not match.over and len(found) < _PER_GAME:
        obvious = bot.choose(match)
        puzzle = finder.puzzle(match, obvious)
        if puzzle is not None:
            found.append(puzzle)
        match.push(obvious)
    return found


class Finder:
    """Finds the puzzles of one match."""

    def __init__(self, match: Match, grades: tuple[float, ...], seed: int) -> None:
        self.grades, self.seed = grades, seed
        self._judges = [PlayoutJudge(match, playouts, seed + i) for i, playouts in enumerate(_SCREENS)]
        self._judge = PlayoutJudge(match, PLAYOUTS, seed + len(_SCREENS))

    def puzzle(self, match: Match, obvious: str) -> Puzzle | None:
        """Return the position as a puzzle for the seat to decide, or None if it makes no good one."""
        actions = match.actions()
        if len(actions) < _CHOICES or any(text.endswith(FAMILY) for text in actions):
            return None
        for judge in self._judges:
            worth = _judged(match, judge)
            first, second, *_ = _ranked(worth)
            lead = float((worth[first] - worth[second]).mean())
            if first == obvious or lead < _SLACK * self.grades[-1] or not _is_even(worth[first]):
                return None
        if long_search(match, self.seed) != first:
            return None
        worth = _judged(match, self._judge)
        best, second, *_ = _ranked(worth)
        ahead = worth[best] - worth[second]
        lead, error = float(ahead.mean()), half_width(ahead)
        if best != first or lead - error < self.grades[-1] or not _is_even(worth[best]):
            return None
        return Puzzle(
            id="",
            grade=next(grade for grade, least in enumerate(self.grades, 1) if lead - error >= least),
            seats=match.seats,
            options={name: match.options[name] for name in puzzle_setup(match.game).options(0)},
            play=[entry.text for entry in match.entries],
            values={text: round(float(worth[text].mean()), 4) for text in worth},
            errors={text: round(half_width(worth[text]), 4) for text in worth},
            lead_error=round(error, 4),
            playouts=PLAYOUTS,
            obvious=obvious,
        )


def judged(match: Match, playouts: int, seed: int) -> Worth:
    """Return the estimated value of every move for the seat to decide, from this many playouts each."""
    return _judged(match, PlayoutJudge(match, playouts, seed))


def long_search(match: Match, seed: int) -> str:
    """Return the best move by a long tree search."""
    return tree_choice(match, seed, TREE)


def _judged(match: Match, judge: PlayoutJudge) -> Worth:
    seat = match.actor
    return {text: judge(match.s, seat, (action,))[:, seat] for text, action in match.actions().items()}


def _ranked(worth: Worth) -> list[str]:
    return sorted(worth, key=lambda text: -worth[text].mean())


def _is_even(worth: npt.NDArray[np.float64]) -> bool:
    return _EVEN[0] < float(worth.mean()) < _EVEN[1]
