"""Hints: the move that the strongest bot would make for a person, with its reasons."""

from __future__ import annotations

import asyncio

from quadriga import players
from quadriga.engine.match.match import Match
from quadriga.server.bots import choice
from quadriga.server.messages import game_messages
from quadriga.server.protocol.server_messages import ConsideredAction, HintGiven
from quadriga.server.state.room_state import RoomState


async def hint(state: RoomState, match: Match, seat: int, ref: str | None) -> HintGiven:
    """Return the best action for the seat that is asked in a match, what it does, and the values of the others."""
    is_strongest = choice.is_ready(state.setup.game, choice.STRONGEST)
    kind = choice.STRONGEST if is_strongest else choice.FALLBACK
    player = choice.player(state, seat, kind)
    considered: list[players.Considered] = []
    if isinstance(player, players.Considers):
        considered = await asyncio.to_thread(player.consider, players.Perspective(match))
    text = considered[0].text if considered else await choice.decide(kind, player, match)
    legal = game_messages.legal(match, seat, explain=True) or []
    reason = [each.notes for each in legal if each.text == text and each.notes]
    return HintGiven(
        ref=ref,
        text=text,
        bot=kind,
        meanwhile=not is_strongest,
        reason=reason[0] if reason else [],
        considered=[
            ConsideredAction(
                each.text, each.chance, each.how, each.tries, each.error, each.is_close_to(considered[0])
            )
            for each in considered
        ],
        values=_telling_values(considered),
    )


def _telling_values(considered: list[players.Considered]) -> dict[str, float]:
    """Return the values of the first action and of those that differ significantly; empty if none does."""
    others = {each.text: each.chance for each in considered if not each.is_close_to(considered[0])}
    return {considered[0].text: considered[0].chance, **others} if others else {}
