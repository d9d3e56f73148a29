"""Self-play for the networks of Ur: play games and compute the training target of every position.

Positions with few markers left are solved: their target is the exact value, and the best move is known. The target
of any other position is the mean, over all rolls, of the best move's value by the current network or the tables.
The network's errors at later positions of the game (the target less the network's own value) are added with decay,
up to the first solved position. These errors do not contain the luck of the dice, so the beginning of a game learns
from its end without that noise.
"""

from __future__ import annotations

from typing import NamedTuple

from quadriga.engine.kernels.kernel import FlagRows, Ints, kernel
from quadriga.engine.kernels.rng import Rng, below, start
from quadriga.engine.kernels.struct import Batch
from quadriga.games.ur.bots.network.evaluation import chance
from quadriga.games.ur.bots.network.inputs import write_inputs
from quadriga.games.ur.bots.rules_of_thumb import evaluate as by_steps
from quadriga.games.ur.rules.turn import ROLLS, legal, step
from quadriga.games.ur.state import DONE, MOVE, ROLL, State, Tables
from quadriga.lab.solver.measured_player import Exact, table_value

RANDOM_MOVES = 12  # one move in 12 is random
ONE = 1 << 30
PARTS = 256  # of a correction


class SelfplayWorkspace(NamedTuple):
    """Arrays for one worker's games, and its rows: one for each position."""

    tables: Batch[Tables]
    work: Batch[State]  # the game, two for moves, and an empty one
    rngs: Batch[Rng]
    out: Ints
    moves: Ints  # the best move of each roll
    inputs: Ints  # the inputs of a position that are on
    known: Ints  # the network
    seen: FlagRows  # by row: the inputs of the side to roll,
    turns: Ints  # ... that side,
    left: Ints  # ... the markers left of both,
    predicted: Ints  # ... its win probability by the network,
    worth: Ints  # ... its training target,
    solved: Ints  # ... and whether that is exact
    exact: Exact
    most_solved: Ints  # one number: the most markers a side with which positions are solved


@kernel
def _begin(t: Tables, s: State, rng: Rng) -> None:
    """Set up a start: in half of the games with all markers, else with any number, which differs by at most 2."""
    mine = 1 + below(rng, t.markers) if below(rng, 2) else t.markers
    theirs = max(1, min(t.markers, mine + below(rng, 5) - 2))
    s.off[0] = t.markers - mine
    s.off[1] = t.markers - theirs
    s.phase = ROLL
    s.turn = below(rng, 2)


@kernel
def _is_solved(w: SelfplayWorkspace, t: Tables, s: State) -> bool:
    """Return whether the tables hold a position."""
    return t.markers - min(s.off[0], s.off[1]) <= w.most_solved[0]


@kernel
def _chance_of(w: SelfplayWorkspace, t: Tables, s: State, me: int) -> int:
    """Return the win probability of `me`, times 2 ** 30: exact if solved, by the network, or by steps before it."""
    if s.phase == DONE:
        return ONE if s.turn == me else 0
    if _is_solved(w, t, s):
        value = table_value(t, s, w.exact)
        return value if me == 0 else ONE - value
    if w.known[0] == 0:
        ahead = by_steps(t, s, w.known)
        return (ONE >> 1) + (ahead if me == 0 else -ahead)
    value = chance(t, s, w.known)
    return value if s.turn == me else ONE - value


@kernel
def _best_after(w: SelfplayWorkspace, face: int) -> int:
    """Return the value of a roll in `work[0]` for the side to roll; write its best move, or -1."""
    t = w.tables[0]
    work = w.work
    me = work[0].turn
    work[1] = work[0]
    step(t, work[1], face)
    w.moves[face] = -1
    if work[1].phase != MOVE:
        return _chance_of(w, t, work[1], me)
    best = -1
    n = legal(t, work[1], w.out)
    for i in range(n):
        work[2] = work[1]
        step(t, work[2], w.out[i])
        value = _chance_of(w, t, work[2], me)
        if value > best:
            best = value
            w.moves[face] = w.out[i]
    return best


@kernel
def back_up(w: SelfplayWorkspace) -> int:
    """Return the expected value of `work[0]` for the side to roll; write its best move for every roll, or -1."""
    t = w.tables[0]
    total = 0
    for face in range(ROLLS):
        if t.dice[face] > 0:
            total += t.dice[face] * _best_after(w, face)
    return total // t.throws


@kernel
def _correct(w: SelfplayWorkspace, first: int, end: int, decay: int) -> None:
    """Add the network's errors at later positions of a game to the targets of earlier unsolved ones, with decay."""
    turns = w.turns
    worth = w.worth
    error = 0  # of the network's win probability for Black
    for row in range(end - 1, first - 1, -1):
        if w.solved[row] == 0:
            worth[row] += error * decay // PARTS if turns[row] == 0 else -error * decay // PARTS
        error = worth[row] - w.predicted[row] if turns[row] == 0 else w.predicted[row] - worth[row]


@kernel
def _set_results(w: SelfplayWorkspace, first: int, end: int, winner: int) -> None:
    """Set the targets of unsolved positions to the result of the game, as long as there is no network."""
    for row in range(first, end):
        if w.solved[row] == 0:
            w.worth[row] = ONE if w.turns[row] == winner else 0


@kernel
def gather(w: SelfplayWorkspace, seed: int, first: int, count: int, decay: int) -> int:
    """Play games number `first` and on, and write a row for every position; return how many rows."""
    t = w.tables[0]
    s = w.work[0]
    rng = w.rngs[0]
    rows = 0
    for game in range(count):
        start(rng, seed, first + game)
        w.work[0] = w.work[3]
        _begin(t, s, rng)
        begin = rows
        while s.phase != DONE and rows < len(w.turns):
            w.turns[rows] = s.turn
            w.left[rows] = 2 * t.markers - s.off[0] - s.off[1]
            w.predicted[rows] = chance(t, s, w.known) if w.known[0] else 0
            w.solved[rows] = 1 if _is_solved(w, t, s) else 0
            w.worth[rows] = _chance_of(w, t, s, s.turn) if w.solved[rows] else back_up(w)
            end = write_inputs(t, s, w.inputs, 0)
            for i in range(end):
                w.seen[rows][w.inputs[i]] = 1
            face = t.faces[below(rng, t.throws)]
            if w.solved[rows]:
                _best_after(w, face)
            rows += 1
            step(t, s, face)
            if s.phase == MOVE:
                action = w.moves[face]
                if below(rng, RANDOM_MOVES) == 0:
                    n = legal(t, s, w.out)
                    action = w.out[below(rng, n)]
                step(t, s, action)
        if s.phase != DONE:
            rows = begin  # no room for the whole game
        elif w.known[0]:
            _correct(w, begin, rows, decay)
        else:
            _set_results(w, begin, rows, s.turn)
    return rows
