"""Simulation: many random games, on all cores, the same for any number of workers."""

from __future__ import annotations

import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import msgspec
import numpy as np

from quadriga import games
from quadriga.engine.compiler import Report
from quadriga.engine.drivers import sample
from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.machine import Machine
from quadriga.engine.options import Options
from quadriga.engine.rng import Rng
from quadriga.lab.totals import Estimate, Spread, Totals

LARGEST = 2**62
_COMPILED_CHUNK = 4096
_PLAIN_CHUNK = 16

Progress = Callable[[int, int], None]
"""Told now and then: how many games are done, of how many."""


class Plan(msgspec.Struct, frozen=True):
    """What is to be simulated."""

    game: str
    options: Options
    seats: int
    seed: int
    games: int


class Simulation(msgspec.Struct, frozen=True, kw_only=True):
    """What came out; everything but `timing` depends on the plan alone."""

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
    """Play random games and add them up. Interrupted, it gives what it has: whole games from the first on."""
    for name, value, least in (("games", games, 1), ("workers", workers, 1), ("seed", seed, 0)):
        if not least <= value < LARGEST:
            raise OptionError("option.value", name=name, value=value, allowed=f"{least}..2**62-1")
    plan = Plan(game.id, options, seats, seed, games)
    machine = Machine(game, compiled=compiled, report=report)
    machine.link(sample)
    began = time.monotonic()
    totals = Totals(seats, len(game.tallies))
    interrupted = False
    with _pool(plan, machine.compiled, workers) as pool:
        try:
            for part in _in_turn(pool, plan, machine.compiled, workers):
                totals.merge(part)
                if progress:
                    progress(totals.games, games)
        except KeyboardInterrupt:
            interrupted = True
            pool.shutdown(wait=True, cancel_futures=True)
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


def _pool(plan: Plan, compiled: bool, workers: int) -> Executor:
    """Threads where the games run as machine code, which needs no lock; processes where they run plain."""
    if compiled:
        return ThreadPoolExecutor(workers, initializer=_take_seat, initargs=(plan, True))
    return ProcessPoolExecutor(workers, initializer=_take_seat_alone, initargs=(plan,))


def _in_turn(pool: Executor, plan: Plan, compiled: bool, workers: int) -> Iterator[Totals]:
    """The totals of one chunk of games after another, a few of them always in the making."""
    chunk = _COMPILED_CHUNK if compiled else _PLAIN_CHUNK
    chunks = ((first, min(chunk, plan.games - first)) for first in range(0, plan.games, chunk))
    waiting: deque[Future[Totals]] = deque()
    for first, count in chunks:
        waiting.append(pool.submit(_play, first, count))
        if len(waiting) > 2 * workers:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


class _Desk:
    """What one worker keeps: linked code, and room for the games it plays."""

    def __init__(self, plan: Plan, compiled: bool) -> None:
        game = games.find(plan.game)
        machine = Machine(game, compiled=compiled)
        self.plan = plan
        self.tallies = len(game.tallies)
        self._sample = machine.link(sample)
        self._records = machine.records(plan.options, plan.seats)
        self._work = machine.states(2)
        self._rng = np.zeros(1, Rng.dtype)
        self._scratch = game.scratch()
        self._points = np.zeros(plan.seats, np.int64)
        self._counts = np.zeros(self.tallies, np.int64)
        self._rows = np.zeros((_COMPILED_CHUNK, 2 + plan.seats + self.tallies), np.int64)

    def play(self, first: int, count: int) -> Totals:
        """The totals of games number `first` to `first + count - 1`."""
        rows = self._rows[:count]
        self._sample(
            *self._records,
            self._work,
            self._rng,
            self.plan.seed,
            first,
            count,
            *self._scratch,
            self._points,
            self._counts,
            rows,
        )
        totals = Totals(self.plan.seats, self.tallies)
        totals.take(rows)
        return totals


_own = threading.local()


def _take_seat(plan: Plan, compiled: bool) -> None:
    _own.desk = _Desk(plan, compiled)


def _take_seat_alone(plan: Plan) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    _take_seat(plan, compiled=False)


def _play(first: int, count: int) -> Totals:
    desk: _Desk = _own.desk
    return desk.play(first, count)
