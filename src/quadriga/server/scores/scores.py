"""The task that follows the ends of games: it stores results, and calls whoever makes something of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from quadriga.engine.errors import QuadrigaError
from quadriga.server.background import BackgroundTask
from quadriga.server.logs import LOGGER
from quadriga.server.protocol.errors import StaleError, TakenError
from quadriga.server.rooms.registry import Registry
from quadriga.server.scores.boards import Boards
from quadriga.server.scores.luck import Luck
from quadriga.server.scores.ratings import Ratings
from quadriga.server.scores.results import Results

_LOOK_S = 60.0  # between two looks at some games whose end nobody has reported, because a process was killed
_AGAIN_S = 2.0  # before something that has failed is tried again

Listener = Callable[[], Awaitable[None]]


class Scores:
    """Results, and everything that is derived from them.

    Listeners are called one after the other when results were stored, at the start, and from time to time. They are
    not told which results: they read on from where they were. Several processes may call theirs at once. A listener
    that fails keeps nobody from the others, and is called again soon. Ratings are computed beside them: that takes
    minutes after two accounts of many games have become one, and tournaments do not wait for it.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self.results = Results(registry.store)
        self.ratings = Ratings(registry.store)
        self.luck = Luck(registry.store, self.results)
        self.boards = Boards(registry.store)
        self.listeners: list[Listener] = []
        self._is_settled = False  # whether all games that ended before the start have their results
        self._look_at = 0.0
        self._has_news = asyncio.Event()
        self._has_unrated = asyncio.Event()
        self._noting = BackgroundTask("scores")
        self._rating = BackgroundTask("ratings")

    def open(self) -> None:
        """Start the tasks."""
        self._registry.on_game_over = self._note
        self._has_news.set()
        self._noting.start(self._run())
        self._rating.start(self._run_ratings())

    async def close(self) -> None:
        """End the tasks."""
        await self._noting.end()
        await self._rating.end()

    def _note(self, table_id: str) -> None:
        self.results.note(table_id)
        self._has_news.set()

    async def _run(self) -> None:
        wait_s = _LOOK_S
        while True:
            await _next(self._has_news, wait_s)
            settled = await _try(self._settle_some if self._is_settled else self._settle)
            self._has_unrated.set()
            done = [await _try(listener) for listener in self.listeners]
            wait_s = _LOOK_S if settled and all(done) else _AGAIN_S

    async def _run_ratings(self) -> None:
        wait_s = _LOOK_S
        while True:
            await _next(self._has_unrated, wait_s)
            wait_s = _LOOK_S if await _try(self._rate) else _AGAIN_S

    async def _settle(self) -> None:
        await self.results.settle()
        self._is_settled = True

    async def _settle_some(self) -> None:
        await self.results.settle_noted()
        if time.monotonic() > self._look_at:
            self._look_at = time.monotonic() + _LOOK_S
            await self.results.settle_slice()

    async def update(self) -> None:
        """Store the results of games that have ended, rate them, and call the listeners."""
        await self._settle()
        await self._rate()
        for listener in self.listeners:
            await listener()

    async def _rate(self) -> None:
        await self.ratings.update()


async def _next(event: asyncio.Event, wait_s: float) -> None:
    """Wait for an event, but no longer than some seconds."""
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), wait_s)
    event.clear()


async def _try(step: Listener) -> bool:
    """Do one step; return whether it worked. If not, for example because the store fails, it is tried again."""
    try:
        await step()
    except (QuadrigaError, StaleError, TakenError) as fault:
        LOGGER.warning("results cannot be stored or used now: %s", fault)
    except Exception:
        LOGGER.exception("results cannot be stored or used now")
    else:
        return True
    return False
