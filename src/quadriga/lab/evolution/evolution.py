"""Find better values for rules of thumb by evolution strategies.

A round tries pairs of opposite random changes of all values at once. The two of a pair play games against each
other, half of the seats each with the same dice. The values move in the direction of the changes that won, each by
a step of its own (Adam). What the training returns is the mean of the last quarter of the rounds.

The result depends on the plan alone, not on the number of workers, and training continues after an interrupt.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.engine import files
from quadriga.engine.errors import ClusterError, FileError, OptionError
from quadriga.engine.game import Game
from quadriga.engine.kernels.compiler import Report, Request, is_available
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.parts.values import Values, ValuesFile
from quadriga.lab.evolution.duels import SPREAD, DuelJob, change_of, duel, numbers
from quadriga.lab.executors.chunks import Chunk, Executor, Failure
from quadriga.lab.executors.local import LocalExecutor

PAIRS = 8  # of changes in a round
_RATE = 0.03  # the largest step of a logarithm in the first round,
_LAST_RATE = 0.006  # ... and in the last
_MEAN, _SQUARE = 0.9, 0.99  # of the moments of Adam

Floats = npt.NDArray[np.float64]


class Course(msgspec.Struct):
    """The state of training after some rounds, as it is stored."""

    game: str
    seed: int
    games: int
    rounds: int
    names: list[str]
    done: int
    logs: list[float]
    mean: list[float]
    square: list[float]
    sums: list[float]  # of the logarithms in the last quarter


_COURSE = msgspec.json.Decoder(Course)


class ValueTraining:
    """Trains the values of a game: the functions of `quadriga train` (`lab.training.Training`)."""

    RULES: tuple[str, ...] = ("values",)
    GAMES = 2_000_000
    ROUNDS = 400

    def __init__(self, game: Game, values: Values) -> None:
        self.game, self.values = game, values

    def file_name(self, rules: str) -> str:
        """Return the usual name of the file with the values."""
        return f"{self.game.id}-values.json"

    def checkpoint_path(self, out: str) -> Path:
        """Return the file in which an interrupted training is kept."""
        return Path(out).with_name(Path(out).name + ".part")

    def entry_points(self) -> list[Request]:
        """Return the entry points that training compiles."""
        return [Request(duel, Machine(self.game).bindings)]

    def train(
        self,
        *,
        games: int,
        rounds: int,
        seed: int = 1,
        rules: str = "values",
        path: Path | None = None,
        executor: Executor | None = None,
        progress: Callable[[int, int], None] | None = None,
        report: Report | None = None,
    ) -> ValuesFile:
        """Train in rounds, beginning with the values by hand. With a path, save checkpoints and continue from them.

        Raises OptionError for other rules, FileError for a checkpoint that is damaged or of another plan, and
        ClusterError if games cannot be played.
        """
        if rules not in self.RULES:
            raise OptionError("option.value", name="--rules", value=rules, allowed=" | ".join(self.RULES))
        each = max(games // rounds // PAIRS, 1)
        logs = np.log(np.array(self.values.by_hand, np.float64))
        none = [0.0] * len(logs)
        course = Course(
            self.game.id,
            seed,
            each * PAIRS * rounds,
            rounds,
            [*self.values.names],
            0,
            logs.tolist(),
            none,
            none,
            none,
        )
        if path:
            course = _restored(path, course)
            _save(path, course)  # find out before the work that the file cannot be written
        for number in range(course.done, rounds):
            leads = self._play(np.array(course.logs), seed, number, each, executor, report)
            _learn(course, leads)
            if path:
                _save(path, course)
            if progress:
                progress((number + 1) * each * PAIRS, course.games)
        found = numbers(np.array(course.sums) / max(rounds - _late(rounds), 1))
        values = dict(zip(self.values.names, found.tolist(), strict=True))
        return ValuesFile(self.game.id, seed, course.games, rounds, values)

    def _play(
        self, logs: Floats, seed: int, round: int, games: int, executor: Executor | None, report: Report | None
    ) -> list[float]:
        """Play the duels of a round; return the lead of the first of each pair."""
        job = DuelJob(self.game.id, logs, seed, round, games, tuple(self.values.setups), is_available())
        run = (executor or LocalExecutor(os.cpu_count() or 1)).start(job, report)
        found: list[float] = []
        try:
            for part in run.map(Chunk(pair, 1) for pair in range(PAIRS)):
                if isinstance(part, Failure):
                    raise ClusterError(
                        "cluster.failed", first=part.first, last=part.last, tries=part.tries, reason=part.reason
                    )
                found.append(part)
        finally:
            run.close(wait=False)
        return found


def _late(rounds: int) -> int:
    """Return the first of the rounds whose values count."""
    return rounds - max(rounds // 4, 1)


def _learn(course: Course, leads: list[float]) -> None:
    """Take a step towards the changes that won."""
    number = course.done
    slope = np.zeros(len(course.logs))
    for pair, lead in enumerate(leads):
        slope += lead / PAIRS / SPREAD * change_of(course.seed, number, pair, len(course.logs))
    mean = _MEAN * np.array(course.mean) + (1 - _MEAN) * slope
    square = _SQUARE * np.array(course.square) + (1 - _SQUARE) * slope**2
    course.done = number + 1
    fair, fair_square = 1 - _MEAN**course.done, 1 - _SQUARE**course.done
    rate = _RATE + (_LAST_RATE - _RATE) * number / course.rounds
    logs = np.array(course.logs) + rate * (mean / fair) / (np.sqrt(square / fair_square) + 1e-9)
    course.logs, course.mean, course.square = logs.tolist(), mean.tolist(), square.tolist()
    if number >= _late(course.rounds):
        course.sums = (np.array(course.sums) + logs).tolist()


def _save(path: Path, course: Course) -> None:
    files.write_text(str(path), msgspec.json.encode(course).decode() + "\n")


def _restored(path: Path, plan: Course) -> Course:
    """Return the state in a file, or the plan if there is no file. Raises FileError if it is not of this plan."""
    if not path.exists():
        return plan
    with files.file_errors(path, "file.read"):
        content = path.read_bytes()
    try:
        found = _COURSE.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise FileError("train.draft", path=str(path)) from None
    if any(getattr(found, name) != getattr(plan, name) for name in ("game", "seed", "games", "rounds", "names")):
        raise FileError("train.plan", path=str(path))
    return found
