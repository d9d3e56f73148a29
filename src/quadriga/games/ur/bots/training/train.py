"""Train the network of a rule set of Ur by self-play.

First the positions with few markers left are solved, unless tables on disk hold them. A round is a number of games
by the current network (`selfplay`), and then a few passes of learning over all of their positions (`learning`). The
first round is played by counting steps, and learns which side won. After every round a checkpoint can be written.
Training that continues from it, on the same machine, ends with the same weights.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from quadriga.engine.errors import ClusterError, OptionError
from quadriga.engine.kernels.compiler import Report, Request, is_available
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.rng import Rng
from quadriga.games import find
from quadriga.games.ur.board import RULE_SETS
from quadriga.games.ur.bots import network as learned
from quadriga.games.ur.bots.network import Learned, Row, file_name
from quadriga.games.ur.bots.network.inputs import MOST, input_count
from quadriga.games.ur.bots.training.checkpoint import FORMAT, Heading, TrainingPlan, checkpoint_path, restore, save
from quadriga.games.ur.bots.training.learning import (
    MOST_WORKERS,
    Positions,
    all_weights,
    fit,
    initial_moments,
    random_net,
    row_of,
    shape_of,
    workers,
)
from quadriga.games.ur.bots.training.selfplay import ONE, PARTS, SelfplayWorkspace, gather
from quadriga.lab.executors.chunks import Chunk, Executor, Failure
from quadriga.lab.executors.local import LocalExecutor
from quadriga.lab.solver.measured_player import all_layers, exact_values
from quadriga.lab.solver.solve import solve

__all__ = ["GAMES", "ROUNDS", "RULES", "checkpoint_path", "entry_points", "file_name", "train"]

RULES = tuple(RULE_SETS)  # each has a network of its own
GAMES = 100_000
ROUNDS = 500
SOLVED = 3  # the most markers a side with which positions are solved before training
_MEAN_LENGTH = 500  # positions of a game on average, at most: games beyond are left out
_MOST_GAMES = 64  # in a piece, if there are more pieces
_RATE = 0.002
_LAST_RATE = 0.00004
_FIRST_DECAY = 0.98  # the share of a correction that is passed one position back, in the first round,
_LAST_DECAY = 0.9  # ... and in the last

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Known:
    """A rule set with its network so far and the exact values of positions with few markers, for self-play."""

    rules: str
    row: Row
    solved: int
    base: npt.NDArray[np.int64]
    values: npt.NDArray[np.int32]


def known(rules: str, row: Row, solved: int = 0) -> Known:
    """Return a network with the exact values of positions, which tables on disk must hold, for self-play."""
    layers = all_layers(rules, solved) if solved else (np.zeros(1, np.int64), np.zeros(1, np.int32))
    return Known(rules, row, solved, *layers)


@dataclass(frozen=True)
class SelfPlayJob:
    """The games of one round by one network, for an executor. It carries the read-only tables."""

    known: Known
    seed: int
    decay: int
    markers: int
    is_compiled: bool

    def start(self, report: Report | None = None) -> Callable[[Chunk], list[npt.NDArray[Any]]]:
        """Return a function that plays games and returns their positions in a compact form.

        It returns the inputs as bits, the markers left, and the training targets.
        """
        game, rules = find("ur"), self.known.rules
        machine = Machine(game, compiled=self.is_compiled, report=report)
        t, _ = machine.structs(game.resolve_options({"rules": rules, "markers": self.markers}, 2)[0], 2)
        # Without the check of types, which refuses arrays that cannot be written: those of other processes.
        run = machine.link_unchecked(gather)
        exact = exact_values(rules, self.known.base, self.known.values)

        def play(chunk: Chunk) -> list[npt.NDArray[Any]]:
            seen = np.zeros((chunk.count * _MEAN_LENGTH, input_count(rules)), np.int8)
            kept: dict[str, Any] = {
                name: np.zeros(len(seen), np.int64) for name in ("turns", "left", "predicted", "worth", "solved")
            }
            arrays: dict[str, Any] = {
                "tables": t,
                "work": machine.states(4),
                "rngs": np.zeros(1, Rng.dtype),
                "out": game.rules.scratch()[0],
                "moves": np.zeros(8, np.int64),
                "inputs": np.zeros(MOST, np.int64),
                "known": self.known.row.copy(),
                "seen": seen,
                "exact": exact,
                "most_solved": np.array([self.known.solved], np.int64),
            }
            rows = int(run(SelfplayWorkspace(**arrays, **kept), self.seed, chunk.first, chunk.count, self.decay))
            worth = (kept["worth"][:rows] / ONE).astype(np.float32)
            return [np.packbits(seen[:rows], axis=1), kept["left"][:rows].astype(np.int8), worth]

        return play


def entry_points() -> list[Request]:
    """Return the entry points that training compiles."""
    return [Request(gather, Machine(find("ur")).bindings)]


def self_play(
    known: Known,
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
    job = SelfPlayJob(known, seed, decay, markers, is_available() if compiled is None else compiled)
    run = (executor or LocalExecutor(workers())).start(job, report)
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
    seen = np.unpackbits(bits, axis=1, count=input_count(known.rules)).view(np.int8)
    return Positions(seen, left.astype(np.int64), worth)


def _split_games(first: int, count: int) -> list[Chunk]:
    """Return the games in chunks, which are the same for any number of cores."""
    pieces = max(MOST_WORKERS, count // _MOST_GAMES)
    edges = [first + count * piece // pieces for piece in range(pieces + 1)]
    return [Chunk(begin, end - begin) for begin, end in pairwise(edges) if begin < end]


def schedule(number: int, rounds: int) -> tuple[int, float]:
    """Return the decay of later errors in a round, in parts of PARTS, and the learning rate."""
    gone = number / rounds
    decay = _FIRST_DECAY - (_FIRST_DECAY - _LAST_DECAY) * gone
    slow = (1 + math.cos(math.pi * gone)) / 2
    return int(decay * PARTS), _LAST_RATE + (_RATE - _LAST_RATE) * slow


def train(
    *,
    games: int,
    rounds: int,
    seed: int = 1,
    rules: str = "ben",
    markers: int = 0,
    solved: int = SOLVED,
    path: Path | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    report: Report | None = None,
) -> Learned:
    """Train in rounds of self-play and learning. With a path, save checkpoints there and continue from them.

    An executor plays the games; this process learns from them. Without `markers` a side has as many as the rule set
    says. Positions with at most `solved` markers a side learn their exact values.
    """
    if rules not in RULES:
        raise OptionError("option.value", name="--rules", value=rules, allowed=" | ".join(RULES))
    each = max(games // rounds, 1)
    shape = shape_of(rules)
    groups = shape.groups
    most = markers or RULE_SETS[rules].markers
    plan = TrainingPlan(rules, seed, each * rounds, rounds, most, solved, shape.units, shape.second, groups)
    nets = [random_net(shape, np.random.default_rng([seed, group])) for group in range(len(groups))]
    moments = [initial_moments(net) for net in nets]
    parts = [part for net, rest in zip(nets, moments, strict=True) for held in (net, *rest[:2]) for part in held]
    begun = restore(path, plan, parts) if path else None
    if path and not begun:  # find out before the work, not after it, that the file cannot be written
        save(path, Heading(FORMAT, plan, 0, [0] * len(groups)), parts)
    if begun:
        moments = [rest._replace(steps=steps) for rest, steps in zip(moments, begun.steps, strict=True)]
    if solved:
        solve(rules, solved, report=report)
    for number in range(begun.done if begun else 0, rounds):
        row = row_of(shape, nets) if number else learned.no_network()
        decay, rate = schedule(number, rounds)
        knows = known(rules, row, solved)
        found = self_play(knows, seed, number * each, each, decay, most, report, executor=executor)
        moments = fit(groups, nets, moments, found, (seed, number), rate)
        if path:
            save(path, Heading(FORMAT, plan, number + 1, [rest.steps for rest in moments]), parts)
        if progress:
            progress((number + 1) * each, rounds * each)
    weights = all_weights(nets, moments)
    sizes = (shape.units, shape.second, groups)
    return Learned(learned.FORMAT, rules, seed, plan.games, rounds, *sizes, weights, learned.digest(weights))
