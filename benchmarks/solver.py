"""The Ur solver: positions per second, whole small games, and plain value iteration as its peer."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from measure import Row, number, one_core
from quadriga.lab.solver.layer import Layer
from quadriga.lab.solver.solve import TOLERANCE, solve

TITLE = "The Ur solver"
ABOUT = """
All times are processor seconds of one core. A visit looks for the best move of every roll by the engine's own
functions, and solves a position with these moves. A visit by the book uses the moves that were found before. Both
are measured on the largest layer of a small game. Whole games are solved from the beginning to a residual below 1.2
parts in a hundred million. The peer is plain value iteration: the same visits in the same order from the same first
values, in every sweep. A C program that is not in the repository took 205 seconds of the clock for `ben` with three
markers, 5,204,140 positions, on two loaded threads.
"""
POOL = ThreadPoolExecutor(1)


def visited(layer: Layer, sweep: Callable[[], int]) -> float:
    """Return the positions per processor second, in sweeps over a layer."""
    began, done = time.process_time(), 0
    while (spent := time.process_time() - began) < 1.0:
        sweep()
        done += layer.size
    return done / spent


def visits(rules: str, markers: int, where: Path) -> tuple[float, float]:
    """Return the rate of visits, and of those by the book, in the largest layer of a game."""
    layer = Layer(rules, markers, markers, where)
    layer.order_positions(POOL)
    looking = visited(layer, lambda: layer.sweep(POOL, thorough=True))
    return looking, visited(layer, lambda: layer.follow_book(POOL))


def solved(rules: str, markers: int) -> tuple[float, float]:
    """Solve a game; return its value and the seconds."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.process_time()
        found = solve(rules, markers, workers=1, where=Path(folder))
        return found.value, time.process_time() - began


def iterated(rules: str, markers: int, where: Path) -> float:
    """Return the seconds of plain value iteration, layer by layer, with the tables of the layers below."""
    began = time.process_time()
    for more in range(1, markers + 1):
        for fewer in range(1, more + 1):
            layer = Layer(rules, more, fewer, where)
            layer.order_positions(POOL)
            while layer.sweep(POOL, thorough=True) > TOLERANCE:
                pass
    return time.process_time() - began


def rows() -> Iterator[Row]:
    one_core()
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        for rules, markers in (("ben", 2), ("finkel", 3), ("masters", 2), ("blitz", 2)):
            solve(rules, markers, workers=1, where=where)
            looking, following = visits(rules, markers, where)
            yield Row(f"{rules}, {markers} markers: visits", f"{number(looking)} positions/s")
            yield Row("... by the book", f"{number(following)} positions/s")
        for rules, markers in (("ben", 2), ("finkel", 3)):
            value, seconds = solved(rules, markers)
            plain = iterated(rules, markers, where)
            what = f"{rules}, {markers} solved: the first to roll wins {value:.6f}; plain value iteration"
            yield Row(what, f"{seconds:.2f} s", f"{plain:.2f} s", f"{plain / seconds:.2f}×")
    value, seconds = solved("ben", 3)
    yield Row(f"ben, 3 solved: the first to roll wins {value:.6f}", f"{seconds:.2f} s")
