"""The Ur solver: value iteration by layers of markers left, fewest first, on all cores.

What is borne off stays off: a layer depends on itself, on its mirror image and on layers with fewer markers left.
Two mirror images are solved together and written to one file; a finished file is never solved again, for whatever
number of markers. A layer under way is put on disk now and then and gone on with after an interrupt or a kill.

Within a layer positions are visited from the most steps gone to the fewest (`players.exact.sweep` says why): only
captures need another sweep. Positions with equally many steps gone are shared out among the cores; all of them are
done before the next: any number of workers gives the same bytes.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from quadriga.engine import files
from quadriga.engine.compiler import Report, available, compiled
from quadriga.engine.errors import OptionError
from quadriga.engine.kernel import Function
from quadriga.engine.link import plain
from quadriga.engine.record import Structured
from quadriga.games import find
from quadriga.games.ur.board import RULE_SETS
from quadriga.games.ur.state import State
from quadriga.players.exact import tables
from quadriga.players.exact.ranking import SIDE, ranking
from quadriga.players.exact.sweep import WORK, audit, relax, survey
from quadriga.players.exact.tables import ONE, Heading, Numbers

TOLERANCE = 10  # of 2 ** 30: the largest change of a sweep that counts as none
ACCEPTED = 1e-7  # the largest residual of tables that pass
_CHUNK = 1 << 14
_ALONE = 1 << 11  # positions that are not worth sharing out
_SAVE_EVERY = 60.0  # seconds
_SWEEPS = 6  # that a layer takes for each marker left of both sides, looking it over included; for the forecast
_RATE = 2_000_000  # positions a second and core, for the forecast where nothing can be tried
_TRIAL = 20_000  # positions to try on a core

Piece = tuple[int, int]
Pool = ThreadPoolExecutor

Progress = Callable[[int, int, float], None]
"""Told after every sweep: positions that are done, those under way in part, of all; and the largest change."""


class Forecast(msgspec.Struct, frozen=True):
    """What solving will take: told before it starts."""

    positions: int
    to_solve: int
    memory: int  # bytes
    disk: int  # bytes
    seconds: float


class Solution(msgspec.Struct, frozen=True, kw_only=True):
    """What was solved."""

    rules: str
    markers: int
    positions: int
    value: float
    residual: float
    seconds: float
    solved_now: int
    folder: str


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def layers_of(markers: int) -> list[tuple[int, int]]:
    """The layers of a game with so many markers, fewest left first; the larger number first in each."""
    return [(more, fewer) for more in range(1, markers + 1) for fewer in range(1, more + 1)]


def check(rules: str, markers: int) -> None:
    """Refuse what cannot be solved."""
    if rules not in RULE_SETS:
        raise OptionError("option.value", name="--rules", value=rules, allowed=" | ".join(RULE_SETS))
    if not 1 <= markers <= 7:
        raise OptionError("option.value", name="--markers", value=markers, allowed="1..7")


def forecast(rules: str, markers: int, workers: int, where: Path, report: Report | None = None) -> Forecast:
    """Positions, memory, disk and time: by trying how fast positions of the largest layer go here and now."""
    check(rules, markers)
    ahead, missing = _forecast(rules, markers, where)
    if not missing:
        return ahead
    largest = max(missing, key=lambda layer: tables.size(rules, *layer))
    rate = _RATE if ahead.memory > _physical() else _tried(rules, largest, report)
    visits = sum(tables.size(rules, *layer) * _SWEEPS * sum(layer) for layer in missing)
    return msgspec.structs.replace(ahead, seconds=visits / (rate * workers))


def _forecast(rules: str, markers: int, where: Path) -> tuple[Forecast, list[tuple[int, int]]]:
    """All but the time, and the layers that are missing."""
    sizes = {layer: tables.size(rules, *layer) for layer in layers_of(markers)}
    missing = [layer for layer in sizes if not tables.file(rules, *layer, where).is_file()]
    to_solve = sum(sizes[layer] for layer in missing)
    memory = max((_memory(rules, *layer) for layer in missing), default=0)
    return Forecast(sum(sizes.values()), to_solve, memory, 4 * to_solve, 0.0), missing


def afford(ahead: Forecast, where: Path) -> None:
    """Refuse what this machine has no room for."""
    if ahead.memory > _physical():
        raise OptionError("solve.memory", needed=f"{ahead.memory / 1e9:.1f}", there=f"{_physical() / 1e9:.1f}")
    free = shutil.disk_usage(where).free
    if ahead.disk > free:
        raise OptionError(
            "solve.disk", needed=f"{ahead.disk / 1e9:.1f}", there=f"{free / 1e9:.1f}", path=str(where)
        )


def _memory(rules: str, more: int, fewer: int) -> int:
    """Bytes for the values of a layer and those it refers to, and for putting its positions into their order."""
    return 4 * _room(rules, more, fewer)[1] + 16 * ranking(rules).count(more, fewer)


def _physical() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # a system that does not tell
        return 1 << 62


def _tried(rules: str, layer: tuple[int, int], report: Report | None) -> float:
    """How many positions of a layer go in a second on one core, tried on some in the middle."""
    more, fewer = layer
    ranks, (begins, total) = ranking(rules), _room(rules, more, fewer)
    middle = ranks.count(more, fewer) // 2
    piece = (max(0, middle - _TRIAL // 2), min(ranks.count(more, fewer), middle + _TRIAL // 2))
    values = np.zeros(total, np.int32)  # of which only what is looked at takes up memory
    work, out = _desk()
    run = _linked(audit, report)
    lent = (ranks.keys, ranks.before, ranks.contents, begins, values)
    began = time.perf_counter()
    run(_tables_of(rules, more), work, more * SIDE + fewer, *piece, *lent, out)
    return (piece[1] - piece[0]) / (time.perf_counter() - began)


def _linked(kernel: Function, report: Report | None) -> Callable[..., Any]:
    return compiled(kernel, {}, report=report) if available() else plain(kernel, {})


def _tables_of(rules: str, markers: int) -> Structured:
    game = find("ur")
    return game.new(game.settle({"rules": rules, "markers": markers}, 2)[0], 2)[0].array()  # type: ignore[no-any-return]


def _needed(more: int, fewer: int) -> list[tuple[int, int]]:
    """The layers that a layer and its mirror image refer to, themselves first."""
    own = [(more, fewer), (fewer, more)]
    below = [(more - 1, fewer), (fewer, more - 1), (fewer - 1, more), (more, fewer - 1)]
    return list(dict.fromkeys([*own, *(layer for layer in below if min(layer) > 0)]))


def _room(rules: str, more: int, fewer: int) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], int]:
    """Where each layer begins in one array, and how large that is."""
    ranks = ranking(rules)
    begins = np.zeros(SIDE * SIDE, np.int64)
    total = 0
    for mine, theirs in _needed(more, fewer):
        begins[mine * SIDE + theirs] = total
        total += ranks.count(mine, theirs)
    return begins, total


class Layer:
    """A layer and its mirror image in memory, with what they refer to."""

    def __init__(self, rules: str, more: int, fewer: int, where: Path, report: Report | None = None) -> None:
        self.rules, self.more, self.fewer, self.where = rules, more, fewer, where
        self.ranks = ranking(rules)
        self.begins, total = _room(rules, more, fewer)
        self.own = [(more, fewer)] if more == fewer else [(more, fewer), (fewer, more)]
        self.size = tables.size(rules, more, fewer)
        self.values: Numbers = np.full(total, ONE // 2, np.int32)
        for mine, theirs in _needed(more, fewer):
            if (mine, theirs) not in self.own:
                below = tables.found(rules, mine, theirs, where)
                if below is None:
                    raise OptionError("solve.below", rules=rules, mine=mine, theirs=theirs)
                begin = int(self.begins[mine * SIDE + theirs])
                self.values[begin : begin + len(below)] = below
        self._tables = _tables_of(rules, more)
        self._room = more * SIDE + fewer
        self._order = np.zeros(0, np.int32)
        self._turns: list[list[Piece]] = []
        self._relax, self._audit, self._survey = (_linked(kernel, report) for kernel in (relax, audit, survey))

    @property
    def part(self) -> Path:
        """Where the layer is kept while it is under way."""
        return tables.file(self.rules, self.more, self.fewer, self.where).with_suffix(".part")

    def look_through(self, pool: Pool) -> None:
        """Put the positions into their order, and share them out."""
        count = self.ranks.count(self.more, self.fewer)
        gone = np.zeros(count, np.int16)

        def look(piece: Piece) -> None:
            tables = (self.ranks.keys, self.ranks.before, self.ranks.contents)
            self._survey(self._tables, _desk()[0], self._room, *piece, *tables, gone)

        list(pool.map(look, _cut(0, count, _CHUNK)))
        present = int(np.count_nonzero(gone >= 0))
        self._order = np.argsort(gone, kind="stable")[: -present - 1 : -1].astype(np.int32)
        steps = gone[self._order]
        edges = [0, *(np.flatnonzero(np.diff(steps)) + 1).tolist(), len(steps)]
        self._turns = _shared_out(list(pairwise(edges)))

    def swept(self, pool: Pool) -> int:
        """Solve every position once by what follows it; returns the largest change."""
        if not self._turns:
            self.look_through(pool)
        largest = 0
        for pieces in self._turns:
            found = pool.map(self.relaxed, pieces) if len(pieces) > 1 else map(self.relaxed, pieces)
            largest = max(largest, *found)
        return largest

    def relaxed(self, piece: Piece) -> int:
        """Solve the positions of a piece of the order; returns the largest change."""
        work, out = _desk()
        return int(self._relax(self._tables, work, self._room, self._order, *piece, *self._lent(), out))

    def residual(self, pool: Pool) -> int:
        """The most by which a value differs from what Bellman's equation makes of those that follow it."""

        def off_by(job: tuple[int, int, int]) -> int:
            work, out = _desk()
            return int(self._audit(self._tables, work, *job, *self._lent(), out))

        jobs = [
            (mine * SIDE + theirs, *piece)
            for mine, theirs in self.own
            for piece in _cut(0, self.ranks.count(mine, theirs), _CHUNK)
        ]
        return max(pool.map(off_by, jobs))

    def _lent(self) -> tuple[Any, ...]:
        return self.ranks.keys, self.ranks.before, self.ranks.contents, self.begins, self.values

    def take_up(self) -> tuple[int, float]:
        """Go on with what was kept; returns the sweeps done so far, and the seconds they took."""
        if not self.part.is_file():
            return 0, 0.0
        try:
            heading, values = tables.read(self.part)
        except Exception:  # whatever is wrong with a draft, the cure is to begin again
            return 0, 0.0
        if (heading.rules, heading.left) != (self.rules, [self.more, self.fewer]):
            return 0, 0.0
        self.values[: self.size] = values
        return heading.sweeps, heading.seconds

    def keep(self, path: Path, residual: float, sweeps: int, seconds: float) -> None:
        """Put the layer on disk."""
        own = self.values[: self.size]
        left = [self.more, self.fewer]
        heading = Heading(tables.FORMAT, self.rules, left, self.size, residual, sweeps, seconds)
        tables.write(path, heading, own)


def _desk() -> tuple[Any, Any]:
    """Room to work in."""
    return np.zeros(WORK, State.dtype), np.zeros(64, np.int64)


def _cut(first: int, stop: int, length: int) -> list[Piece]:
    return [(at, min(at + length, stop)) for at in range(first, stop, length)]


def _shared_out(equals: list[Piece]) -> list[list[Piece]]:
    """Turns of pieces that can be done at once; small ones that follow each other are one piece, done in order."""
    turns: list[list[Piece]] = []
    waiting: Piece | None = None
    for first, stop in equals:
        if stop - first <= _ALONE:
            waiting = (first if waiting is None else waiting[0], stop)
            continue
        turns += [[waiting]] if waiting else []
        waiting = None
        turns.append(_cut(first, stop, min(_CHUNK, max(_ALONE // 2, (stop - first) // 8))))
    return turns + ([[waiting]] if waiting else [])


def solve(
    rules: str,
    markers: int,
    *,
    workers: int = 0,
    where: Path | None = None,
    progress: Progress | None = None,
    report: Report | None = None,
) -> Solution:
    """Solve what is not on disk yet, layer by layer; an interrupt loses at most a few sweeps."""
    check(rules, markers)
    place = tables.folder() if where is None else where
    with files.named(place, "file.write"):
        place.mkdir(parents=True, exist_ok=True)
    afford(_forecast(rules, markers, place)[0], place)
    layers = layers_of(markers)
    sizes = {layer: tables.size(rules, *layer) for layer in layers}
    total, done, now = sum(sizes.values()), 0, 0
    with ThreadPoolExecutor(workers or cores()) as pool:
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
    sweeps, before = layer.take_up()
    largest = ONE
    try:
        while largest > TOLERANCE:
            largest = layer.swept(pool)
            sweeps += 1
            if progress:
                progress(done + int(layer.size * _nearness(largest)), total, largest / ONE)
            if time.monotonic() - saved > _SAVE_EVERY:
                layer.keep(layer.part, largest / ONE, sweeps, before + time.monotonic() - began)
                saved = time.monotonic()
    except KeyboardInterrupt:
        pool.shutdown(cancel_futures=True)  # nobody writes any more
        layer.keep(layer.part, largest / ONE, sweeps, before + time.monotonic() - began)
        raise
    residual = layer.residual(pool) / ONE
    path = tables.file(layer.rules, layer.more, layer.fewer, layer.where)
    layer.keep(path, residual, sweeps, before + time.monotonic() - began)
    layer.part.unlink(missing_ok=True)


def _nearness(largest: int) -> float:
    """How much of the way to the tolerance is done: every sweep takes about the same part off the change."""
    return 1 - log(max(largest, TOLERANCE) / TOLERANCE) / log(ONE / TOLERANCE)


def start_value(rules: str, markers: int, where: Path) -> float:
    """The chance of the side to roll with all markers at home: position 0 of its layer."""
    values = tables.found(rules, markers, markers, where)
    if values is None:
        raise OptionError("solve.below", rules=rules, mine=markers, theirs=markers)
    return int(values[0]) / ONE


def verify(rules: str, markers: int, *, workers: int = 0, where: Path | None = None) -> float:
    """The Bellman residual of all tables of a game, computed anew from checked files."""
    check(rules, markers)
    place = tables.folder() if where is None else where
    largest = 0
    with ThreadPoolExecutor(workers or cores()) as pool:
        for more, fewer in layers_of(markers):
            layer = Layer(rules, more, fewer, place)
            layer.values[: layer.size] = tables.read(tables.file(rules, more, fewer, place))[1]
            largest = max(largest, layer.residual(pool))
    return largest / ONE
