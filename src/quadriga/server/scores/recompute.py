"""Compute all results and ratings again, from the logs, and say what has changed."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from quadriga.engine.errors import QuadrigaError
from quadriga.server.logs import LOGGER
from quadriga.server.scores.ratings import Ratings
from quadriga.server.scores.results import TRANSIENT, Result, put, result_of
from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import LoadedRoom, Storage
from quadriga.server.storage.schema import TABLES
from quadriga.server.storage.score_changes import lock
from quadriga.server.storage.scores_schema import RATED, RATING_POSITIONS, RATINGS, RESULTS

Progress = Callable[[int, int], None]
_BATCH = 25  # logs that are read and stored at once
_MANY = 1_000  # games from which on processes of their own read the logs


class Recomputed(msgspec.Struct):
    """What was computed. Two stores with the same games have the same checksum."""

    games: int  # that were played to their end
    rated: int  # of those
    players: int  # that have a rating, in whatever pool
    results_changed: int
    ratings_changed: int
    checksum: str


def recompute(
    address: Path | str, progress: Progress = lambda done, total: None, workers: int | None = None
) -> Recomputed:
    """Read the results of all games from their logs again, and compute all ratings from the first game on.

    Many logs are read by as many processes as there are cores, or by `workers`. An interrupt leaves ratings that a
    server, or the next call, goes on to compute. Raises FileError for a store that cannot be opened.
    """
    return asyncio.run(_recompute(address, progress, workers))


async def _recompute(address: Path | str, progress: Progress, workers: int | None) -> Recomputed:
    store = await open_store(address)
    try:
        before = await _ratings(store)
        selected = sa.select(TABLES.c.id).where(TABLES.c.status == "over").order_by(TABLES.c.created)
        over = [row[0] for row in await store.read(selected)]
        workers = workers or (os.cpu_count() or 1 if len(over) >= _MANY else 1)
        with _executor(workers) as executor:
            changed = await _read_logs(store, over, executor, workers, progress)
        await store.transact(_forget_positions)
        ratings, rated = Ratings(store), 0
        for pool in await ratings.pools():
            while count := await ratings.rate(pool):
                rated += count
                progress(min(len(over) + rated, 2 * len(over)), 2 * len(over))
        after = await _ratings(store)
        return Recomputed(
            games=await _count(store, sa.select(sa.func.count()).select_from(RESULTS)),
            rated=await _count(store, sa.select(sa.func.count(sa.distinct(RATED.c.table_id)))),
            players=len({player for _, player in after}),
            results_changed=changed,
            ratings_changed=sum(before.get(key) != after.get(key) for key in before | after),
            checksum=hashlib.sha256(msgspec.json.encode(sorted(after.items()))).hexdigest()[:16],
        )
    finally:
        await store.close()


def _executor(workers: int) -> Executor:
    if workers == 1:
        return ThreadPoolExecutor(1)
    return ProcessPoolExecutor(workers, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN))


async def _read_logs(
    store: Storage, table_ids: Sequence[str], executor: Executor, workers: int, progress: Progress
) -> int:
    """Store the results of rooms as their logs have them; return how many were new or different."""
    loop, waiting, changed = asyncio.get_running_loop(), deque[asyncio.Future[list[Result]]](), 0
    try:
        for first in range(0, len(table_ids), _BATCH):
            progress(first, 2 * len(table_ids))
            rooms = [await _loaded(store, each) for each in table_ids[first : first + _BATCH]]
            waiting.append(loop.run_in_executor(executor, _results, [each for each in rooms if each is not None]))
            if len(waiting) > 2 * workers:
                changed += await _put(store, await waiting.popleft())
        while waiting:
            changed += await _put(store, await waiting.popleft())
    except BaseException:  # an interrupt
        executor.shutdown(wait=False, cancel_futures=True)
        raise
    return changed


async def _loaded(store: Storage, table_id: str) -> LoadedRoom | None:
    try:
        return await store.load(table_id)
    except QuadrigaError as fault:
        if fault.code in TRANSIENT:
            raise
        LOGGER.warning("the result of %s cannot be read: %s", table_id, fault)
        return None


def _results(rooms: Sequence[LoadedRoom]) -> list[Result]:
    """Return the results of games that were played to their end."""
    found = []
    for each in rooms:
        try:
            result = result_of(each)
        except Exception as fault:  # a log that cannot be read keeps the result that it has
            LOGGER.warning("the result of %s cannot be read: %s", each.row.id, fault)
        else:
            found += [] if result is None else [result]
    return found


async def _put(store: Storage, results: Sequence[Result]) -> int:
    return await store.transact(lambda connection: sum(put(connection, each, again=True) for each in results))


def _forget_positions(connection: sa.Connection) -> None:
    lock(connection)
    connection.execute(sa.update(RATING_POSITIONS).values(ended=0, table_id=""))


async def _ratings(store: Storage) -> dict[tuple[str, str], tuple[float, float, int]]:
    rows = await store.read(sa.select(RATINGS))
    return {(row.pool, row.player): (row.mean, row.deviation, row.games) for row in rows}


async def _count(store: Storage, selected: sa.Select[Any]) -> int:
    return int((await store.read(selected))[0][0])
