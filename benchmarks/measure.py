"""Measure rates by repeated runs, both sides in turn in one process, on one core."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

Work = Callable[[], int]
"""Does some of the work and returns how much."""


class Row(NamedTuple):
    """One line of the report."""

    what: str
    ours: str
    theirs: str = ""
    ratio: str = ""


def one_core() -> None:
    """Bind this process, and all that it starts, to one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def rate(work: Work, seconds: float = 1.0) -> float:
    """Return the work done per second of processor time, over at least `seconds`."""
    done = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        done += work()
    return done / spent


def rates(*works: Work, rounds: int = 5, seconds: float = 0.5) -> list[float]:
    """Return the rates of several works, measured in turn; the median round of each."""
    for work in works:
        work()  # warm
    taken = [[rate(work, seconds) for work in works] for _ in range(rounds)]
    return [median(column) for column in zip(*taken, strict=True)]


def compared(what: str, ours: Work, theirs: Work, unit: str, **keywords: float) -> Row:
    """Return a row for two works that do the same."""
    mine, other = rates(ours, theirs, **keywords)  # type: ignore[arg-type]
    return Row(what, f"{number(mine)} {unit}", f"{number(other)} {unit}", f"{mine / other:.2f}×")


def alone(what: str, work: Work, unit: str, **keywords: float) -> Row:
    """Return a row for a work without a peer."""
    return Row(what, f"{number(rates(work, **keywords)[0])} {unit}")  # type: ignore[arg-type]


def number(value: float) -> str:
    """Return a number for people."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def machine() -> str:
    """Return a description of this machine."""
    model = platform.processor() or platform.machine()
    try:
        with Path("/proc/cpuinfo").open() as file:
            model = next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"
