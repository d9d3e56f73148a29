"""Bots for empty chairs, for who has gone, and for who asks for a hint. Each sees no more than its seat may."""

from __future__ import annotations

import asyncio
from typing import Any

from quadriga import players
from quadriga.engine.match import Match
from quadriga.games import find
from quadriga.table import frames
from quadriga.table.ledger import Ledger

QUICK = ("random",)  # these take no time worth a thread


def kinds(game: str) -> list[str]:
    """The bots that can play a game, the weakest first."""
    return players.names()


def check(game: str, kind: str | None) -> str:
    """A bot that there is."""
    chosen = default(game) if kind is None else kind
    players.check(chosen, find(game))
    return chosen


def default(game: str) -> str:
    """Who sits in where nobody was named."""
    return "greedy" if "greedy" in kinds(game) else kinds(game)[0]


def of(ledger: Ledger, seat: int) -> tuple[str, players.Player]:
    """Who decides for a seat that no person plays."""
    kind = ledger.chairs[seat].bot or default(ledger.setup.game)
    return kind, players.find(kind, ledger.game, ledger.setup.bots + seat)


async def decide(kind: str, player: players.Player, match: Match) -> str:
    """What a bot does here; one that thinks does so aside, on a copy."""
    if kind in QUICK:
        return player.decide(players.Perspective(match))
    return await asyncio.to_thread(player.decide, players.Perspective(match.clone()))


async def hint(ledger: Ledger, seat: int) -> dict[str, Any]:
    """What the strongest bot would do for a person who is asked, and what that does."""
    assert ledger.play is not None
    match = ledger.play.match
    kind = kinds(ledger.setup.game)[-1]
    player = players.find(kind, ledger.game, ledger.setup.bots + seat)
    text = await decide(kind, player, match)
    legal = frames.legal(match, seat, explain=True) or []
    reason = [each.notes for each in legal if each.text == text and each.notes]
    return {"text": text, "bot": kind, "reason": reason[0] if reason else [], "values": {}}
