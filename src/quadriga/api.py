"""The public face of Quadriga: a few functions that cover what most people want."""

from __future__ import annotations

import secrets
from pathlib import Path

from quadriga.engine import files
from quadriga.engine.match import trace, trace_reader
from quadriga.engine.match.dice import Dice, FairDice, SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.lab.simulate import Simulation
from quadriga.lab.simulate import simulate as _simulate


def new(game: str, seats: int | None = None, *, seed: int | None = None, **options: object) -> Match:
    """A new match. With a seed it is reproducible; without, its dice are fair and can be checked."""
    found = find(game)
    settled, count = found.resolve_options(options, seats)
    dice: Dice = FairDice([""] * count) if seed is None else SeededDice(seed)
    return Match(found, settled, count, dice)


def dumps(match: Match) -> str:
    """A match as the text of its trace."""
    return trace.dumps(match)


def loads(text: str) -> Match:
    """The first game of a trace, every line checked. Its dice lie where they fell: it goes on by `happen`."""
    return next(trace_reader.read(text.encode("utf-8", "surrogatepass").splitlines(), find)).match


def save(match: Match, path: Path | str) -> None:
    """Write a match's trace to a file."""
    files.write_text(path, trace.dumps(match))


def load(path: Path | str) -> Match:
    """Read the first game of a trace file."""
    return next(trace_reader.read(files.read_lines(path), find)).match


def simulate(
    game: str,
    games: int = 1000,
    *,
    seats: int | None = None,
    seed: int | None = None,
    workers: int = 1,
    **options: object,
) -> Simulation:
    """Play many random games and add them up; the same seed gives the same games."""
    found = find(game)
    settled, count = found.resolve_options(options, seats)
    chosen = secrets.randbits(32) if seed is None else seed
    return _simulate(found, settled, count, games=games, seed=chosen, workers=workers)
