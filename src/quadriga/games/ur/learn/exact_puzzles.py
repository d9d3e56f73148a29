"""Make puzzles of Ur with exact values from solved tables. `Teaching` names this module, which uses bots.

They come from games that rules of thumb play against each other. A position is taken where one move is clearly best
and the rules of thumb play another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from quadriga.engine.errors import OptionError
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.games.ur.state import State, Tables
from quadriga.games.ur.view import markers_of
from quadriga.learn.puzzles import Puzzle, in_order
from quadriga.players import exact
from quadriga.players.bot import NamedBot

LEFT = 3  # markers that each side has left, at most: the tables of `quadriga solve ur --markers 3` hold these
GRADES = (0.06, 0.035, 0.02)  # the least lead of the best move over the next, from easy to hard
_EVEN = (0.08, 0.94)  # win probabilities of the best move between which a position is interesting
_CHOICES = 3  # legal moves, at least


def make(count: int, seed: int, report: Callable[[int, int], None] = lambda done, total: None) -> list[Puzzle]:
    """Return `count` new puzzles, spread evenly over the grades. Raises OptionError if the tables are missing."""
    wanted = [count // len(GRADES) + (grade < count % len(GRADES)) for grade in range(len(GRADES))]
    found: list[list[Puzzle]] = [[] for _ in GRADES]
    seen: set[bytes] = set()
    number = 0
    while any(len(each) < most for each, most in zip(found, wanted, strict=True)):
        for puzzle in _from_game(seed + number, seen):
            if len(found[puzzle.grade - 1]) < wanted[puzzle.grade - 1]:
                found[puzzle.grade - 1].append(puzzle)
        number += 1
        report(sum(map(len, found)), count)
    return in_order([puzzle for each in found for puzzle in each])


def _from_game(seed: int, seen: set[bytes]) -> list[Puzzle]:
    """Return the puzzles of one game between rules of thumb."""
    match = Match(find("ur"), {}, 2, SeededDice(seed))
    bot = NamedBot("greedy", seed)
    found = []
    while not match.over:
        played = bot.choose(match)
        t, s = _records(match)
        if all(t.markers - s.off[seat] <= LEFT for seat in (0, 1)):
            puzzle = _puzzle(match, played)
            if puzzle is not None and (key := msgspec.json.encode(puzzle.position)) not in seen:
                seen.add(key)
                found.append(puzzle)
        match.push(played)
    return found


def _records(match: Match) -> tuple[Tables, State]:
    """Return the tables and the state of a match of Ur."""
    assert isinstance(match.t, Tables)
    assert isinstance(match.s, State)
    return match.t, match.s


def _puzzle(match: Match, obvious: str) -> Puzzle | None:
    """Return the position as a puzzle for Black, or None if it makes no good one."""
    solved = exact.best(match.t, match.s)
    if solved is None:
        raise OptionError("learn.tables", package=match.game.package, markers=LEFT)
    texts = {action: text for text, action in match.actions().items()}
    values = {texts[action]: round(chance, 4) for action, chance in solved[1].items()}
    best, second, *_ = [*sorted(values.values(), reverse=True), 0.0, 0.0]
    lead = best - second
    if len(values) < _CHOICES or lead < GRADES[-1] or values[obvious] == best or not _EVEN[0] < best < _EVEN[1]:
        return None
    grade = next(number for number, least in enumerate(GRADES, 1) if lead >= least)
    return Puzzle(id="", grade=grade, position=_position(match), values=values, obvious=obvious)


def _position(match: Match) -> dict[str, Any]:
    """Describe a position as if the side to move were Black; the board is the same from both sides."""
    me, (t, s) = match.actor, _records(match)
    sides = [
        " ".join(f"{marker.step}{'.' if marker.dotted else ''}" for marker in markers_of(t, s, seat))
        for seat in (me, me ^ 1)
    ]
    off = [s.off[me], s.off[me ^ 1]]
    return {"black": sides[0], "white": sides[1], "off": off, "roll": s.roll}
