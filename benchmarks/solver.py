"""The Ur solver: positions a second, and whole small games."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from measure import Row, number, one_core
from quadriga.lab.solve import Layer, solve

TITLE = "The Ur solver"
ABOUT = """
A sweep visits every position of a layer once, all rolls and moves; measured on the largest layer, on one core, in
seconds of that core (not of the clock). Whole games are solved from nothing to a residual below one
part in a hundred million. `ben` with three markers is 5,204,140 positions.
"""


def swept(rules: str, markers: int, where: Path) -> float:
    """Positions a second of the core, sweep after sweep over the largest layer of a game."""
    layer = Layer(rules, markers, markers, where)
    pool = ThreadPoolExecutor(1)
    layer.look_through(pool)
    began, done = time.process_time(), 0
    while (spent := time.process_time() - began) < 2.0:
        layer.swept(pool, True)
        done += layer.size
    return done / spent


def rows() -> Iterator[Row]:
    one_core()
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        for rules, markers in (("ben", 2), ("finkel", 3), ("masters", 2), ("blitz", 2)):
            solve(rules, markers, workers=1, where=where)
            rate = swept(rules, markers, where)
            yield Row(f"{rules}, {markers} markers: a sweep", f"{number(rate)} positions/s")
    for markers in (1, 2, 3):
        with tempfile.TemporaryDirectory() as folder:
            began = time.process_time()
            found = solve("ben", markers, workers=1, where=Path(folder))
            seconds = time.process_time() - began
            yield Row(f"ben, {markers} solved: the first to roll wins {found.value:.6f}", f"{seconds:.2f} s")
