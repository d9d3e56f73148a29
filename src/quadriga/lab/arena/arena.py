"""Run an arena: players meet on all seats with the same dice, until it is clear which one is better.

Games come in rounds. A round plays every lineup of the players on the seats once, all with the same dice, so that
no seat and no luck favours a player. Everything but the time it takes depends on the plan alone.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
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
from quadriga.lab.arena.pool import ArenaPlan, ArenaPool, Lineup, Scores, is_played
from quadriga.lab.arena.ratings import FEWEST, MOST_CHECKS, Share, ratings, share
from quadriga.lab.executors.chunks import Executor, Failure
from quadriga.lab.executors.local import LocalExecutor
from quadriga.lab.rating import Rating
from quadriga.lab.solver.solve import available_cores

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

    plan: ArenaPlan
    games: int
    standings: list[Standing]
    pairs: list[Pair]
    settled: bool
    interrupted: bool
    failed: list[Failure] = []  # rounds that are missing
    seconds: float


class _SavedArena(msgspec.Struct):
    """An arena's file, from which it can continue; a digest of its games protects it."""

    arena: int
    plan: ArenaPlan
    seconds: float
    rows: list[list[int]]
    digest: str


def lineups(names: Sequence[str], seats: int) -> list[Lineup]:
    """Return the lineups of a round: every choice of players, in every order if there are few orders.

    If there are many, each choice takes the seats in rotation. A list with a name for every seat, some of them more
    than once, is the one choice. A player is the index of its name, of the first one if there are several.
    """
    count = len(names)
    chosen: Iterable[Lineup]
    if is_table(names):
        chosen = [tuple(names.index(name) for name in names)]
    elif count >= seats:
        chosen = combinations(range(count), seats)
    else:
        chosen = [tuple(i % count for i in range(seats))]
    found: list[Lineup] = []
    for group in chosen:
        if factorial(seats) <= MOST_LINEUPS:
            found += sorted(set(permutations(group)))
        else:
            found += [tuple(group[(seat + turn) % seats] for seat in range(seats)) for turn in range(seats)]
    return found


def is_table(names: Sequence[str]) -> bool:
    """Return whether a list of players names one more than once: then it says who sits at the table."""
    return len(set(names)) < len(names)


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
    executor: Executor | None = None,
    progress: Progress | None = None,
    report: Report | None = None,
) -> Arena:
    """Play until it is clear which player is better, or until `games` are played.

    After an interrupt, return the games so far. 0 workers means one for every core of this machine, unless an
    executor is given. The games are saved in the file `path`, and an arena with the same plan continues from there.
    """
    if len(set(names)) < 2:
        raise OptionError("arena.players")
    if is_table(names) and len(names) != seats:
        raise OptionError("arena.table", seats=seats, players=len(names))
    for name in names:
        players.admit(name)
        players.check(name, game)
    plan = ArenaPlan(game.id, options, seats, list(names), seed, games)
    seatings = lineups(names, seats)
    rounds = max(games // len(seatings), 1)
    rows, seconds = _resume(plan, path)
    if path and not len(rows):  # a file that cannot be written is refused before the games, not after them
        _save(plan, rows, seconds, path)
    pool = ArenaPool(game, plan, seatings, executor or LocalExecutor(workers or available_cores()), report)
    began = time.monotonic() - seconds
    settled = interrupted = False
    try:
        for check in check_rounds(rounds):
            for part in pool.rounds(len(rows) // len(seatings), check):
                rows, seconds = np.concatenate([rows, part]), time.monotonic() - began
                if path and not pool.failed:  # a later run plays the missing rounds, and those after them
                    _save(plan, rows, seconds, path)
                if progress:
                    progress(len(rows), rounds * len(seatings))
            played = rows[: check * len(seatings)]
            if early and (settled := _is_decided(plan, seatings, played[is_played(played)])):
                rows = rows[: check * len(seatings)]
                break
        rows = rows[: rounds * len(seatings)]
    except KeyboardInterrupt:
        interrupted = True
    finally:
        pool.close(wait=not interrupted)
    result = _results(plan, seatings, rows[is_played(rows)], settled, interrupted, seconds)
    return msgspec.structs.replace(result, failed=pool.failed)


def check_rounds(rounds: int) -> Iterator[int]:
    """Yield the numbers of rounds after which the arena checks whether it may stop, and the last round.

    They are always the same, so an arena that was interrupted ends with the same result.
    """
    check = FEWEST
    for _ in range(MOST_CHECKS - 1):
        if check >= rounds:
            break
        yield check
        check += check // 2
    yield rounds


def _indices(plan: ArenaPlan) -> list[int]:
    """Return the players: the index of each name, of the first one if there are several."""
    return sorted({plan.players.index(name) for name in plan.players})


def _win_share(plan: ArenaPlan, seatings: list[Lineup], rows: Scores, player: int) -> Share:
    """Return the share of wins of a player, on all its seats together, over the games that it played."""
    best = (rows == rows.max(axis=1, keepdims=True)).astype(np.float64)
    shares = (best / best.sum(axis=1, keepdims=True)).reshape(-1, len(seatings), plan.seats)
    seats = [
        (place, seat) for place, seating in enumerate(seatings) for seat, w in enumerate(seating) if w == player
    ]
    games = len({place for place, _ in seats})
    return share(np.asarray(sum(shares[:, place, seat] for place, seat in seats) / games), games)


def _lead_share(plan: ArenaPlan, seatings: list[Lineup], rows: Scores, one: int, other: int) -> Share:
    """Return how often one player scored more than another, over the games in which they met."""
    scores = rows.reshape(-1, len(seatings), plan.seats)
    met = []
    for place, seating in enumerate(seatings):
        for a, player in enumerate(seating):
            for b, opponent in enumerate(seating):
                if player == one and opponent == other:
                    gap = scores[:, place, a] - scores[:, place, b]
                    met.append(0.5 + 0.5 * np.sign(gap))
    return share(np.asarray(np.mean(met, axis=0), np.float64), len(met))


def _is_decided(plan: ArenaPlan, seatings: list[Lineup], rows: Scores) -> bool:
    """Return whether every two players can be told apart beyond doubt, however often this is checked."""
    found = (_lead_share(plan, seatings, rows, *two) for two in combinations(_indices(plan), 2))
    return all(each.low > 0.5 or each.high < 0.5 for each in found)


def _results(
    plan: ArenaPlan, seatings: list[Lineup], rows: Scores, settled: bool, interrupted: bool, seconds: float
) -> Arena:
    if len(rows) == 0:
        return Arena(
            plan=plan, games=0, standings=[], pairs=[], settled=False, interrupted=interrupted, seconds=seconds
        )
    rated = ratings(len(plan.players), seatings, rows)
    totals = rows.reshape(-1, len(seatings), plan.seats)
    standings = []
    for player in _indices(plan):
        name = plan.players[player]
        scores = [
            totals[:, p, s] for p, seating in enumerate(seatings) for s, w in enumerate(seating) if w == player
        ]
        standings.append(
            Standing(name, _win_share(plan, seatings, rows, player), float(np.mean(scores)), rated[player])
        )
    pairs = []
    for one, other in combinations(_indices(plan), 2):
        ahead = _lead_share(plan, seatings, rows, one, other)
        clear = ahead.low > 0.5 or ahead.high < 0.5
        pairs.append(Pair(plan.players[one], plan.players[other], ahead, clear))
    standings.sort(key=lambda each: -each.rating.mean)
    return Arena(
        plan=plan,
        games=len(rows),
        standings=standings,
        pairs=pairs,
        settled=settled,
        interrupted=interrupted,
        seconds=seconds,
    )


def _digest(plan: ArenaPlan, rows: list[list[int]]) -> str:
    return hashlib.sha256(msgspec.json.encode([plan, rows])).hexdigest()


def _save(plan: ArenaPlan, rows: Scores, seconds: float, path: str) -> None:
    """Write the games so far."""
    listed = rows.tolist()
    files.write_text(
        path, msgspec.json.encode(_SavedArena(1, plan, seconds, listed, _digest(plan, listed))).decode() + "\n"
    )


def saved_seed(path: str) -> int | None:
    """Return the seed of the games in a file, or None if there is no file."""
    return _load(path).plan.seed if path and Path(path).exists() else None


def _resume(plan: ArenaPlan, path: str) -> tuple[Scores, float]:
    """Return the games in a file and their seconds; refuse those of another plan."""
    if not path or not Path(path).exists():
        return np.zeros((0, plan.seats), np.int64), 0.0
    kept = _load(path)
    if msgspec.structs.replace(kept.plan, games=plan.games) != plan:
        raise FileError("arena.plan", path=path)
    return np.array(kept.rows, np.int64).reshape(-1, plan.seats), kept.seconds


def _load(path: str) -> _SavedArena:
    """Read an arena's file; refuse one that was changed."""
    try:
        kept = msgspec.convert(files.read_json(path), _SavedArena)
    except msgspec.ValidationError:
        raise FileError("arena.file", path=path) from None
    if kept.arena != 1 or kept.digest != _digest(kept.plan, kept.rows):
        raise FileError("arena.file", path=path)
    return kept
