"""Random series of Ben Hvrt, and the time to compile it, the largest of the games."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import twins
from measure import Row, alone, one_core
from playouts import playouts
from startup import command

TITLE = "Ben Hvrt"
ABOUT = """
Whole random series on one core, with all legal actions equally likely. A prototype of the same rules reached
1,300 to 1,500 Basic series of four players a second compiled, and 5.5 plain. Compiling starts from an empty
cache. One C program plays the very same series, with cards, auction, market and windows; the other drives the
very same races in which nobody holds a card. Both are checked to add up the same figures. Six of seven decisions
of a series are steps of a move, and driving takes about three quarters of our time. Where the time goes was
measured by replacing one part after the other with a cheaper one that plays the same series; of about 148 µs
a series, beside 82 µs in C: steps that read and write the state at each step, instead of once a move, 16 µs;
offers, 9 µs (2 µs in C); the game's own tallies, 8 µs. The rest is spread over the stages of 853 moves and their
windows, each a turn of the loop over the stack of tasks. Four parts are mended: every stage of a move took such
a turn and no step was inlined (22 µs), Numba tested at every access whether an index is negative (13 µs), a
card was drawn from a list of all kinds (4 µs), and whether a square is free was found out by looking at every
chariot (8 % of a series, 27 % with twelve players, 9 % of driving; the program that drives still does so). It
makes no difference whether LLVM knows that the state and the tables are apart, nor whether it vectorizes loops.
Of driving, samples of the running program say that a quarter is spent between the steps, in three or four turns
of that loop a move; to inline the stages of a move there makes no difference (1 %), nor do the tallies make much
(2 %). Within the steps no place stands out but those at which the processor guesses wrong: a random stop, and the
number of squares to choose from, which differs from square to square. The C program has these, too; ours goes
through windows, passing and cards fitted besides, which it leaves out.
"""
BRIBES: dict[str, object] = {"bribes": True}


def rows() -> Iterator[Row]:
    one_core()
    yield from twins.ben_hvrt_series()
    yield alone("... plain Python", playouts("ben-hvrt", {}, 4, 1, compiled=False), "series/s", rounds=3, seconds=2)
    yield from twins.ben_hvrt()
    yield alone("Basic series, 12 players", playouts("ben-hvrt", {}, 12, 50), "series/s")
    yield alone("Basic series, 4 players, bribes", playouts("ben-hvrt", BRIBES, 4, 20), "series/s")
    with tempfile.TemporaryDirectory() as cache:
        simulate = ("sim", "ben-hvrt", "--seats", "4", "--games", "1", "--seed", "1")
        yield Row("first `sim ben-hvrt` of 1 series (compiles)", f"{command(*simulate, cache=cache)[0]:.1f} s")
        second = median(command(*simulate, cache=cache)[0] for _ in range(5))
        yield Row("second `sim ben-hvrt` of 1 series", f"{second:.2f} s")
    yield Row("... of which getting the compiled code ready", f"{median(ready() for _ in range(5)):.2f} s")


def ready() -> float:
    """Return the processor seconds until a new process has played its first compiled series, from a warm cache."""
    script = (
        "import time\n"
        "from playouts import playouts\n"
        "began = time.process_time()\n"
        "playouts('ben-hvrt', {}, 4, 1)()\n"
        "print(time.process_time() - began)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=Path(__file__).parent, stdout=subprocess.PIPE, check=True
    )
    return float(done.stdout)
