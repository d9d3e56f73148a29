"""Hold a layer of the Ur solver in memory: its order, the values of its positions, and the book of best moves.

The values stand in the order in which positions are visited, a position and the same turned round side by side. So
the positions that moves lead to are close by. On disk values stand by number; `place` says where each is in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from quadriga.engine.errors import OptionError
from quadriga.engine.kernels.compiler import Report, Request, compile_kernel, is_available
from quadriga.engine.kernels.kernel import Function
from quadriga.engine.kernels.link import plain
from quadriga.engine.kernels.struct import Structured
from quadriga.games import find
from quadriga.games.ur.state import State
from quadriga.players.exact import tables
from quadriga.players.exact.ranking import SIDE
from quadriga.players.exact.ranking_tables import ranking
from quadriga.players.exact.sweep import ALWAYS, BELOW, WORK, SweepWorkspace, arrange, audit, follow, relax, survey
from quadriga.players.exact.tables import ONE, Heading, Numbers

CHUNK = 1 << 14
_PROGRAM = 200_000_000  # bytes for Python and compiled code
_SYMMETRIC_ROOM = 1 << 20  # room for symmetric positions, which have two places
_DRIFT_BITS = 3  # the largest change, divided by 2 ** 3, counts as drift
SMALL = 1 << 11  # positions that are not worth sharing among workers

Piece = tuple[int, int]
Pool = ThreadPoolExecutor


def entry_points() -> list[Request]:
    """Return the entry points that solving compiles."""
    return [Request(kernel, {}) for kernel in (relax, follow, audit, survey, arrange)]


def link_kernel(kernel: Function, report: Report | None) -> Callable[..., Any]:
    """Return a kernel as machine code, or as plain Python if Numba is not installed."""
    return compile_kernel(kernel, {}, report=report) if is_available() else plain(kernel, {})


def tables_of(rules: str, markers: int) -> Structured:
    """Return the engine's tables of a game."""
    game = find("ur")
    return game.rules.new(game.resolve_options({"rules": rules, "markers": markers}, 2)[0], 2)[0].array()


def mirrored_layers(more: int, fewer: int) -> list[tuple[int, int]]:
    """Return a layer and its mirror image."""
    return [(more, fewer)] if more == fewer else [(more, fewer), (fewer, more)]


def layers_below(more: int, fewer: int) -> list[tuple[int, int]]:
    """Return the other layers that a layer and its mirror image refer to."""
    below = [(more - 1, fewer), (fewer, more - 1), (fewer - 1, more), (more, fewer - 1)]
    own = mirrored_layers(more, fewer)
    return list(dict.fromkeys(layer for layer in below if min(layer) > 0 and layer not in own))


def memory(rules: str, more: int, fewer: int) -> int:
    """Return the bytes of memory that solving a layer takes: all its arrays, the layers below, and the program."""
    count = ranking(rules).count
    size = tables.size(rules, more, fewer)
    lines = int(np.count_nonzero(tables_of(rules, more)["dice"]))
    below = sum(count(*layer) for layer in layers_below(more, fewer))
    return _PROGRAM + 4 * below + size * (16 + 4 * lines)


class Layer:
    """A layer and its mirror image in memory, with the values of the layers that they refer to."""

    def __init__(self, rules: str, more: int, fewer: int, where: Path, report: Report | None = None) -> None:
        self.rules, self.more, self.fewer, self.where = rules, more, fewer, where
        self.ranks = ranking(rules)
        self.own = mirrored_layers(more, fewer)
        self.size = tables.size(rules, more, fewer)
        self._tables = tables_of(rules, more)
        self._room = more * SIDE + fewer
        self._flags = np.zeros(SIDE * SIDE, np.int8)
        self._base = np.zeros(SIDE * SIDE, np.int64)
        self._base[fewer * SIDE + more] = 0 if more == fewer else self.ranks.count(more, fewer)
        for mine, theirs in self.own:
            self._flags[mine * SIDE + theirs] = 1
        self.begin = BELOW  # where the values of this layer begin
        for mine, theirs in layers_below(more, fewer):
            self._base[mine * SIDE + theirs] = self.begin
            self.begin += self.ranks.count(mine, theirs)
        if self.begin + self.size + _SYMMETRIC_ROOM > ALWAYS:  # places have 32 bits
            raise OptionError("solve.large", rules=rules, mine=more, theirs=fewer, positions=f"{self.size:,}")
        weights = self._tables["dice"].reshape(-1)
        self._weights = weights[weights > 0].astype(np.int64)
        self._order = np.zeros(0, np.int32)
        self._book = np.zeros(len(self._weights), np.int32)
        self._sure = np.zeros(0, np.int32)  # by the order: the drift up to which the moves in the book are the best
        self._drift = 0  # how far values have moved since the last thorough sweep
        self._turns: list[list[Piece]] = []
        self._linked = {kernel: link_kernel(kernel, report) for kernel in (relax, follow, audit, survey, arrange)}
        self.place = np.zeros(0, np.int32)
        self.values = np.zeros(0, np.int32)

    @property
    def part(self) -> Path:
        """Return the file of the layer while it is under way."""
        return tables.file(self.rules, self.more, self.fewer, self.where).with_suffix(".part")

    def set_zero_values(self) -> None:
        """Set all values to 0, which takes no memory, to measure the speed."""
        self.values = np.zeros(self.begin + self.size, np.int32)
        self.place = np.zeros(self.size, np.int32)

    def set_values(self, values: Numbers) -> None:
        """Set values in the order of their numbers, to audit them."""
        self.values = np.concatenate([*self._lower_values(), values])
        self.place = np.arange(self.begin, self.begin + self.size, dtype=np.int32)

    def _lower_values(self) -> list[Numbers]:
        """Return the values that precede those of this layer in memory."""
        found = [np.zeros(BELOW, np.int32)]
        for mine, theirs in layers_below(self.more, self.fewer):
            values = tables.layer_values(self.rules, mine, theirs, self.where)
            if values is None:
                raise OptionError("solve.below", rules=self.rules, mine=mine, theirs=theirs)
            found.append(values)
        return found

    def order_positions(self, pool: Pool) -> None:
        """Sort the positions, assign them places in memory, and cut them into pieces for the workers."""
        count = self.ranks.count(self.more, self.fewer)
        taken = np.zeros(count, np.int16)

        def look(piece: Piece) -> None:
            self._linked[survey](self._workspace(), self._room, *piece, taken)

        def put(piece: Piece) -> None:
            self._linked[arrange](self._workspace(), self._room, *piece, self.begin)

        list(pool.map(look, _cut(0, count, CHUNK)))
        present = int(np.count_nonzero(taken >= 0))
        self._order = np.argsort(taken, kind="stable")[: -present - 1 : -1].astype(np.int32)
        steps = taken[self._order]
        edges = [0, *(np.flatnonzero(np.diff(steps)) + 1).tolist(), present]
        self._turns = _schedule(list(pairwise(edges)))
        self.place = np.zeros(self.size, np.int32)
        self.values = np.concatenate([*self._lower_values(), np.zeros(2 * present, np.int32)])
        list(pool.map(put, _cut(0, present, CHUNK)))
        self._sure = np.full(present, -1, np.int32)
        self._book = np.zeros(2 * present * len(self._weights), np.int32)

    def sweep(self, pool: Pool, thorough: bool) -> int:
        """Do one sweep of value iteration over all positions; return the largest change of a value.

        Unless `thorough`, moves in the book that were far better than the next are not looked for again.
        """
        if thorough or self._drift > ONE:
            self._drift = 0
            self._sure[self._sure != ALWAYS] = -1
        return self._visit_all(pool, self._relax_piece)

    def follow_book(self, pool: Pool) -> int:
        """Do one sweep of policy evaluation by the moves in the book; return the largest change of a value."""
        return self._visit_all(pool, self._follow_piece)

    def _visit_all(self, pool: Pool, do: Callable[[Piece], int]) -> int:
        largest = 0
        for pieces in self._turns:
            found = pool.map(do, pieces) if len(pieces) > 1 else map(do, pieces)
            largest = max(largest, *found)
        self._drift += largest >> _DRIFT_BITS
        return largest

    def _relax_piece(self, piece: Piece) -> int:
        return int(self._linked[relax](self._workspace(), self._room, *piece, self.begin, self._drift))

    def _follow_piece(self, piece: Piece) -> int:
        return int(self._linked[follow](self._workspace(), *piece, self.begin))

    def residual(self, pool: Pool) -> int:
        """Return the largest difference between a value and what Bellman's equation gives for it."""
        counted = [(layer, self.ranks.count(*layer)) for layer in self.own]
        jobs = [(*layer, *piece) for layer, count in counted for piece in _cut(0, count, CHUNK)]
        return max(pool.map(self.residual_of, jobs))

    def residual_of(self, job: tuple[int, int, int, int]) -> int:
        """Return the Bellman residual of some positions; `job` is a layer, the first position and the end."""
        mine, theirs, first, stop = job
        unread: Any = np.zeros(len(self._weights), np.int32)
        workspace = self._workspace()._replace(book=unread)
        return int(self._linked[audit](workspace, mine * SIDE + theirs, first, stop))

    def _workspace(self) -> SweepWorkspace:
        """Return the layer's arrays with a worker's own."""
        arrays: dict[str, Any] = {
            "tables": self._tables,
            "work": np.zeros(WORK, State.dtype),
            "out": np.zeros(64, np.int64),
            "lead": np.zeros(1, np.int64),
            "ranks": self.ranks.ranks,
            "base": self._base,
            "own": self._flags,
            "place": self.place,
            "values": self.values,
            "order": self._order,
            "weights": self._weights,
            "book": self._book,
            "sure": self._sure,
        }
        return SweepWorkspace(**arrays)

    def resume(self) -> tuple[int, float]:
        """Continue with the file of a layer under way; return the sweeps done so far, and their seconds."""
        if not self.part.is_file():
            return 0, 0.0
        try:
            heading, values = tables.read(self.part)
        except Exception:  # solving starts again, whatever is wrong with the file
            return 0, 0.0
        if (heading.rules, heading.left) != (self.rules, [self.more, self.fewer]):
            return 0, 0.0
        self.values[self.place] = values
        return heading.sweeps, heading.seconds

    def save(self, path: Path, residual: float, sweeps: int, seconds: float) -> None:
        """Write the layer to disk."""
        left = [self.more, self.fewer]
        heading = Heading(tables.FORMAT, self.rules, left, self.size, residual, sweeps, seconds)
        tables.write(path, heading, self.values[self.place])


def _cut(first: int, stop: int, length: int) -> list[Piece]:
    return [(at, min(at + length, stop)) for at in range(first, stop, length)]


def _schedule(equals: list[Piece]) -> list[list[Piece]]:
    """Return lists of pieces that can be done in parallel. Small pieces in a row become one, done in order."""
    turns: list[list[Piece]] = []
    waiting: Piece | None = None
    for first, stop in equals:
        if stop - first <= SMALL:
            waiting = (first if waiting is None else waiting[0], stop)
            continue
        turns += [[waiting]] if waiting else []
        waiting = None
        turns.append(_cut(first, stop, min(CHUNK, max(SMALL // 2, (stop - first) // 8))))
    return turns + ([[waiting]] if waiting else [])
