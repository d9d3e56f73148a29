"""Training the network for Ben's Ur: it plays itself, and learns what came of it.

A round is a number of games by the network as it stands, with a random move now and then. What every position was
worth is told by what came later: partly by the end of the game, partly by what the network thought on the way. The
first round is played by steps alone. The same seed gives the same weights on the same machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from quadriga.engine.compiler import Report
from quadriga.engine.kernel import FlagRows, Ints, kernel
from quadriga.engine.machine import Machine
from quadriga.engine.record import Batch
from quadriga.engine.rng import Rng, below, start
from quadriga.engine.slots import CHANCE, OVER
from quadriga.games import find
from quadriga.games.ur.rules.turn import actor, legal, roll, step
from quadriga.games.ur.state import DONE, ROLL, State, Tables
from quadriga.players import learned
from quadriga.players.learned import Learned, Row
from quadriga.players.learned.network import INPUTS, chance, evaluate, noted

UNITS = 32
_WHIM = 24  # one move in so many is random
_LONGEST = 400  # positions of a game on average, at the most: those beyond are not learned from
_TRUST = 0.8  # how much of a target is the end of the game
_BATCH = 2048
_RATE = 0.002
_WON = 1 << 30

Progress = Callable[[int, int], None]
Floats = npt.NDArray[np.float32]


@kernel
def _move(t: Tables, work: Batch[State], rng: Rng, out: Ints, known: Ints) -> int:
    """The move after which the position is judged best; now and then any."""
    n = legal(t, work[0], out)
    if below(rng, _WHIM) == 0:
        return out[below(rng, n)]
    sign = 1 if work[0].turn == 0 else -1
    best = out[0]
    most = -(1 << 60)
    for i in range(n):
        work[1] = work[0]
        step(t, work[1], out[i])
        value = _WON if work[1].phase == DONE else sign * evaluate(t, work[1], known)
        if value > most:
            most = value
            best = out[i]
    return best


@kernel
def _rolled(t: Tables, s: State, rng: Rng, out: Ints, weights: Ints) -> int:
    """Roll until somebody is to move or the game is over; returns the actor."""
    while actor(t, s) == CHANCE:
        step(t, s, roll(t, s, rng, out, weights))
    return actor(t, s)


@kernel
def gather(
    tables: Batch[Tables],
    origin: Batch[State],
    work: Batch[State],
    rngs: Batch[Rng],
    seed: int,
    first: int,
    count: int,
    out: Ints,
    weights: Ints,
    known: Ints,
    note: Ints,
    seen: FlagRows,
    turns: Ints,
    thought: Ints,
    ends: Ints,
    winners: Ints,
) -> int:
    """Self-play: what the side to roll saw in every position, what it thought, and who won; returns how many."""
    t = tables[0]
    rows = 0
    for game in range(count):
        work[0] = origin[0]
        start(rngs[0], seed, first + game)
        seat = _rolled(t, work[0], rngs[0], out, weights)
        while seat != OVER:
            step(t, work[0], _move(t, work, rngs[0], out, known))
            if work[0].phase == ROLL and rows < len(turns):
                for i in range(len(seen[rows])):
                    seen[rows][i] = 0
                end = noted(t, work[0], note, 0)
                for i in range(0, end, 2):
                    seen[rows][note[i]] = note[i + 1]
                turns[rows] = work[0].turn
                thought[rows] = chance(t, work[0], known) if known[0] else _WON >> 1
                rows += 1
            seat = _rolled(t, work[0], rngs[0], out, weights)
        ends[game] = rows
        winners[game] = work[0].turn
    return rows


class Net(NamedTuple):
    """Weights while they are trained."""

    first: Floats
    bias: Floats
    second: Floats
    last: Floats


def fresh(rng: np.random.Generator) -> Net:
    """Small random weights."""
    first = rng.normal(0, 0.15, (INPUTS, UNITS)).astype(np.float32)
    second = rng.normal(0, 0.15, UNITS).astype(np.float32)
    return Net(first, np.zeros(UNITS, np.float32), second, np.zeros(1, np.float32))


def targets(turns: Row, thought: Row, ends: Row, winners: Row, trust: float) -> Floats:
    """What every position was worth to the side that rolled there, by what came later."""
    found = np.zeros(len(turns), np.float32)
    begin = 0
    for end, winner in zip(ends.tolist(), winners.tolist(), strict=True):
        later = 1.0 if winner == 0 else 0.0
        for row in range(end - 1, begin - 1, -1):
            mine = later if turns[row] == 0 else 1.0 - later
            found[row] = mine
            judged = thought[row] / _WON
            black = judged if turns[row] == 0 else 1.0 - judged
            later = trust * later + (1 - trust) * black
        begin = end
    return found


def fit(net: Net, seen: Floats, wanted: Floats, rng: np.random.Generator, passes: int, rate: float) -> Net:
    """Adam on the cross entropy, in batches."""
    state = [(np.zeros_like(part), np.zeros_like(part)) for part in net]
    count = 0
    for _ in range(passes):
        order = rng.permutation(len(seen))
        for begin in range(0, len(order) - _BATCH + 1, _BATCH):
            rows = order[begin : begin + _BATCH]
            x, y = seen[rows], wanted[rows]
            raw = x @ net.first + net.bias
            lit = np.maximum(raw, 0)
            p = 1 / (1 + np.exp(-(lit @ net.second + net.last[0])))
            slope = (p - y) / len(rows)
            back = np.outer(slope, net.second) * (raw > 0)
            slopes = (x.T @ back, back.sum(0), lit.T @ slope, slope.sum(keepdims=True))
            count += 1
            for part, (mean, square), each in zip(net, state, slopes, strict=True):
                mean += 0.1 * (each - mean)
                square += 0.001 * (each * each - square)
                fair = np.sqrt(square / (1 - 0.999**count)) + 1e-8
                part -= rate * (mean / (1 - 0.9**count)) / fair
    return net


def train(
    *,
    games: int = 40_000,
    rounds: int = 8,
    seed: int = 1,
    markers: int = 7,
    progress: Progress | None = None,
    report: Report | None = None,
) -> Learned:
    """Rounds of self-play and learning."""
    game = find("ur")
    rng = np.random.default_rng(seed)
    net, row = fresh(rng), learned.nothing()
    each = max(games // rounds, 1)
    weights: list[int] = []
    for number in range(rounds):
        own = (
            int(rng.integers(min(3, markers), markers + 1)) if number % 2 else markers
        )  # smaller games teach the endgame
        options, _ = game.settle({"markers": own}, 2)
        seen, turns, thought, ends, winners = played(options, row, seed, number * each, each, report)
        wanted = targets(turns, thought, ends, winners, 1.0 if number == 0 else _TRUST)
        net = fit(net, seen.astype(np.float32), wanted, rng, 3, _RATE * (1 - number / (rounds + 1)))
        weights = learned.from_floats(net.first, net.bias, net.second, float(net.last[0]))
        row = learned.laid(UNITS, weights)
        if progress:
            progress((number + 1) * each, rounds * each)
    return Learned(learned.FORMAT, "ben", seed, rounds * each, UNITS, weights, learned.digest(weights))


def played(
    options: dict[str, object], row: Row, seed: int, first: int, count: int, report: Report | None
) -> tuple[npt.NDArray[np.int8], Row, Row, Row, Row]:
    """Games by a network as it stands."""
    machine = Machine(find("ur"), report=report)
    t, s = machine.records(options, 2)
    room = count * _LONGEST
    seen = np.zeros((room, INPUTS), np.int8)
    turns, thought = np.zeros(room, np.int64), np.zeros(room, np.int64)
    ends, winners = np.zeros(count, np.int64), np.zeros(count, np.int64)
    work, rngs, note = machine.states(2), np.zeros(1, Rng.dtype), np.zeros(2 * INPUTS, np.int64)
    run = machine.link(gather)
    lent = (*find("ur").scratch(), row.copy(), note, seen, turns, thought, ends, winners)
    rows = int(run(t, s, work, rngs, seed, first, count, *lent))
    return seen[:rows], turns[:rows], thought[:rows], ends, winners
