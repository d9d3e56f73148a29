"""Timing of bots. In a reaction window it depends on the kind of bot, never on its cards (BH-7.4)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

from quadriga.server.bots import choice
from quadriga.server.state.room_state import RoomState

SLOW_TICKS = 4  # that a slow bot has in a window


class TimeSource:
    """The clock of a room. Tests replace it."""

    def now(self) -> float:
        """Return the seconds since some fixed moment."""
        return time.monotonic()

    async def until(self, moment: float) -> None:
        """Sleep until a moment, never less: the event loop may wake a sleeper a little early."""
        while (left := moment - self.now()) > 0:
            await asyncio.sleep(left)

    async def within(self, work: Coroutine[Any, Any, str], moment: float) -> str | None:
        """Return the result of a coroutine, or None if it is not finished at a moment."""
        tasks = asyncio.ensure_future(work), asyncio.ensure_future(self.until(moment))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            return tasks[0].result() if tasks[0].done() else None
        finally:
            for task in tasks:
                task.cancel()


def next_tick(last_event_at: float, now: float, tick: float) -> float:
    """Return the next tick boundary, counted from the last public event."""
    return last_event_at + (int((now - last_event_at) / tick) + 1) * tick if tick > 0 else now


async def choose_in_time(
    time_source: TimeSource, state: RoomState, seat: int, last_event_at: float, tick: float | None
) -> str:
    """Return the action that a bot chooses, when it is due; without a tick, at once."""
    assert state.session is not None
    now, window = time_source.now(), state.session.window
    if state.is_rushed:  # in a window nobody may notice how long a bot thinks
        return await choice.fallback(state, seat) if window else await _chosen(state, seat)
    kind, player = choice.player_for(state, seat)
    thinking = choice.decide(kind, player, state.session.match)
    if tick is None or window is None:
        text = await thinking
        if tick is not None:
            await time_source.until(now + state.pace / 1000)
        return text
    is_slow = choice.is_slow(state.setup.game, kind)
    tick = SLOW_TICKS * tick if is_slow else min(tick, state.pace / 1000)
    due = next_tick(last_event_at, now + tick / 2, tick)  # half a tick is enough for any quick bot
    if is_slow:  # the fallback bot decides if the slow one does not in time
        instead = await choice.fallback(state, seat)
        text = await time_source.within(thinking, due) or instead
    else:
        text = await thinking
    if time_source.now() > due:
        due = next_tick(last_event_at, time_source.now(), tick)
    await time_source.until(due)
    return text


async def _chosen(state: RoomState, seat: int) -> str:
    """Return the action that the bot of a seat chooses."""
    assert state.session is not None
    kind, player = choice.player_for(state, seat)
    return await choice.decide(kind, player, state.session.match)
