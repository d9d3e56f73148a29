"""Solve Ur by value iteration, layer by layer, on all cores.

A layer holds the positions with given numbers of markers left. Layers with the fewest markers come first.

Markers that are borne off stay off, so a layer depends on itself, on its mirror image and on layers with fewer
markers left. Two mirror images are solved together and written to one file. A finished file is never solved again,
for any number of markers. A layer under way is written to disk now and then, and continues after an interrupt or a
kill.

Within a layer positions are visited from the most steps taken to the fewest (`players.exact.sweep` says why): only
captures need another sweep. The cores share positions with equally many steps, and all of these are done before
the next. So any number of workers gives the same bytes.

A sweep that looks for the best moves writes them into a table, the book. Sweeps that only follow the book take a
tenth of the time. Several of them, until little changes, come before the next sweep that looks for moves. The last
sweep looks for moves everywhere, so no value then differs from Bellman's equation by more than this sweep has
changed.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import log
from pathlib import Path

import msgspec

from quadriga.engine import files
from quadriga.engine.errors import OptionError
from quadriga.engine.kernels.compiler import Report, compile_all, is_available
from quadriga.games.ur.board import RULE_SETS
from quadriga.lab.solver.layer import Layer, Pool, entry_points, memory
from quadriga.players.exact import tables
from quadriga.players.exact.tables import ONE

TOLERANCE = 10  # of 2 ** 30: the largest change of a sweep that counts as none
ACCEPTED = 1e-7  # the largest residual of tables that pass
_SAVE_INTERVAL_S = 30.0  # at least
_THOROUGH_SWEEPS = 3  # the number of first sweeps that look for the best move everywhere
_BOOK_REDUCTION = 32  # the factor by which following the book reduces the change of a sweep, before the next
_SHARE_BEFORE_LAST = 0.85  # of the work of a layer, for progress reports
_ROUNDING = 2  # of 2 ** 30: the most that rounding can add to a residual
_FORECAST_VISITS = 8.0  # visits of each position of a layer, including the ordering
_FORECAST_FOLLOWS = 0.5  # the cost of following the book, in visits, for each marker left of both sides
_DEFAULT_RATE = 2_000_000  # positions a second and core, where the rate cannot be measured
_TRIAL = 20_000  # positions that the rate is measured on,
_TRIALS = 5  # ... and how many times

Progress = Callable[[int, int, float], None]
"""Called after every sweep with the positions done, those of all, and the largest change."""


class Forecast(msgspec.Struct, frozen=True):
    """The estimated cost of solving."""

    positions: int
    to_solve: int
    memory: int  # bytes
    disk: int  # bytes
    seconds: float


class Solution(msgspec.Struct, frozen=True, kw_only=True):
    """A solved game."""

    rules: str
    markers: int
    positions: int
    value: float
    residual: float
    seconds: float
    solved_now: int
    folder: str


def available_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def layers_of(markers: int) -> list[tuple[int, int]]:
    """Return the layers of a game, the fewest markers left first, with the larger number first in each."""
    return [(more, fewer) for more in range(1, markers + 1) for fewer in range(1, more + 1)]


def check(rules: str, markers: int) -> None:
    """Raise OptionError for a game that cannot be solved."""
    if rules not in RULE_SETS:
        raise OptionError("option.value", name="--rules", value=rules, allowed=" | ".join(RULE_SETS))
    if not 1 <= markers <= 7:
        raise OptionError("option.value", name="--markers", value=markers, allowed="1..7")


def forecast(rules: str, markers: int, workers: int, where: Path, report: Report | None = None) -> Forecast:
    """Estimate positions, memory, disk and time, by measuring the speed on some positions of the largest layer."""
    check(rules, markers)
    estimate, missing = _forecast_sizes(rules, markers, where)
    if not missing:
        return estimate
    if is_available():
        compile_all(entry_points(), report=report)
    largest = max(missing, key=lambda layer: tables.size(rules, *layer))
    rate = _DEFAULT_RATE if estimate.memory > _physical_memory() else _measure_rate(rules, largest, where, report)
    visits = sum(
        tables.size(rules, *layer) * (_FORECAST_VISITS + _FORECAST_FOLLOWS * sum(layer)) for layer in missing
    )
    return msgspec.structs.replace(estimate, seconds=visits / (rate * workers))


def _forecast_sizes(rules: str, markers: int, where: Path) -> tuple[Forecast, list[tuple[int, int]]]:
    """Return the forecast without the time, and the layers that are not solved yet."""
    sizes = {layer: tables.size(rules, *layer) for layer in layers_of(markers)}
    missing = [layer for layer in sizes if not tables.file(rules, *layer, where).is_file()]
    to_solve = sum(sizes[layer] for layer in missing)
    room = max((memory(rules, *layer) for layer in missing), default=0)
    return Forecast(sum(sizes.values()), to_solve, room, 4 * to_solve, 0.0), missing


def check_resources(estimate: Forecast, where: Path) -> None:
    """Raise OptionError if this machine has too little memory or disk space."""
    if estimate.memory > _physical_memory():
        raise OptionError(
            "solve.memory", needed=f"{estimate.memory / 1e9:.1f}", there=f"{_physical_memory() / 1e9:.1f}"
        )
    free = shutil.disk_usage(where).free
    if estimate.disk > free:
        raise OptionError(
            "solve.disk", needed=f"{estimate.disk / 1e9:.1f}", there=f"{free / 1e9:.1f}", path=str(where)
        )


def _physical_memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # this system does not provide the number
        return 1 << 62


def _measure_rate(rules: str, layer: tuple[int, int], where: Path, report: Report | None) -> float:
    """Return how many positions of a layer one core audits in a second, measured on positions in the middle."""
    trial = Layer(rules, *layer, where, report)
    trial.set_zero_values()
    count = trial.ranks.count(*layer)
    first = max(0, count // 2 - _TRIAL // 2)
    stop = min(count, first + _TRIAL)
    taken = []
    for _ in range(_TRIALS):
        began = time.thread_time()
        trial.residual_of((*layer, first, stop))
        taken.append(time.thread_time() - began)
    return (stop - first) / min(taken)


def solve(
    rules: str,
    markers: int,
    *,
    workers: int = 0,
    where: Path | None = None,
    progress: Progress | None = None,
    report: Report | None = None,
) -> Solution:
    """Solve the layers that are not on disk, one by one. An interrupt loses at most a few sweeps."""
    check(rules, markers)
    place = tables.folder() if where is None else where
    with files.file_errors(place, "file.write"):
        place.mkdir(parents=True, exist_ok=True)
    check_resources(_forecast_sizes(rules, markers, place)[0], place)
    layers = layers_of(markers)
    sizes = {layer: tables.size(rules, *layer) for layer in layers}
    total, done, now = sum(sizes.values()), 0, 0
    with ThreadPoolExecutor(workers or available_cores()) as pool:
        for layer in layers:
            if not tables.file(rules, *layer, place).is_file():
                _solve_layer(Layer(rules, *layer, place, report), pool, done, total, progress)
                now += sizes[layer]
            done += sizes[layer]
            if progress:
                progress(done, total, 0.0)
    headings = [tables.read(tables.file(rules, *layer, place), check=False)[0] for layer in layers]
    return Solution(
        rules=rules,
        markers=markers,
        positions=total,
        value=start_value(rules, markers, place),
        residual=max(heading.residual for heading in headings),
        seconds=sum(heading.seconds for heading in headings),
        solved_now=now,
        folder=str(place),
    )


def _solve_layer(layer: Layer, pool: Pool, done: int, total: int, progress: Progress | None) -> None:
    began = saved = time.monotonic()
    layer.order_positions(pool)
    sweeps, before = layer.resume()
    reached, thorough, change = 0.0, True, ONE

    def report_change(change: int) -> None:
        if progress:
            progress(done + int(layer.size * reached), total, change / ONE)

    try:
        while True:
            change, sweeps = layer.sweep(pool, thorough), sweeps + 1
            reached = max(reached, _SHARE_BEFORE_LAST * _progress_share(change))
            report_change(change)
            if change <= TOLERANCE and thorough:
                break
            if change > TOLERANCE:
                _follow(layer, pool, max(change // _BOOK_REDUCTION, TOLERANCE // 3), report_change)
            thorough = sweeps < _THOROUGH_SWEEPS or change <= TOLERANCE
            if thorough and time.monotonic() - saved > _SAVE_INTERVAL_S:  # a thorough sweep needs only the values
                layer.save(layer.part, change / ONE, sweeps, before + time.monotonic() - began)
                saved = time.monotonic()
    except KeyboardInterrupt:
        pool.shutdown(cancel_futures=True)
        raise
    path = tables.file(layer.rules, layer.more, layer.fewer, layer.where)
    layer.save(path, (change + _ROUNDING) / ONE, sweeps, before + time.monotonic() - began)
    layer.part.unlink(missing_ok=True)


def _follow(layer: Layer, pool: Pool, enough: int, report_change: Callable[[int], None]) -> None:
    """Evaluate the policy of the book in sweeps until no value changes by more than `enough`."""
    change = ONE
    while change > enough:
        change = layer.follow_book(pool)
        report_change(change)


def _progress_share(largest: int) -> float:
    """Return the estimated share of work done. Every sweep reduces the largest change by about the same factor."""
    return 1 - log(max(largest, TOLERANCE) / TOLERANCE) / log(ONE / TOLERANCE)


def start_value(rules: str, markers: int, where: Path) -> float:
    """Return the win probability of the side to roll with all markers at home, which is position 0 of its layer."""
    values = tables.layer_values(rules, markers, markers, where)
    if values is None:
        raise OptionError("solve.below", rules=rules, mine=markers, theirs=markers)
    return int(values[0]) / ONE


def verify(rules: str, markers: int, *, workers: int = 0, where: Path | None = None) -> float:
    """Return the Bellman residual of all tables of a game, computed from checked files."""
    check(rules, markers)
    place = tables.folder() if where is None else where
    largest = 0
    with ThreadPoolExecutor(workers or available_cores()) as pool:
        for more, fewer in layers_of(markers):
            # Read before compiling anything, so that a missing file is reported at once.
            _, values = tables.read(tables.file(rules, more, fewer, place))
            layer = Layer(rules, more, fewer, place)
            layer.set_values(values)
            largest = max(largest, layer.residual(pool))
    return largest / ONE
