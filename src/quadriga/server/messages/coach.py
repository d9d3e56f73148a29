"""The coach: what matters to a person before a move, in numbers."""

from __future__ import annotations

import asyncio

from quadriga.engine.match.match import Match
from quadriga.learn.coach import coaching
from quadriga.server.protocol import texts
from quadriga.server.protocol.server_messages import Coaching


async def coach(match: Match, seat: int, number: int, ref: str | None) -> Coaching:
    """Return the coach's messages to a seat, computed in a thread because tables may have to be read."""
    said = await asyncio.to_thread(coaching, match, seat)
    return Coaching(
        ref,
        number,
        seat,
        [texts.message(each) for each in said.position],
        {text: [texts.message(each) for each in found] for text, found in said.actions.items()},
    )
