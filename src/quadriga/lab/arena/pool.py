"""Play an arena's games on several cores, one lineup at a time, and return the rounds in order."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from queue import SimpleQueue

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
from quadriga.players.compiled_match import SEARCH, Bot, CompiledMatch, bot
from quadriga.players.levels import named

ROUNDS_PER_SAVE = 64  # where games are fast; with search players, 1

Scores = npt.NDArray[np.int64]
Lineup = tuple[int, ...]


class Plan(msgspec.Struct, frozen=True):
    """The setup of an arena. Its results depend on this alone."""

    game: str
    options: Options
    seats: int
    players: list[str]
    seed: int
    games: int


class ArenaPool:
    """Plays rounds. Players that are kernels meet in compiled code on threads, others in processes."""

    def __init__(self, game: Game, plan: Plan, lineups: list[Lineup], workers: int, report: Report | None) -> None:
        self.plan, self.lineups, self.workers = plan, lineups, workers
        found = [bot(named(name), game) for name in plan.players]
        self.bots: list[Bot] = [each for each in found if each is not None]
        self.compiled = is_available() and len(self.bots) == len(found)
        self.rounds_per_save = (
            ROUNDS_PER_SAVE if self.compiled and all(each.kind != SEARCH for each in self.bots) else 1
        )
        self.matches: SimpleQueue[CompiledMatch] = SimpleQueue()
        self.pool: Executor
        if self.compiled:
            for _ in range(workers):
                self.matches.put(CompiledMatch(game, plan.options, plan.seats, report=report))
        if self.compiled or workers == 1:
            self.pool = ThreadPoolExecutor(workers)
        else:
            self.pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_ignore_interrupts)

    def rounds(self, first: int, until: int) -> Iterator[Scores]:
        """Yield the scores of these rounds in order, a few rounds at a time."""
        chunk = max(min((until - first) // (2 * self.workers), self.rounds_per_save), 1)
        waiting: deque[list[Future[Scores]]] = deque()
        for start in range(first, until, chunk):
            count = min(chunk, until - start)
            waiting.append([self._submit(lineup, start, count) for lineup in self.lineups])
            if len(waiting) * len(self.lineups) > 2 * self.workers:
                yield _collect(waiting.popleft())
        while waiting:
            yield _collect(waiting.popleft())

    def _submit(self, lineup: Lineup, first: int, count: int) -> Future[Scores]:
        """Start the games of one lineup."""
        if self.compiled:
            return self.pool.submit(self._play_compiled, lineup, first, count)
        return self.pool.submit(play_matches, self.plan, lineup, first, count)

    def _play_compiled(self, lineup: Lineup, first: int, count: int) -> Scores:
        match = self.matches.get()
        try:
            return match.play([self.bots[who] for who in lineup], self.plan.seed, first, count)[0]
        finally:
            self.matches.put(match)

    def close(self, *, wait: bool) -> None:
        """Start no more games, and wait for those under way if asked to."""
        self.pool.shutdown(wait=wait, cancel_futures=True)


def play_matches(plan: Plan, lineup: Lineup, first: int, count: int) -> Scores:
    """Play games in plain code, for players that are not kernels."""
    game = find(plan.game)
    rows = []
    for number in range(first, first + count):
        match = Match(game, plan.options, plan.seats, SeededDice(plan.seed, number))
        bots = [players.find(plan.players[who], game, plan.seed + seat, number) for seat, who in enumerate(lineup)]
        while not match.over:
            match.play(bots[match.actor].decide(players.Perspective(match)))
        rows.append(match.result)
    return np.array(rows, np.int64)


def _collect(parts: list[Future[Scores]]) -> Scores:
    """Return the scores round by round, the lineups of each in their order."""
    rows = np.stack([part.result() for part in parts], axis=1)
    return rows.reshape(-1, rows.shape[2])


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
