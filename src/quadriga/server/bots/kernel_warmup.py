"""When a server is busy, compiled kernels play its games; for friends at a table the plain ones are quick enough.

Code that lies ready on disk is loaded when a game has been played for a while; code that does not is compiled by
another process, later, when that pays. Until then, and where there is no compiler, the plain kernels play on.
"""

from __future__ import annotations

import asyncio
from functools import cache

from quadriga.engine.game import Game
from quadriga.engine.kernels.compiler import is_available
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.single_env import find_legal, step_and_find
from quadriga.games import find
from quadriga.server.rooms.played_game import GameSession
from quadriga.server.rooms.tasks import LOGGER
from quadriga.server.workers import lifeline

LOAD_AFTER = 1_000  # moves of a game in this process: looking on the disk, and loading, has paid by then
COMPILE_AFTER = 50_000  # ... and compiling will

_COMPILE = """
import os, sys
from quadriga.server.bots import kernel_warmup
if hasattr(os, "nice"):
    os.nice(10)
kernel_warmup.load(sys.argv[1])
"""


def load(game: str) -> Machine:
    """A machine with all that a match needs of it."""
    machine = Machine(find(game))
    machine.link_unchecked(step_and_find)
    machine.link_unchecked(find_legal)
    return machine


class KernelWarmup:
    """How busy one game is, and what is done about it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves = 0
        self.machine: Machine | None = None
        self.work: asyncio.Task[None] | None = None  # under way
        self._able = is_available()

    def moved(self, play: GameSession) -> None:
        """One more move at a table that plain kernels play."""
        self.moves += 1
        if self.machine is not None:
            play.use_machine(self.machine)
        elif self._able and self.work is None and self.moves in (LOAD_AFTER, COMPILE_AFTER):
            self.work = asyncio.get_running_loop().create_task(self._prepare(self.moves == COMPILE_AFTER))

    async def _prepare(self, compiling: bool) -> None:
        try:
            if compiling:
                await lifeline.run(_COMPILE, self.game.id)
            if await asyncio.to_thread(Machine(self.game).is_ready, step_and_find, find_legal):
                self.machine = await asyncio.to_thread(load, self.game.id)
        except Exception:
            LOGGER.exception("compiled kernels of %s", self.game.id)
        finally:
            self.work = None


@cache
def of(game: Game) -> KernelWarmup:
    """The haste of a game, in this process."""
    return KernelWarmup(game)
