"""C programs that play the same random games, compiled here if there is a compiler.

The programs for our own games use our random generator, so they play the very same games: every figure that they
add up must be equal to ours. `ur_finkel.c` has a generator of its own.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from measure import Row, Work, compared
from quadriga.engine.kernels import random_games
from quadriga.engine.kernels.machine import Machine
from quadriga.games import find
from quadriga.games.avecaesar.board import LAPS, WINDOW
from quadriga.games.benhvrt.board import SIDES
from quadriga.games.benhvrt.deck import operations
from quadriga.games.benhvrt.rules.phases import series
from quadriga.games.benhvrt.rules.turn import advance
from quadriga.games.benhvrt.state import NOT_ASKED
from quadriga.lab.simulate import simulate

HERE = Path(__file__).parent
CHECKED = 500  # games of which both sides add up the same figures
CHECKED_SERIES = 5000  # enough for a hundred swaps, the rarest of the figures
POT, PURSE, RACE_LAPS = 40, 50, 2
SERIES_TABLES = (
    *("laps", "type", "copies", "price", "upkeep", "upkeep_halves", "window", "per", "takes", "op", "one", "two"),
    *("in_window", "of_type", "doing", "passes"),
    "front",
    *("lane", "ahead", "behind", "last", "sides", "beside", "grid", "grid_rank"),
)

Run = Callable[[int, int, np.ndarray], None]
"""A function of the number of the first game, how many, and the array to which it adds its figures."""


@cache
def compiled(name: str, constants: tuple[tuple[str, int], ...] = ()) -> ctypes.CDLL | None:
    """Return the program of this name as a library, with constants of ours defined; None without a C compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / f"{name}.so"
        flags = ["-O3", "-march=native", "-shared", "-fPIC", *(f"-D{key}={value}" for key, value in constants)]
        subprocess.run([compiler, *flags, "-o", str(library), str(HERE / f"{name}.c")], check=True)
        return ctypes.CDLL(str(library))


def program(library: ctypes.CDLL, data: ctypes.Structure | None = None) -> Run:
    """Return the `run` of a program, with the structure of tables that it takes, if any."""

    def run(first: int, games: int, out: np.ndarray) -> None:
        tables = [] if data is None else [ctypes.byref(data)]
        numbers = [ctypes.c_int64(number) for number in (1, first, games)]
        library.run(*tables, *numbers, ctypes.c_void_p(out.ctypes.data))

    return run


def ours(id: str, options: dict[str, object], seats: int, prepare: Callable[[Any, Any], None] | None = None) -> Run:
    """Return random games of ours. `prepare` sets up another first position."""
    game = find(id)
    machine = Machine(game, knowledge=False)
    options, seats = game.resolve_options(options, seats)
    play, workspace = machine.link(random_games.measure), random_games.allocate(machine, options, seats)
    if prepare:
        t, s = game.rules.new(options, seats)
        prepare(t, s)
        np.asarray(workspace.origin)[:] = s.array()
    rows = np.zeros((5000, 2 + len(game.tallies) + seats), np.int64)

    def run(first: int, games: int, out: np.ndarray) -> None:
        for begin in range(first, first + games, len(rows)):
            count = min(len(rows), first + games - begin)
            play(workspace, 1, begin, count, rows[:count])
            out[: rows.shape[1]] += rows[:count].sum(axis=0)

    return run


def work(run: Run, games: int) -> Work:
    """Return games in chunks, each chunk with new numbers."""
    out = np.zeros(24, np.int64)
    first = 0

    def some() -> int:
        nonlocal first
        run(first, games, out)
        first += games
        return games

    return some


def beside_c(
    what: str,
    mine: Run,
    name: str,
    games: int,
    unit: str,
    data: ctypes.Structure | None = None,
    constants: tuple[tuple[str, int], ...] = (),
    checked: int = CHECKED,
) -> Row:
    """Return a row for games of ours beside the C program, after a check that both play the same games."""
    library = compiled(name, constants)
    if library is None:
        return Row(what, "", "there is no C compiler here")
    theirs = program(library, data)
    figures = np.zeros((2, 24), np.int64)
    for run, out in zip((mine, theirs), figures, strict=True):
        run(0, checked, out)
    if (figures[0] != figures[1]).any():
        raise AssertionError(f"{name}.c plays other games: {figures.tolist()}")
    return compared(what, work(mine, games), work(theirs, games), unit)


def structure(numbers: dict[str, int], arrays: dict[str, np.ndarray]) -> ctypes.Structure:
    """Return a C structure of 64-bit numbers and pointers to arrays."""
    kept = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    fields = [(name, ctypes.c_int64) for name in numbers] + [(name, ctypes.c_void_p) for name in kept]
    kind = type("Tables", (ctypes.Structure,), {"_fields_": fields})
    made: ctypes.Structure = kind(*numbers.values(), *(array.ctypes.data for array in kept.values()))
    made.kept = kept
    return made


def finkel() -> Iterator[Row]:
    """Random games by Finkel's rules beside a C program with its own generator."""
    what = "Finkel, random games with statistics; peer: C"
    library = compiled("ur_finkel")
    if library is None:
        yield Row(what, "", "there is no C compiler here")
        return

    def peer(first: int, games: int, out: np.ndarray) -> None:
        library.run(ctypes.c_int64(games), ctypes.c_uint64(first + 1), ctypes.c_void_p(out.ctypes.data))

    yield compared(what, work(ours("ur", {"rules": "finkel"}, 2), 50_000), work(peer, 50_000), "games/s")
    game = find("ur")
    options, seats = game.resolve_options({"rules": "finkel"}, 2)

    def sim() -> int:
        return simulate(game, options, seats, games=200_000, seed=1).games

    yield compared("... by `sim` with one worker; peer: C", sim, work(peer, 200_000), "games/s")


def ben() -> Iterator[Row]:
    """Random games by Ben's rules beside the same games in C."""
    mine = ours("ur", {"rules": "ben"}, 2)
    yield beside_c("Ben's rules, random games with statistics; peer: C", mine, "ur_ben", 10_000, "games/s")


def ave_caesar() -> Iterator[Row]:
    """Random races on the white course beside the same races in C."""
    options: dict[str, object] = {"courses": ["white cw"]}
    game = find("ave-caesar")
    t = game.rules.new(*game.resolve_options(options, 4))[0].array()[0]
    data = structure(
        {
            "seats": 4,
            "spaces": int(t["spaces"][0]),
            "gate": int(t["gate"][0]),
            "window": WINDOW,
            "laps": LAPS,
            "entrance": int(t["entrance"][0]),
        },
        {name: t[name][0] for name in ("steps", "keeping", "rank", "alley", "start")},
    )
    mine = ours("ave-caesar", options, 4)
    yield beside_c("random races, white, 4 players; peer: C", mine, "ave_race", 4000, "races/s", data)


def ben_hvrt() -> Iterator[Row]:
    """Races of two laps without cards beside the same races in C."""
    options: dict[str, object] = {"series": [RACE_LAPS]}
    game = find("ben-hvrt")
    t = game.rules.new(*game.resolve_options(options, 4))[0].array()[0]
    data = structure(
        {
            "chariots": 4,
            "laps": RACE_LAPS,
            "lap_length": int(t["lap_length"]),
            "sides_per_square": SIDES,
            "pot": POT,
            "purse": PURSE,
        },
        {name: t[name] for name in ("front", "lane", "ahead", "last", "sides", "beside", "grid", "grid_rank")},
    )
    mine = ours("ben-hvrt", options, 4, on_the_grid)
    what = "races of 2 laps without cards, 4 chariots; peer: C"
    yield beside_c(what, mine, "ben_drive", 2000, "races/s", data)


def ben_hvrt_series() -> Iterator[Row]:
    """Whole Basic series of four players, without bribes, beside the same series in C."""
    game = find("ben-hvrt")
    tables, state = game.rules.new(*game.resolve_options({}, 4))
    t = tables.array()[0]
    numbers = {name: int(t[name]) for name in ("seats", "races", "offers", "kinds", "lap_length")}
    data = structure(
        numbers | {"purse": int(state.array()[0]["purse"][0])}, {name: t[name] for name in SERIES_TABLES}
    )
    mine = ours("ben-hvrt", {}, 4)
    what = "Basic series, 4 players; peer: C"
    yield beside_c(what, mine, "ben_series", 1000, "series/s", data, card_codes(), CHECKED_SERIES)


def card_codes() -> tuple[tuple[str, int], ...]:
    """Return the constants of `ben_series.c`: windows, types of cards, what they take, and operations."""
    names = ("AU", "PR", "RO", "PB", "PA", "BM", "RE", "MOVE", "IMPROVEMENT", "DRIVER")
    takes = ("NOTHING", "VALUE", "CHARIOT", "RIVAL", "PAIR")
    codes = {name: getattr(operations, name) for name in names + takes}
    codes |= {"OP_" + name.replace("-", "_").upper(): code for name, code in operations.CODES.items()}
    return tuple(codes.items())


def on_the_grid(t: Any, s: Any) -> None:
    """Set up a race that is about to begin, with all cards in the deck."""
    s.rollers = s.tied = 0
    s.dealer = t.seats - 1
    s.laps = RACE_LAPS
    s.pot = POT
    for seat in range(t.seats):
        s.purse[seat] = PURSE
        s.entered |= 1 << seat
    s.at[0] = series.TO_RACE
    s.asked = NOT_ASKED
    advance(t, s)
