"""Play the games of a study on an executor, and write its tables. They are the same for any number of workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from quadriga.engine.kernels.compiler import Report, is_available
from quadriga.games import find
from quadriga.lab.executors.chunks import Chunk, Executor, Failure, Job, cut
from quadriga.lab.executors.local import LocalExecutor
from quadriga.lab.study.counted_games import CountedGames
from quadriga.lab.study.data_tables import need_polars
from quadriga.lab.study.plan import StudyPlan
from quadriga.lab.study.reviewing import ReviewJob
from quadriga.lab.study.store import Store, locked
from quadriga.lab.study.tables import make_tables

if TYPE_CHECKING:
    import polars as pl

Progress = Callable[[int, int], None]
DataTables = dict[str, "pl.DataFrame"]
"""The tables of some games, by name."""


class Collected(msgspec.Struct, frozen=True):
    """The outcome of one run of a study."""

    games: int  # that are kept so far
    interrupted: bool
    failed: list[Failure] = []  # chunks of games that are missing


class StudyJob(msgspec.Struct, frozen=True):
    """The games of a study, for an executor."""

    plan: StudyPlan
    is_compiled: bool

    def start(self, report: Report | None = None) -> Callable[[Chunk], DataTables]:
        """Return a function that plays games and returns their tables."""
        need_polars()
        plan, game = self.plan, find(self.plan.game)
        games = CountedGames(
            game,
            plan.options,
            plan.seats,
            plan.bots,
            compiled=self.is_compiled,
            report=report,
        )

        def play(chunk: Chunk) -> DataTables:
            rows = games.play(plan.seed, chunk.first, chunk.count)
            return make_tables(plan, games.layout, rows, chunk.first)

        return play


def collect(
    plan: StudyPlan,
    folder: Path,
    *,
    workers: int = 1,
    compiled: bool | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    report: Report | None = None,
) -> Collected:
    """Play the games that the folder lacks, and write the tables once all are there.

    Finished chunks stay in the folder after an interrupt or a failure, and the next run continues from there. The
    executor is a number of workers of this machine, unless another is given. Raise FileError while another command
    works on the folder.
    """
    need_polars()
    with locked(folder):
        store = Store(folder, plan)
        if store.is_finished:
            return Collected(store.plan.games, False)
        run = _Run(store, executor or LocalExecutor(workers), progress, report)
        return _play(run, is_available() if compiled is None else compiled)


def _play(run: _Run, is_compiled: bool) -> Collected:
    """Play the missing chunks, and write the tables if all are complete then; return what was done."""
    store = run.store
    try:
        run.play(StudyJob(store.plan, is_compiled), "games", store.plan.games_at_once)
        run.play(ReviewJob(store.plan, is_compiled), "reviews", 1)
    except KeyboardInterrupt:
        return Collected(run.games, True)
    if not run.failed:
        store.finish()
    return Collected(run.games, False, run.failed)


class _Run:
    """The work on a study: plays the chunks that are missing, and keeps them."""

    def __init__(self, store: Store, executor: Executor, progress: Progress | None, report: Report | None) -> None:
        self.store, self.executor = store, executor
        self.games = 0
        self.failed: list[Failure] = []
        self._progress, self._report = progress, report
        self._done, self._total = 0, store.plan.games + store.plan.reviews

    def play(self, job: Job[DataTables], table: str, size: int) -> None:
        """Play the missing chunks of one kind."""
        plan = self.store.plan
        chunks = list(cut(0, plan.games if table == "games" else plan.reviews, size))
        missing = [chunk for chunk in chunks if not self.store.has(table, chunk.first, chunk.count)]
        self._count(table, sum(chunk.count for chunk in chunks) - sum(chunk.count for chunk in missing))
        if not missing:
            return
        run = self.executor.start(job, self._report)
        is_stopped = True
        try:
            results: Iterator[DataTables | Failure] = run.map(missing)
            for chunk, found in zip(missing, results, strict=True):
                if isinstance(found, Failure):
                    self.failed.append(found)
                else:
                    self.store.put(chunk.first, chunk.count, found)
                    self._count(table, chunk.count)
            is_stopped = False
        finally:
            run.close(wait=not is_stopped)

    def _count(self, table: str, number: int) -> None:
        self.games += number if table == "games" else 0
        self._done += number
        if self._progress and self._done:
            self._progress(self._done, self._total)
