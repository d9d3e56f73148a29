"""Play an arena's games on an executor, one lineup at a time, and return the rounds in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga import players
from quadriga.engine.game import Game
from quadriga.engine.kernels.compiler import Report, is_available
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.engine.match.options import Options
from quadriga.games import find
from quadriga.lab.executors.chunks import Chunk, Executor, Failure, cut
from quadriga.players.compiled_match import SEARCH, Bot, CompiledMatch, bot

ROUNDS_PER_SAVE = 64  # where games are fast; with search players, 1
MISSING = np.iinfo(np.int64).min  # the scores of a game that could not be played

Scores = npt.NDArray[np.int64]
Lineup = tuple[int, ...]


class ArenaPlan(msgspec.Struct, frozen=True):
    """The setup of an arena. Its results depend on this alone."""

    game: str
    options: Options
    seats: int
    players: list[str]
    seed: int
    games: int


class ArenaJob(msgspec.Struct, frozen=True):
    """The games of an arena, for an executor. Players that are kernels meet in compiled code."""

    plan: ArenaPlan
    bots: list[Bot]  # empty if not all players are kernels

    @property
    def is_compiled(self) -> bool:
        """Whether all players are kernels."""
        return bool(self.bots)

    def start(self, report: Report | None = None) -> Callable[[Chunk], Scores]:
        """Return a function that plays the games of one lineup."""
        plan, bots = self.plan, self.bots
        if not bots:
            return lambda chunk: play_matches(plan, chunk.lineup, chunk.first, chunk.count)
        match = CompiledMatch(find(plan.game), plan.options, plan.seats, report=report)
        return lambda chunk: match.play([bots[who] for who in chunk.lineup], plan.seed, chunk.first, chunk.count)[0]


class ArenaPool:
    """Plays rounds on an executor. Rounds that cannot be played are listed in `failed`."""

    def __init__(
        self, game: Game, plan: ArenaPlan, lineups: list[Lineup], executor: Executor, report: Report | None
    ) -> None:
        self.plan, self.lineups, self.executor = plan, lineups, executor
        self.failed: list[Failure] = []
        found = [bot(name, game) for name in plan.players]
        bots = [each for each in found if each is not None]
        job = ArenaJob(plan, bots if is_available() and len(bots) == len(found) else [])
        is_fast = job.is_compiled and all(each.kind != SEARCH for each in bots)
        self._rounds_per_save = ROUNDS_PER_SAVE if is_fast else 1
        self._run = executor.start(job, report)

    def rounds(self, first: int, until: int) -> Iterator[Scores]:
        """Yield the scores of these rounds in order, a few rounds at a time."""
        size = self.executor.chunk_size(until - first, self._rounds_per_save)
        size = max(min((until - first) // (2 * max(self.executor.workers, 1)), size), 1)
        chunks = cut(first, until, size)
        results = self._run.map(Chunk(each.first, each.count, lineup) for each in chunks for lineup in self.lineups)
        for chunk in cut(first, until, size):
            yield self._collect(chunk, list(islice(results, len(self.lineups))))

    def _collect(self, chunk: Chunk, parts: list[Scores | Failure]) -> Scores:
        """Return the scores round by round, the lineups of each in their order; all missing if one has failed."""
        played = [part for part in parts if not isinstance(part, Failure)]
        if len(played) < len(parts):
            self.failed.append(next(part for part in parts if isinstance(part, Failure)))
            return np.full((chunk.count * len(self.lineups), self.plan.seats), MISSING, np.int64)
        rows = np.stack(played, axis=1)
        return rows.reshape(-1, rows.shape[2])

    def close(self, *, wait: bool) -> None:
        """Start no more games, and wait for those under way if asked to."""
        self._run.close(wait=wait)


def is_played(rows: Scores) -> npt.NDArray[np.bool_]:
    """Return which games were played."""
    return np.not_equal(rows[:, 0], MISSING)


def play_matches(plan: ArenaPlan, lineup: Lineup, first: int, count: int) -> Scores:
    """Play games in plain code, for players that are not kernels."""
    game = find(plan.game)
    for name in plan.players:
        players.admit(name)  # in a process of its own, too
    rows = []
    for number in range(first, first + count):
        match = Match(game, plan.options, plan.seats, SeededDice(plan.seed, number))
        bots = [players.find(plan.players[who], game, plan.seed + seat, number) for seat, who in enumerate(lineup)]
        while not match.over:
            match.play(bots[match.actor].decide(players.Perspective(match)))
        rows.append(match.result)
    return np.array(rows, np.int64)
