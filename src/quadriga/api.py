"""The public functions of Quadriga: start, load and save matches, and simulate games."""

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
    """Return a new match. With a seed it is reproducible; without one, its dice are fair and can be verified."""
    rules = find(game)
    resolved, count = rules.resolve_options(options, seats)
    dice: Dice = FairDice([""] * count) if seed is None else SeededDice(seed)
    return Match(rules, resolved, count, dice)


def dumps(match: Match) -> str:
    """Return the trace of a match as text."""
    return trace.dumps(match)


def loads(text: str) -> Match:
    """Return the first game of a trace, with every line checked. It has no dice; continue it with `happen`."""
    return next(trace_reader.read(text.encode("utf-8", "surrogatepass").splitlines(), find)).match


def save(match: Match, path: Path | str) -> None:
    """Write the trace of a match to a file."""
    files.write_text(path, trace.dumps(match))


def load(path: Path | str) -> Match:
    """Return the first game of a trace file, like `loads`."""
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
    """Play random games and return their statistics; the same seed gives the same games."""
    rules = find(game)
    resolved, count = rules.resolve_options(options, seats)
    chosen_seed = secrets.randbits(32) if seed is None else seed
    return _simulate(rules, resolved, count, games=games, seed=chosen_seed, workers=workers)
