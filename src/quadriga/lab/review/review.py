"""Review a game: judge every decision, name the better action, and separate skill from luck.

Chances are exact where tables of Ur hold the position. Elsewhere they come from playouts by rules of thumb, from
what the seat knew to the end of the race. The best action by those playouts is judged again by others before
another one is called a mistake, and a loss counts only beyond the error of the estimate. Between two decisions of
one seat in a row, the chance is the one before the second. Offers and bribes that were made are judged like any
other action. Of those that could have been made instead, only the one that the rules of thumb would have made is
judged: there are too many others.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec
import numpy as np

from quadriga.engine.kernels.compiler import Report
from quadriga.engine.match.entry import FAMILY, Entry
from quadriga.engine.match.match import Match
from quadriga.players import exact
from quadriga.players.search import bindings
from quadriga.players.search.estimate import Chances, PlayoutJudge, half_width
from quadriga.players.search.playout import ONE, utilities
from quadriga.players.search.search_slots import shortlist

Progress = Callable[[int, int], None]

SLIP = 0.01  # a decision that loses at least this is a mistake


class Move(msgspec.Struct, frozen=True):
    """One decision: the mover's chance with the best move (`before`) and with the move made (`after`)."""

    number: int
    seat: int
    text: str
    before: float
    after: float
    best: str
    lost: float  # 0 unless it is beyond the error of the estimate
    exact: bool
    chances: list[float]  # of every seat after it
    error: float = 0.0  # the half-width of the 95 % interval of `after`,
    lost_error: float = 0.0  # ... and of `lost`
    unjudged: bool = False  # whether there were other possible offers or bribes, which are not judged


class Side(msgspec.Struct, frozen=True):
    """A seat over the whole game: `result` is `start + luck - lost` plus, with two seats, the other's `lost`."""

    seat: int
    start: float
    decisions: int
    slips: int  # decisions that lost at least `SLIP`
    lost: float
    average: float  # `lost` for each decision
    luck: float
    result: float
    adjusted: float = (
        0.0  # the result without luck: with two seats, `start` less what was lost, and more by the other's
    )
    adjusted_error: float = 0.0  # the half-width of its 95 % interval; 0 if everything is exact


class Review(msgspec.Struct, frozen=True):
    """A reviewed game."""

    game: str
    playouts: int
    seed: int
    exact: int  # the number of decisions that were judged exactly
    error: float  # the mean of the errors of the others
    entries: int  # the length of the game
    moves: list[Move]
    sides: list[Side]
    interrupted: bool = False  # whether it ends before the game does


def _mean(chances: Chances) -> list[float]:
    return [float(chance) for chance in chances.mean(axis=0)]


def review(
    match: Match,
    *,
    playouts: int = 200,
    seed: int = 1,
    progress: Progress | None = None,
    report: Report | None = None,
) -> Review:
    """Judge every decision of a match that left a choice. After an interrupt, return the decisions so far."""
    judge_by_playouts = PlayoutJudge(match, playouts, seed, report)
    moves: list[Move] = []
    start: list[float] = []
    start_error = 0.0
    interrupted = False
    try:
        for number, (position, entry) in enumerate(zip(match.positions(), match.entries, strict=False), 1):
            if not start and not entry.chance:
                start, start_error = _start(position, judge_by_playouts)
            if progress:
                progress(number, len(match.entries))
            if not entry.chance and entry.seat is not None and len(entry.legal or ()) > 1:
                moves.append(_judge_move(position, judge_by_playouts, number, entry))
    except KeyboardInterrupt:
        interrupted = True
    moves = _join_sequences(match, moves)
    if not start:
        start = [1 / match.seats] * match.seats
    lost = [sum(move.lost for move in moves if move.seat == seat) for seat in range(match.seats)]
    errors = [move.error for move in moves if not move.exact]
    adjusted_error = math.sqrt(start_error**2 + sum(move.lost_error**2 for move in moves))
    end = moves[-1].chances if moves else start
    if match.over and not interrupted:
        end = _result(match)
    return Review(
        match.game.id,
        playouts,
        seed,
        sum(move.exact for move in moves),
        sum(errors) / len(errors) if errors else 0.0,
        len(match.entries),
        moves,
        [_side(match, seat, start, lost, moves, end[seat], adjusted_error) for seat in range(match.seats)],
        interrupted,
    )


def _start(position: Match, judge_by_playouts: PlayoutJudge) -> tuple[list[float], float]:
    """Return everybody's chance before the first decision, and its error: 0 where tables hold the position."""
    known = exact.best(position.t, position.s) if position.game.is_solvable else None
    if known is not None and known[1]:
        return _both_chances(position.actor, max(known[1].values())), 0.0
    worth = judge_by_playouts(position.s, position.actor, ())
    return _mean(worth), half_width(worth[:, position.actor])


def _judge_move(position: Match, judge_by_playouts: PlayoutJudge, number: int, entry: Entry) -> Move:
    assert entry.seat is not None
    seat, text = entry.seat, entry.text
    families = [each for each in position.actions() if each.endswith(FAMILY)]
    actions = {each: (action,) for each, action in _candidates(position).items()} | {text: entry.actions}
    known = exact.best(position.t, position.s) if position.game.is_solvable else None
    if known is not None:
        chances = {each: _both_chances(seat, known[1][action]) for each, (action, *_) in actions.items()}
        best = max(chances, key=lambda each: (chances[each][seat], each == text))
        before, after = chances[best][seat], chances[text][seat]
        return Move(
            number, seat, text, before, after, best, before - after, True, chances[text], 0, 0, bool(families)
        )
    worth = {each: judge_by_playouts(position.s, seat, action) for each, action in actions.items()}
    best = max(worth, key=lambda each: (worth[each][:, seat].mean(), each == text))
    if best != text:  # the best of many was also lucky, so judge it again with other dice
        worth = {each: judge_by_playouts(position.s, seat, actions[each], 1) for each in (best, text)}
    gain = worth[best][:, seat] - worth[text][:, seat]
    own, error, lost_error = _mean(worth[text]), half_width(worth[text][:, seat]), half_width(gain)
    lost = float(gain.mean()) if gain.mean() > lost_error else 0.0
    return Move(
        number=number,
        seat=seat,
        text=text,
        before=own[seat] + lost,
        after=own[seat],
        best=best if lost else text,
        lost=lost,
        exact=False,
        chances=own,
        error=error,
        lost_error=lost_error,
        unjudged=bool(families),
    )


def _join_sequences(match: Match, moves: list[Move]) -> list[Move]:
    """Return the moves, with the loss of several decisions of one seat in a row assigned to the last that loses.

    After the first of two such decisions the chance is the one before the second, whatever rules of thumb would do.
    """
    judge_by_playouts = {move.number: move for move in moves}
    for number in sorted(judge_by_playouts, reverse=True):
        move, after = judge_by_playouts[number], judge_by_playouts.get(_next_decision(match, number))
        if after is None or after.seat != move.seat or move.exact:
            continue
        chance = max(move.after, after.before)
        before = max(move.before, chance) if move.before - chance > move.lost_error else chance
        others = sum(move.chances) - move.after  # the sum over all seats stays the same
        left = max(1 - (chance - move.after) / others, 0.0) if others > 0 else 0.0
        chances = [chance if seat == move.seat else each * left for seat, each in enumerate(move.chances)]
        judge_by_playouts[number] = msgspec.structs.replace(
            move,
            before=before,
            after=chance,
            best=move.best if before > chance else move.text,
            lost=before - chance,
            chances=chances,
        )
    return [judge_by_playouts[move.number] for move in moves]


def _next_decision(match: Match, number: int) -> int:
    """Return the number of the next decision with a choice if only forced ones lie between, else 0."""
    for at in range(number, len(match.entries)):
        entry = match.entries[at]
        if entry.chance or entry.seat != match.entries[number - 1].seat:
            return 0
        if len(entry.legal or ()) > 1:
            return at + 1
    return 0


def _candidates(position: Match) -> dict[str, int]:
    """Return the shortlist to judge, by text. It has an offer or a bribe only if rules of thumb advise one."""
    out = position.game.rules.scratch()[0].data
    n = position.game.rules.legal(position.t, position.s, out)
    kept = bindings(position.game)[shortlist](position.t, position.s, out, n)  # type: ignore[operator]
    return {position.game.notation.text(position.t, position.s, action): action for action in out[:kept].tolist()}


def _both_chances(seat: int, chance: float) -> list[float]:
    return [chance, 1 - chance] if seat == 0 else [1 - chance, chance]


def _result(match: Match) -> list[float]:
    """Return the final utility of every seat, from 0 to 1."""
    points, won = np.array(match.scores, np.int64).data, np.zeros(match.seats, np.int64).data
    utilities(points, won)
    return [worth / ONE for worth in won]


def _side(
    match: Match, seat: int, start: list[float], lost: list[float], moves: list[Move], result: float, error: float
) -> Side:
    gift = lost[1 - seat] if match.seats == 2 else 0.0
    luck = result - start[seat] + lost[seat] - gift
    own = [move for move in moves if move.seat == seat]
    slips = sum(move.lost >= SLIP for move in own)
    average = lost[seat] / len(own) if own else 0.0
    return Side(seat, start[seat], len(own), slips, lost[seat], average, luck, result, result - luck, error)
