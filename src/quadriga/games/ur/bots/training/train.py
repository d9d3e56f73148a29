"""Train the network for Ben's Ur by self-play.

A round is a number of games by the current network (`selfplay`), and then a few passes of learning over all of
their positions. The first round is played by counting steps, and learns which side won. After every round a
checkpoint can be written. Training that continues from it, on the same machine, ends with the same weights.
"""

from __future__ import annotations

import importlib.util
import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quadriga.engine.errors import ClusterError
from quadriga.engine.kernels.compiler import Report, Request, is_available
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.rng import Rng
from quadriga.games import find
from quadriga.games.ur.bots import network as learned
from quadriga.games.ur.bots.network import Learned, Row
from quadriga.games.ur.bots.network.inputs import INPUTS, MOST
from quadriga.games.ur.bots.training.checkpoint import FORMAT, Heading, TrainingPlan, checkpoint_path, restore, save
from quadriga.games.ur.bots.training.selfplay import ONE, PARTS, SelfplayWorkspace, gather
from quadriga.lab.executors.chunks import Chunk, Executor, Failure
from quadriga.lab.executors.local import LocalExecutor

__all__ = ["FILE", "checkpoint_path", "entry_points", "train"]

FILE = "ur-ben.json"
UNITS = 96
SECOND = 16
GROUPS = [4, 6, 8, 11, 14]  # the most markers left, of both sides together
_MEAN_LENGTH = 500  # positions of a game on average, at most: games beyond are left out
_LEAST_PIECES = 4  # of a round's games, for the cores
_MOST_GAMES = 64  # in a piece, if there are more pieces
_PASSES = 2
_BATCH = 128
_RATE = 0.002
_LAST_RATE = 0.00004
_FIRST_DECAY = 0.98  # the share of a correction that is passed one position back, in the first round,
_LAST_DECAY = 0.9  # ... and in the last

Progress = Callable[[int, int], None]
Floats = npt.NDArray[np.float32]


class Net(NamedTuple):
    """The weights of one group in training."""

    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats
    last: Floats
    last_bias: Floats


class Moments(NamedTuple):
    """The state of Adam: the mean of the gradients, the mean of their squares, and the number of steps."""

    mean: Net
    square: Net
    steps: int


def random_net(rng: np.random.Generator) -> Net:
    """Return small random weights."""
    return Net(
        rng.normal(0, 0.15, (INPUTS, UNITS)).astype(np.float32),
        np.full(UNITS, 0.1, np.float32),
        rng.normal(0, 1 / math.sqrt(UNITS), (UNITS, SECOND)).astype(np.float32),
        np.full(SECOND, 0.1, np.float32),
        rng.normal(0, 1 / math.sqrt(SECOND), SECOND).astype(np.float32),
        np.zeros(1, np.float32),
    )


def initial_moments(net: Net) -> Moments:
    """Return the state of Adam before the first step."""
    return Moments(Net(*map(np.zeros_like, net)), Net(*map(np.zeros_like, net)), 0)


def gradients(net: Net, x: Floats, y: Floats) -> Net:
    """Return the gradients of the cross entropy of one batch."""
    one = np.maximum(x @ net.first + net.first_bias, 0)
    two = np.maximum(one @ net.second + net.second_bias, 0)
    p = 1 / (1 + np.exp(-(two @ net.last + net.last_bias[0])))
    wrong = (p - y) / np.float32(len(y))
    back = np.outer(wrong, net.last) * (two > 0)
    far = (back @ net.second.T) * (one > 0)
    return Net(x.T @ far, far.sum(0), one.T @ back, back.sum(0), two.T @ wrong, wrong.sum(keepdims=True))


def learn(net: Net, moments: Moments, x: Floats, y: Floats, rate: float) -> Moments:
    """Take one step of Adam, in place."""
    steps = moments.steps + 1
    fair, fair_square = np.float32(1 - 0.9**steps), np.float32(1 - 0.999**steps)
    for part, mean, square, gradient in zip(net, moments.mean, moments.square, gradients(net, x, y), strict=True):
        mean += np.float32(0.1) * (gradient - mean)
        square += np.float32(0.001) * (gradient * gradient - square)
        part -= np.float32(rate) * (mean / fair) / (np.sqrt(square / fair_square) + np.float32(1e-8))
    return Moments(moments.mean, moments.square, steps)


class Positions(NamedTuple):
    """Positions of self-play: inputs, markers left, and the training target for the side to roll."""

    seen: npt.NDArray[np.int8]
    left: Row
    worth: Floats


@dataclass(frozen=True)
class SelfPlayJob:
    """The games of one round by one network, for an executor."""

    row: Row
    seed: int
    decay: int
    markers: int
    is_compiled: bool

    def start(self, report: Report | None = None) -> Callable[[Chunk], list[npt.NDArray[Any]]]:
        """Return a function that plays games and returns their positions in a compact form.

        It returns the inputs as bits, the markers left, and the training targets.
        """
        game = find("ur")
        machine = Machine(game, compiled=self.is_compiled, report=report)
        t, _ = machine.structs(game.resolve_options({"markers": self.markers}, 2)[0], 2)
        run = machine.link(gather)

        def play(chunk: Chunk) -> list[npt.NDArray[Any]]:
            seen = np.zeros((chunk.count * _MEAN_LENGTH, INPUTS), np.int8)
            kept: dict[str, Any] = {
                name: np.zeros(len(seen), np.int64) for name in ("turns", "left", "predicted", "worth")
            }
            arrays: dict[str, Any] = {
                "tables": t,
                "work": machine.states(4),
                "rngs": np.zeros(1, Rng.dtype),
                "out": game.rules.scratch()[0],
                "moves": np.zeros(8, np.int64),
                "inputs": np.zeros(MOST, np.int64),
                "known": self.row.copy(),
                "seen": seen,
            }
            rows = int(run(SelfplayWorkspace(**arrays, **kept), self.seed, chunk.first, chunk.count, self.decay))
            worth = (kept["worth"][:rows] / ONE).astype(np.float32)
            return [np.packbits(seen[:rows], axis=1), kept["left"][:rows].astype(np.int8), worth]

        return play


def entry_points() -> list[Request]:
    """Return the entry points that training compiles."""
    return [Request(gather, Machine(find("ur")).bindings)]


def self_play(
    row: Row,
    seed: int,
    first: int,
    count: int,
    decay: int,
    markers: int = 7,
    report: Report | None = None,
    *,
    executor: Executor | None = None,
    compiled: bool | None = None,
) -> Positions:
    """Play games by a network and return their positions. Raises ClusterError if some cannot be played."""
    job = SelfPlayJob(row, seed, decay, markers, is_available() if compiled is None else compiled)
    run = (executor or LocalExecutor(_workers())).start(job, report)
    found = []
    try:
        for part in run.map(_split_games(first, count)):
            if isinstance(part, Failure):
                raise ClusterError(
                    "cluster.failed", first=part.first, last=part.last, tries=part.tries, reason=part.reason
                )
            found.append(part)
    finally:
        run.close(wait=False)
    bits, left, worth = (np.concatenate(parts) for parts in zip(*found, strict=True))
    seen = np.unpackbits(bits, axis=1, count=INPUTS).view(np.int8)
    return Positions(seen, left.astype(np.int64), worth)


def _split_games(first: int, count: int) -> list[Chunk]:
    """Return the games in chunks, which are the same for any number of cores."""
    pieces = max(_LEAST_PIECES, count // _MOST_GAMES)
    edges = [first + count * piece // pieces for piece in range(pieces + 1)]
    return [Chunk(begin, end - begin) for begin, end in pairwise(edges) if begin < end]


def _workers() -> int:
    return min(os.cpu_count() or 1, _LEAST_PIECES)


def fit(
    nets: list[Net], moments: list[Moments], found: Positions, seeds: Sequence[int], rate: float
) -> list[Moments]:
    """Learn from all positions in random order, in a few passes. Every group has its own network."""
    group_of = np.searchsorted(GROUPS, found.left)

    def one(group: int) -> Moments:
        rng = np.random.default_rng([*seeds, group])
        rows = np.flatnonzero(group_of == group)
        after = moments[group]
        for _ in range(_PASSES):
            order = rng.permutation(rows)
            for begin in range(0, len(order) - _BATCH // 4 + 1, _BATCH):
                batch = order[begin : begin + _BATCH]
                x = found.seen[batch].astype(np.float32)
                after = learn(nets[group], after, x, found.worth[batch], rate)
        return after

    with _single_threaded_blas(), ThreadPoolExecutor(_workers()) as pool:
        return list(pool.map(one, range(len(GROUPS))))


def _single_threaded_blas() -> AbstractContextManager[object]:
    """Limit the matrix library to one thread, which multiplies such small matrices forty times as fast."""
    if importlib.util.find_spec("threadpoolctl") is None:
        return nullcontext()
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(1)
    return limits


def schedule(number: int, rounds: int) -> tuple[int, float]:
    """Return the decay of later errors in a round, in parts of PARTS, and the learning rate."""
    gone = number / rounds
    decay = _FIRST_DECAY - (_FIRST_DECAY - _LAST_DECAY) * gone
    slow = (1 + math.cos(math.pi * gone)) / 2
    return int(decay * PARTS), _LAST_RATE + (_RATE - _LAST_RATE) * slow


def all_weights(nets: list[Net]) -> list[int]:
    """Return all weights as integers, group by group."""
    return [weight for net in nets for weight in learned.from_floats(net)]


def train(
    *,
    games: int,
    rounds: int,
    seed: int = 1,
    markers: int = 7,
    path: Path | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    report: Report | None = None,
) -> Learned:
    """Train in rounds of self-play and learning. With a path, save checkpoints there and continue from them.

    An executor plays the games; this process learns from them.
    """
    each = max(games // rounds, 1)
    plan = TrainingPlan(seed, each * rounds, rounds, markers, UNITS, SECOND, GROUPS)
    nets = [random_net(np.random.default_rng([seed, group])) for group in range(len(GROUPS))]
    moments = [initial_moments(net) for net in nets]
    parts = [part for net, rest in zip(nets, moments, strict=True) for held in (net, *rest[:2]) for part in held]
    begun = restore(path, plan, parts) if path else None
    if path and not begun:  # find out before the work, not after it, that the file cannot be written
        save(path, Heading(FORMAT, plan, 0, [0] * len(GROUPS)), parts)
    if begun:
        moments = [rest._replace(steps=steps) for rest, steps in zip(moments, begun.steps, strict=True)]
    for number in range(begun.done if begun else 0, rounds):
        row = learned.network_row(UNITS, SECOND, GROUPS, all_weights(nets)) if number else learned.no_network()
        decay, rate = schedule(number, rounds)
        found = self_play(row, seed, number * each, each, decay, markers, report, executor=executor)
        moments = fit(nets, moments, found, (seed, number), rate)
        if path:
            save(path, Heading(FORMAT, plan, number + 1, [rest.steps for rest in moments]), parts)
        if progress:
            progress((number + 1) * each, rounds * each)
    weights = all_weights(nets)
    return Learned(
        learned.FORMAT, "ben", seed, plan.games, rounds, UNITS, SECOND, GROUPS, weights, learned.digest(weights)
    )
