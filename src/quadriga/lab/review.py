"""A game looked at again: what every decision was worth, what would have been better, and what was luck.

Chances are exact where tables of Ur reach. Elsewhere they are playouts by rules of thumb from what the seat knew,
to the end of the race; the best by those playouts is judged again by others before anything is called a mistake.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from quadriga.engine.compiler import Report
from quadriga.engine.machine import Machine
from quadriga.engine.match import FAMILY, Match
from quadriga.engine.record import Record
from quadriga.engine.rng import Rng
from quadriga.players import exact
from quadriga.players.search import filling
from quadriga.players.search.judge import NOTHING, judge
from quadriga.players.search.tree import ONE, utilities

Progress = Callable[[int, int], None]


class Move(msgspec.Struct, frozen=True):
    """One decision: the chance before it, that is with the best move, the chance after it, and the best move."""

    number: int
    seat: int
    text: str
    before: float
    after: float
    best: str
    lost: float
    exact: bool


class Side(msgspec.Struct, frozen=True):
    """A seat over the whole game: `result` is `start + luck - lost` and, of two seats, plus the other's `lost`."""

    seat: int
    start: float
    decisions: int
    lost: float
    luck: float
    result: float


class Review(msgspec.Struct, frozen=True):
    """A game looked at again."""

    game: str
    playouts: int
    seed: int
    exact: int  # decisions that were judged exactly
    moves: list[Move]
    sides: list[Side]


class _Judge:
    def __init__(self, match: Match, playouts: int, seed: int, report: Report | None) -> None:
        self.game, self.seats, self.playouts, self.seed = match.game, match.seats, playouts, seed
        machine = Machine(match.game, report=report, filling=filling(match.game))
        self._run = machine.link(judge)
        self._tables = match.t.array()
        self._work, self._rng = machine.states(1), np.zeros(1, Rng.dtype)
        self._lent = (*match.game.scratch(), np.zeros(match.seats, np.int64), np.zeros(match.seats, np.int64))

    def __call__(self, s: Record, seat: int, action: int, again: int = 0) -> list[float]:
        """The chance of every seat after an action; judged `again` by other cards and dice."""
        totals = np.zeros(self.seats, np.int64)
        seed = 2 * self.seed + again
        place = (self._tables, s.copy().array(), self._work, self._rng, seed, self.playouts, seat, action)
        self._run(*place, *self._lent, totals)
        return [int(total) / (self.playouts * ONE) for total in totals]


def review(
    match: Match,
    *,
    playouts: int = 200,
    seed: int = 1,
    progress: Progress | None = None,
    report: Report | None = None,
) -> Review:
    """Judge every decision of a match that left a choice."""
    judged = _Judge(match, playouts, seed, report)
    moves: list[Move] = []
    start: list[float] = []
    positions = match.positions()
    for number, entry in enumerate(match.entries, 1):
        position = next(positions)
        if not start and not entry.chance:
            start = _start(position, judged)
        if progress:
            progress(number, len(match.entries))
        if entry.chance or entry.seat is None or len(entry.legal or ()) < 2 or len(entry.actions) > 1:
            continue
        moves.append(_judged(position, judged, number, entry.seat, entry.text))
    if not start:
        start = [1 / match.seats] * match.seats
    lost = [sum(move.lost for move in moves if move.seat == seat) for seat in range(match.seats)]
    return Review(
        match.game.id,
        playouts,
        seed,
        sum(move.exact for move in moves),
        moves,
        [_side(match, seat, start, lost, moves) for seat in range(match.seats)],
    )


def _start(position: Match, judged: _Judge) -> list[float]:
    """Everybody's chance at the first decision, before anybody has decided."""
    return judged(position.s, position.actor, NOTHING)


def _judged(position: Match, judged: _Judge, number: int, seat: int, text: str) -> Move:
    actions = {each: action for each, action in position.actions().items() if not each.endswith(FAMILY)}
    known = exact.best(position.t, position.s) if position.game.id == "ur" else None
    if known is not None:
        chances = {each: known[1][action] for each, action in actions.items()}
    else:
        chances = {each: judged(position.s, seat, action)[seat] for each, action in actions.items()}
    best = max(chances, key=lambda each: (chances[each], each == text))
    if known is None and best != text:  # the best of many is lucky too: it is judged again, by other dice
        chances = {each: judged(position.s, seat, actions[each], 1)[seat] for each in (best, text)}
        best = best if chances[best] > chances[text] else text
    lost = chances[best] - chances[text]
    return Move(number, seat, text, chances[best], chances[text], best, lost, known is not None)


def _side(match: Match, seat: int, start: list[float], lost: list[float], moves: list[Move]) -> Side:
    points, won = np.array(match.scores, np.int64).data, np.zeros(match.seats, np.int64).data
    utilities(points, won)
    result = won[seat] / ONE if match.over else moves[-1].after if moves and moves[-1].seat == seat else start[seat]
    gift = lost[1 - seat] if match.seats == 2 else 0.0
    luck = result - start[seat] + lost[seat] - gift
    return Side(seat, start[seat], sum(move.seat == seat for move in moves), lost[seat], luck, result)
