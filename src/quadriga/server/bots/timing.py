"""When bots answer. In a reaction window that depends on what they are, never on what they hold (BH-7.4)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

from quadriga.server.bots import choice
from quadriga.server.rooms.event_log import RoomState

SLOW = 4  # ticks that a bot has in a window which thinks for long


class TimeSource:
    """The time of day of a room; tests bring their own."""

    def now(self) -> float:
        """Seconds since some moment or other."""
        return time.monotonic()

    async def until(self, moment: float) -> None:
        """Sleep."""
        await asyncio.sleep(max(0.0, moment - self.now()))

    async def within(self, work: Coroutine[Any, Any, str], moment: float) -> str | None:
        """What the work finds, if it does so before a moment."""
        tasks = asyncio.ensure_future(work), asyncio.ensure_future(self.until(moment))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            return tasks[0].result() if tasks[0].done() else None
        finally:
            for task in tasks:
                task.cancel()


def next_tick(stirred: float, now: float, tick: float) -> float:
    """The first whole tick after everybody has last noticed something that is still to come."""
    return stirred + (int((now - stirred) / tick) + 1) * tick if tick > 0 else now


async def thought(time_source: TimeSource, state: RoomState, seat: int, stirred: float, tick: float | None) -> str:
    """What a bot does here, when it is time to do it; at once where there is no tick."""
    assert state.play is not None
    now, window = time_source.now(), state.play.window
    kind, player = choice.of(state, seat)
    thinking = choice.decide(kind, player, state.play.match)
    if tick is None or window is None:
        text = await thinking
        if tick is not None:
            await time_source.until(now + state.setup.pace / 1000)
        return text
    slow = choice.slow(kind)
    tick = SLOW * tick if slow else min(tick, state.setup.pace / 1000)
    due = next_tick(stirred, now + tick / 2, tick)  # time enough for any thought that is a quick one
    if slow:  # what it has not found by then is found by rules of thumb
        thumb = await choice.thumb(state, seat)
        text = await time_source.within(thinking, due) or thumb
    else:
        text = await thinking
    if time_source.now() > due:
        due = next_tick(stirred, time_source.now(), tick)
    await time_source.until(due)
    return text
