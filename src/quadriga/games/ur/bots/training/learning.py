"""Learning: the networks of one rule set in floats, and steps of Adam over the positions of self-play."""

from __future__ import annotations

import importlib.util
import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from quadriga.games.ur.bots import network as learned
from quadriga.games.ur.bots.network import Row
from quadriga.games.ur.bots.network.inputs import input_count

MOST_WORKERS = 4
_PASSES = 2
_BATCH = 128

Floats = npt.NDArray[np.float32]


class Shape(NamedTuple):
    """The sizes of a rule set's networks: inputs, units of both layers, and groups of positions."""

    inputs: int
    units: int
    second: int
    groups: list[int]  # the most markers left, of both sides together


def shape_of(rules: str) -> Shape:
    """Return the sizes of the networks of a rule set."""
    inputs = input_count(rules)
    if rules == "ben":
        return Shape(inputs, 96, 16, [4, 6, 8, 11, 14])
    return Shape(inputs, 72, 16, [4, 6, 14] if rules == "blitz" else [4, 6, 9, 14])


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


def random_net(shape: Shape, rng: np.random.Generator) -> Net:
    """Return small random weights."""
    inputs, units, second, _ = shape
    return Net(
        rng.normal(0, 0.15, (inputs, units)).astype(np.float32),
        np.full(units, 0.1, np.float32),
        rng.normal(0, 1 / math.sqrt(units), (units, second)).astype(np.float32),
        np.full(second, 0.1, np.float32),
        rng.normal(0, 1 / math.sqrt(second), second).astype(np.float32),
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


def workers() -> int:
    """Return how many threads train."""
    return min(os.cpu_count() or 1, MOST_WORKERS)


def fit(
    groups: list[int],
    nets: list[Net],
    moments: list[Moments],
    found: Positions,
    seeds: Sequence[int],
    rate: float,
) -> list[Moments]:
    """Learn from all positions in random order, in a few passes. Every group has its own network."""
    group_of = np.searchsorted(groups, found.left)

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

    with _single_threaded_blas(), ThreadPoolExecutor(workers()) as pool:
        return list(pool.map(one, range(len(groups))))


def _single_threaded_blas() -> AbstractContextManager[object]:
    """Limit the matrix library to one thread, which multiplies such small matrices forty times as fast."""
    if importlib.util.find_spec("threadpoolctl") is None:
        return nullcontext()
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(1)
    return limits


def all_weights(nets: list[Net], moments: list[Moments] | None = None) -> list[int]:
    """Return all weights as integers, group by group. With moments, inputs that were never on get weights of 0."""
    if moments is not None:
        kept = [(each.square.first != 0).any(1, keepdims=True) for each in moments]
        nets = [net._replace(first=net.first * on) for net, on in zip(nets, kept, strict=True)]
    return [weight for net in nets for weight in learned.from_floats(net)]


def row_of(shape: Shape, nets: list[Net]) -> Row:
    """Return the networks as the row of numbers that kernels take."""
    return learned.network_row(*shape, all_weights(nets))
