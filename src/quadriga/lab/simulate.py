"""Simulate many random games on all cores; the result is the same for any number of workers."""

from __future__ import annotations

import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, cast

import msgspec
import numpy as np

from quadriga import games
from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.kernels.compiler import Report
from quadriga.engine.kernels.drivers import allocate, measure
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.match.options import Options
from quadriga.lab.totals import Estimate, Spread, Totals

LARGEST = 2**62
_COMPILED_CHUNK = 4096
_PLAIN_CHUNK = 16

Progress = Callable[[int, int], None]
"""Called after every chunk with the number of games done, and the number of all games."""


class Plan(msgspec.Struct, frozen=True):
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
    timing: dict[str, float | int | bool]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts and lists, as `quadriga sim --json` prints it.

        >>> import quadriga
        >>> quadriga.simulate("ur", games=10, seed=1).to_dict()["games"]
        10
        """
        return cast("dict[str, Any]", msgspec.to_builtins(self))

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
    progress: Progress | None = None,
    report: Report | None = None,
) -> Simulation:
    """Play random games and add up their results. After an interrupt, return the totals of the games so far."""
    for name, value, least in (("games", games, 1), ("workers", workers, 1), ("seed", seed, 0)):
        if type(value) is not int or not least <= value < LARGEST:
            raise OptionError("option.value", name=name, value=value, allowed=f"{least}..2**62-1")
    plan = Plan(game.id, options, seats, seed, games)
    machine = Machine(game, compiled=compiled, report=report)
    machine.link(measure)
    began = time.monotonic()
    totals = Totals(seats, len(game.tallies))
    interrupted = False
    pool = _executor(plan, machine, workers)
    try:
        for part in _chunk_totals(pool, plan, machine.compiled, workers):
            totals.merge(part)
            if progress:
                progress(totals.games, games)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        pool.shutdown(wait=not interrupted, cancel_futures=True)
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
        timing={
            "seconds": seconds,
            "games_per_second": totals.games / max(seconds, 1e-9),
            "workers": workers,
            "compiled": machine.compiled,
        },
    )


def _executor(plan: Plan, machine: Machine, workers: int) -> Executor:
    """Return threads for compiled games, which run without Python's global lock, and else processes."""
    if machine.compiled:
        return ThreadPoolExecutor(workers, initializer=_start_worker, initargs=(plan, machine))
    return ProcessPoolExecutor(workers, initializer=_start_process, initargs=(plan,))


def _chunk_totals(pool: Executor, plan: Plan, compiled: bool, workers: int) -> Iterator[Totals]:
    """Yield the totals of the chunks of games in order. A few chunks are always under way."""
    chunk = _COMPILED_CHUNK if compiled else _PLAIN_CHUNK
    chunks = ((first, min(chunk, plan.games - first)) for first in range(0, plan.games, chunk))
    waiting: deque[Future[Totals]] = deque()
    for first, count in chunks:
        waiting.append(pool.submit(_play, first, count))
        if len(waiting) > 2 * workers:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


class _Worker:
    """The linked code and the arrays of one worker."""

    def __init__(self, plan: Plan, machine: Machine) -> None:
        self.plan = plan
        self.tallies = len(machine.game.tallies)
        self._sample = machine.link(measure)
        self._workspace = allocate(machine, plan.options, plan.seats)
        self._rows = np.zeros((_COMPILED_CHUNK, 2 + plan.seats + self.tallies), np.int64)

    def play(self, first: int, count: int) -> Totals:
        """Return the totals of games number `first` to `first + count - 1`."""
        rows = self._rows[:count]
        self._sample(self._workspace, self.plan.seed, first, count, rows)
        totals = Totals(self.plan.seats, self.tallies)
        totals.add_games(rows)
        return totals


_thread = threading.local()


def _start_worker(plan: Plan, machine: Machine) -> None:
    _thread.worker = _Worker(plan, machine)


def _start_process(plan: Plan) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    _start_worker(plan, Machine(games.find(plan.game), compiled=False))


def _play(first: int, count: int) -> Totals:
    worker: _Worker = _thread.worker
    return worker.play(first, count)
