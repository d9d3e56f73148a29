"""Kernel warm-up: a busy server plays with compiled kernels; for a few rooms the plain ones are fast enough.

Compiled code that is in the cache on disk is loaded after some moves of a game. Other code is compiled by a child
process, after enough moves for that to pay. Until then, and if there is no compiler, plain kernels play.
"""

from __future__ import annotations

import asyncio
from functools import cache

from quadriga.engine.game import Game
from quadriga.engine.kernels.compiler import is_available
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.single_env import find_legal, step_and_find
from quadriga.games import find
from quadriga.server import child_process
from quadriga.server.logs import LOGGER
from quadriga.server.state.game_session import GameSession

LOAD_AFTER = 1_000  # moves of a game in this process after which loading from disk pays
COMPILE_AFTER = 50_000  # moves of a game in this process after which compiling pays

_COMPILE = """
import os, sys
from quadriga.server.bots import kernel_warmup
if hasattr(os, "nice"):
    os.nice(10)
kernel_warmup.load(sys.argv[1])
"""


def load(game: str) -> Machine:
    """Return a machine with all kernels that a match needs, compiled."""
    machine = Machine(find(game))
    machine.link_unchecked(step_and_find)
    machine.link_unchecked(find_legal)
    return machine


class KernelWarmup:
    """Counts the moves of one game, and gets its compiled kernels when that pays."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves = 0
        self.machine: Machine | None = None
        self.work: asyncio.Task[None] | None = None  # loads or compiles
        self._has_compiler = is_available()

    def count_move(self, session: GameSession) -> None:
        """Count a move that plain kernels have played, and give the session compiled ones if there are any."""
        self.moves += 1
        if self.machine is not None:
            session.use_compiled(self.machine)
        elif self._has_compiler and self.work is None and self.moves in (LOAD_AFTER, COMPILE_AFTER):
            self.work = asyncio.get_running_loop().create_task(self._prepare(self.moves == COMPILE_AFTER))

    async def _prepare(self, compile_first: bool) -> None:
        try:
            if compile_first:
                await child_process.run(_COMPILE, self.game.id)
            if await asyncio.to_thread(Machine(self.game).is_ready, step_and_find, find_legal):
                self.machine = await asyncio.to_thread(load, self.game.id)
        except Exception:
            LOGGER.exception("cannot load compiled kernels of %s", self.game.id)
        finally:
            self.work = None


@cache
def of(game: Game) -> KernelWarmup:
    """Return the warm-up of a game in this process."""
    return KernelWarmup(game)
