"""Start-up, compiling, and the memory of a long simulation: whole commands in separate processes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from statistics import median

from measure import Row, one_core

TITLE = "Start-up, compile and memory"
ABOUT = """
Whole commands in separate processes, in seconds of processor time, with all that they start. The first run of
`sim` compiles and stores the compiled code; the second loads it. Memory is the largest resident size of the
process.
"""


def command(*arguments: str, cache: str | None = None) -> tuple[float, float]:
    """Run a command; return its seconds of processor time and its peak megabytes."""
    environment = {**os.environ, **({"QUADRIGA_CACHE": cache} if cache else {})}
    process = subprocess.Popen(
        [sys.executable, "-m", "quadriga", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"quadriga {' '.join(arguments)} failed")
    scale = 1 if sys.platform == "darwin" else 1024
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * scale / 2**20


def rows() -> Iterator[Row]:
    one_core()
    yield Row("`quadriga games`", f"{median(command('games')[0] for _ in range(7)):.2f} s")
    with tempfile.TemporaryDirectory() as cache:
        simulate = ("sim", "ur", "--games", "1000", "--seed", "1")
        yield Row("first `sim ur` of 1,000 games (compiles)", f"{command(*simulate, cache=cache)[0]:.2f} s")
        second = median(command(*simulate, cache=cache)[0] for _ in range(3))
        yield Row("second `sim ur` of 1,000 games", f"{second:.2f} s")
        for games in ("10000", "1000000", "2000000"):
            seconds, megabytes = command("sim", "ur", "--games", games, "--seed", "1", cache=cache)
            yield Row(f"`sim ur --games {int(games):,}`", f"{seconds:.1f} s, {megabytes:.0f} MB")
