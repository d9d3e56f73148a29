"""The arena: players meet on all seats with the same dice, until it is clear who is better.

Games come in rounds. A round plays every lineup of the players on the seats once, all with the same dice, so that
no seat and no luck favours a player. Everything but the time it takes depends on the plan alone.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations
from math import factorial
from pathlib import Path

import msgspec
import numpy as np

from quadriga import players
from quadriga.engine import files
from quadriga.engine.errors import FileError, OptionError
from quadriga.engine.game import Game
from quadriga.engine.kernels.compiler import Report
from quadriga.engine.match.options import Options
from quadriga.lab.arena.pool import ArenaPool, Lineup, Plan, Scores
from quadriga.lab.arena.ratings import FEWEST, LOOKS, Rating, Share, ratings, share
from quadriga.lab.solver.solve import cores

MOST_LINEUPS = 24
Progress = Callable[[int, int], None]


class Standing(msgspec.Struct, frozen=True):
    """A player's result: its share of wins, which equals share, its mean score, and its rating."""

    player: str
    wins: Share
    score: float
    rating: Rating


class Pair(msgspec.Struct, frozen=True):
    """Two players: the share of games in which one scored more than the other, ties counting half."""

    one: str
    other: str
    ahead: Share
    settled: bool


class Arena(msgspec.Struct, frozen=True, kw_only=True):
    """The results of an arena."""

    plan: Plan
    games: int
    standings: list[Standing]
    pairs: list[Pair]
    settled: bool
    interrupted: bool
    seconds: float


class _Kept(msgspec.Struct):
    """An arena's file, from which it can continue; a digest of its games protects it."""

    arena: int
    plan: Plan
    seconds: float
    rows: list[list[int]]
    digest: str


def lineups(count: int, seats: int) -> list[Lineup]:
    """Return who sits where: every choice of players on all seats in turn, in every order if these are few."""
    chosen = combinations(range(count), seats) if count >= seats else [tuple(i % count for i in range(seats))]
    found: list[Lineup] = []
    for group in chosen:
        if factorial(seats) <= MOST_LINEUPS:
            found += sorted(set(permutations(group)))
        else:
            found += [tuple(group[(seat + turn) % seats] for seat in range(seats)) for turn in range(seats)]
    return found


def compete(
    game: Game,
    options: Options,
    seats: int,
    names: Sequence[str],
    *,
    games: int,
    seed: int,
    workers: int = 0,
    path: str = "",
    early: bool = True,
    progress: Progress | None = None,
    report: Report | None = None,
) -> Arena:
    """Play until it is clear who is better, or `games` are played; after an interrupt, return the games so far.

    Uses all cores unless `workers` says how many. The games are kept in the file `path`.
    """
    if len(names) < 2 or len(set(names)) != len(names):
        raise OptionError("arena.players")
    for name in names:
        players.check(name, game)
    plan = Plan(game.id, options, seats, list(names), seed, games)
    tables = lineups(len(names), seats)
    rounds = max(games // len(tables), 1)
    rows, seconds = _taken_up(plan, path)
    if path and not len(rows):  # a file that cannot be written is refused before the games, not after them
        _keep(plan, rows, seconds, path)
    pool = ArenaPool(game, plan, tables, workers or cores(), report)
    began = time.monotonic() - seconds
    settled = interrupted = False
    try:
        for look in looks(rounds):
            for part in pool.rounds(len(rows) // len(tables), look):
                rows, seconds = np.concatenate([rows, part]), time.monotonic() - began
                if path:
                    _keep(plan, rows, seconds, path)
                if progress:
                    progress(len(rows), rounds * len(tables))
            if early and (settled := _settled(plan, tables, rows[: look * len(tables)])):
                rows = rows[: look * len(tables)]
                break
        rows = rows[: rounds * len(tables)]
    except KeyboardInterrupt:
        interrupted = True
    finally:
        pool.close()
    return _arena(plan, tables, rows, settled, interrupted, seconds)


def looks(rounds: int) -> Iterator[int]:
    """Yield the numbers of rounds after which the arena checks whether it may stop, and the last round.

    They are always the same, so an arena that was interrupted ends with the same result.
    """
    look = FEWEST
    for _ in range(LOOKS - 1):
        if look >= rounds:
            break
        yield look
        look += look // 2
    yield rounds


def _won(plan: Plan, tables: list[Lineup], rows: Scores, who: int) -> Share:
    """Return a player's share of the wins, over the games that it played."""
    best = (rows == rows.max(axis=1, keepdims=True)).astype(np.float64)
    shares = (best / best.sum(axis=1, keepdims=True)).reshape(-1, len(tables), plan.seats)
    seats = [(place, seat) for place, table in enumerate(tables) for seat, w in enumerate(table) if w == who]
    games = len({place for place, _ in seats})
    return share(np.asarray(sum(shares[:, place, seat] for place, seat in seats) / games), games)


def _ahead(plan: Plan, tables: list[Lineup], rows: Scores, one: int, other: int) -> Share:
    """Return how often one player scored more than another, over the games in which they met."""
    scores = rows.reshape(-1, len(tables), plan.seats)
    met = []
    for place, table in enumerate(tables):
        for a, who in enumerate(table):
            for b, whom in enumerate(table):
                if who == one and whom == other:
                    gap = scores[:, place, a] - scores[:, place, b]
                    met.append(0.5 + 0.5 * np.sign(gap))
    return share(np.asarray(np.mean(met, axis=0), np.float64), len(met))


def _settled(plan: Plan, tables: list[Lineup], rows: Scores) -> bool:
    """Return whether it is beyond doubt for every two players who is ahead, however often this is checked."""
    found = (_ahead(plan, tables, rows, *two) for two in combinations(range(len(plan.players)), 2))
    return all(each.low > 0.5 or each.high < 0.5 for each in found)


def _arena(
    plan: Plan, tables: list[Lineup], rows: Scores, settled: bool, interrupted: bool, seconds: float
) -> Arena:
    if len(rows) == 0:
        return Arena(
            plan=plan, games=0, standings=[], pairs=[], settled=False, interrupted=interrupted, seconds=seconds
        )
    rated = ratings(len(plan.players), tables, rows)
    totals = rows.reshape(-1, len(tables), plan.seats)
    standings = []
    for who, name in enumerate(plan.players):
        scores = [totals[:, p, s] for p, table in enumerate(tables) for s, w in enumerate(table) if w == who]
        standings.append(Standing(name, _won(plan, tables, rows, who), float(np.mean(scores)), rated[who]))
    pairs = []
    for one, other in combinations(range(len(plan.players)), 2):
        ahead = _ahead(plan, tables, rows, one, other)
        clear = ahead.low > 0.5 or ahead.high < 0.5
        pairs.append(Pair(plan.players[one], plan.players[other], ahead, clear))
    standings.sort(key=lambda each: -each.rating.mu)
    return Arena(
        plan=plan,
        games=len(rows),
        standings=standings,
        pairs=pairs,
        settled=settled,
        interrupted=interrupted,
        seconds=seconds,
    )


def _digest(plan: Plan, rows: list[list[int]]) -> str:
    return hashlib.sha256(msgspec.json.encode([plan, rows])).hexdigest()


def _keep(plan: Plan, rows: Scores, seconds: float, path: str) -> None:
    """Write the games so far."""
    listed = rows.tolist()
    files.write_text(
        path, msgspec.json.encode(_Kept(1, plan, seconds, listed, _digest(plan, listed))).decode() + "\n"
    )


def kept_seed(path: str) -> int | None:
    """Return the seed of the games in a file, or None if there is no file."""
    return _kept(path).plan.seed if path and Path(path).exists() else None


def _taken_up(plan: Plan, path: str) -> tuple[Scores, float]:
    """Return the games in a file and their seconds; refuse those of another plan."""
    if not path or not Path(path).exists():
        return np.zeros((0, plan.seats), np.int64), 0.0
    kept = _kept(path)
    if msgspec.structs.replace(kept.plan, games=plan.games) != plan:
        raise FileError("arena.plan", path=path)
    return np.array(kept.rows, np.int64).reshape(-1, plan.seats), kept.seconds


def _kept(path: str) -> _Kept:
    """Read an arena's file; refuse one that was changed."""
    try:
        kept = msgspec.convert(files.read_json(path), _Kept)
    except msgspec.ValidationError:
        raise FileError("arena.file", path=path) from None
    if kept.arena != 1 or kept.digest != _digest(kept.plan, kept.rows):
        raise FileError("arena.file", path=path)
    return kept
