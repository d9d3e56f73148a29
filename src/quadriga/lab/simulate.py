"""Simulate many random games on all cores; the result is the same for any number of workers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, cast

import msgspec
import numpy as np

from quadriga import games
from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.kernels.compiler import Report, is_available
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.random_games import allocate, measure
from quadriga.engine.match.options import Options
from quadriga.lab import details
from quadriga.lab.details import Columns
from quadriga.lab.executors.chunks import Chunk, Executor, Failure, cut
from quadriga.lab.executors.local import LocalExecutor
from quadriga.lab.totals import Estimate, Spread, Totals

LARGEST = 2**62
_COMPILED_CHUNK = 4096
_PLAIN_CHUNK = 16

Progress = Callable[[int, int], None]
"""Called after every chunk with the number of games done, and the number of all games."""


class SimulationPlan(msgspec.Struct, frozen=True):
    """The setup of a simulation. Its results depend on this alone."""

    game: str
    options: Options
    seats: int
    seed: int
    games: int


class Simulation(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a simulation. Everything but `timing` depends on the plan alone.

    >>> import quadriga
    >>> result = quadriga.simulate("ur", games=10, seed=1)
    >>> len(result.wins), result.decisions.least <= result.decisions.mean
    (2, True)
    """

    game: str
    options: Options
    seats: int
    seed: int
    games: int
    wins: list[Estimate]
    scores: list[Spread]
    decisions: Spread
    chances: Spread
    tallies: dict[str, Spread]
    interrupted: bool
    failed: list[Failure] = []  # chunks of games that are missing
    timing: dict[str, float | int | bool]
    details: Columns | None = None  # of every game, if they were asked for

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts and lists, as `quadriga sim --json` prints it.

        >>> import quadriga
        >>> quadriga.simulate("ur", games=10, seed=1).to_dict()["games"]
        10
        """
        found = cast("dict[str, Any]", msgspec.to_builtins(msgspec.structs.replace(self, details=None)))
        del found["details"]
        return found

    def columns(self) -> Columns:
        """Return columns with a value for each game, for a data frame: `pandas.DataFrame(result.columns())`.

        `game` is its number, `winner` a seat, or -1 if several share the win, which `winners` counts; then follow
        the lengths, the counts of the game, and `score_0` and so on. Raises OptionError without `detail=True`.

        >>> import quadriga
        >>> columns = quadriga.simulate("ur", games=10, seed=1, detail=True).columns()
        >>> list(columns)[:4], len(columns["winner"])
        (['game', 'winner', 'winners', 'decisions'], 10)
        """
        if self.details is None:
            raise OptionError("simulation.detail")
        return self.details

    def rows(self) -> list[dict[str, float | int | str]]:
        """Return a row for each seat, for a data frame: `pandas.DataFrame(result.rows())`.

        >>> import quadriga
        >>> rows = quadriga.simulate("ur", games=10, seed=1).rows()
        >>> [row["seat"] for row in rows], sum(row["wins"] for row in rows)
        ([0, 1], 1.0)
        """
        return [
            {
                "game": self.game,
                "games": self.games,
                "seed": self.seed,
                "seat": seat,
                "wins": win.share,
                "wins_low": win.low,
                "wins_high": win.high,
                "score_mean": score.mean,
                "score_deviation": score.deviation,
                "score_least": score.least,
                "score_most": score.most,
            }
            for seat, (win, score) in enumerate(zip(self.wins, self.scores, strict=True))
        ]


def simulate(
    game: Game,
    options: Options,
    seats: int,
    *,
    games: int,
    seed: int,
    workers: int = 1,
    compiled: bool | None = None,
    detail: bool = False,
    executor: Executor | None = None,
    progress: Progress | None = None,
    report: Report | None = None,
) -> Simulation:
    """Play random games and add up their results. After an interrupt, return the totals of the games so far.

    The executor is a number of workers of this machine, unless another is given. With `detail` the result has the
    columns of every game.
    """
    for name, value, least in (("games", games, 1), ("workers", workers, 1), ("seed", seed, 0)):
        if type(value) is not int or not least <= value < LARGEST:
            raise OptionError("option.value", name=name, value=value, allowed=f"{least}..2**62-1")
    job = SimulationJob(
        SimulationPlan(game.id, options, seats, seed, games),
        is_available() if compiled is None else compiled,
        detail,
    )
    executor = executor or LocalExecutor(workers)
    run = executor.start(job, report)
    began = time.monotonic()
    totals = Totals(seats, len(game.tallies))
    failed: list[Failure] = []
    interrupted = False
    try:
        for part in run.map(cut(0, games, executor.chunk_size(games, job.unit))):
            if isinstance(part, Failure):
                failed.append(part)
            else:
                totals.merge(part)
            if progress:
                progress(totals.games, games)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        run.close(wait=not interrupted)
    seconds = time.monotonic() - began
    return Simulation(
        game=game.id,
        options=options,
        seats=seats,
        seed=seed,
        games=totals.games,
        wins=[totals.win_rate(seat) for seat in range(seats)],
        scores=[kept.spread() for kept in totals.scores],
        decisions=totals.decisions.spread(),
        chances=totals.chances.spread(),
        tallies={name: kept.spread() for name, kept in zip(game.tallies, totals.counts, strict=True)},
        interrupted=interrupted,
        failed=failed,
        timing={
            "seconds": seconds,
            "games_per_second": totals.games / max(seconds, 1e-9),
            "workers": executor.workers,
            "compiled": job.is_compiled,
        },
        details=details.columns(totals.details, game.tallies, seats) if detail else None,
    )


class SimulationJob(msgspec.Struct, frozen=True):
    """The games of a simulation, for an executor."""

    plan: SimulationPlan
    is_compiled: bool
    is_detailed: bool = False

    @property
    def unit(self) -> int:
        """The number of games that are played at once."""
        return _COMPILED_CHUNK if self.is_compiled else _PLAIN_CHUNK

    def start(self, report: Report | None = None) -> Callable[[Chunk], Totals]:
        """Return a function that plays games and adds up their results."""
        plan = self.plan
        machine = Machine(games.find(plan.game), compiled=self.is_compiled, report=report, knowledge=False)
        sample = machine.link_bulk(measure)
        workspace = allocate(machine, plan.options, plan.seats)
        tallies = len(machine.game.tallies)
        rows = np.zeros((self.unit, 2 + plan.seats + tallies), np.int64)

        def play(chunk: Chunk) -> Totals:
            totals = Totals(plan.seats, tallies)
            for each in cut(chunk.first, chunk.first + chunk.count, self.unit):
                sample(workspace, plan.seed, each.first, each.count, rows[: each.count])
                totals.add_games(rows[: each.count])
                if self.is_detailed:
                    totals.details.append(details.numbered(each.first, rows[: each.count]))
            return totals

        return play
