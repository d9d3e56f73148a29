"""Bots for empty chairs, for who has gone, and for who asks for a hint. Each sees no more than its seat may."""

from __future__ import annotations

import asyncio
from typing import Any

from quadriga import players
from quadriga.engine.match import Match
from quadriga.table.ledger import Ledger
from quadriga.table.refusals import TableError

QUICK = ("random",)  # these take no time worth a thread


def kinds(game: str) -> list[str]:
    """The bots that can play a game, the weakest first."""
    return players.names()


def check(game: str, kind: str | None) -> str:
    """A bot that there is."""
    known = kinds(game)
    chosen = default(game) if kind is None else kind
    if chosen not in known:
        raise TableError("bot.unknown", 400, name=chosen, known=known)
    return chosen


def default(game: str) -> str:
    """Who sits in where nobody was named."""
    known = kinds(game)
    return "greedy" if "greedy" in known else known[0]


def of(ledger: Ledger, seat: int) -> tuple[str, players.Player]:
    """Who decides for a seat that no person plays."""
    kind = ledger.chairs[seat].bot or default(ledger.setup.game)
    return kind, players.find(kind, ledger.setup.bots + seat)


async def decide(kind: str, player: players.Player, match: Match) -> str:
    """What a bot does here; one that thinks does so aside, on a copy."""
    if kind in QUICK:
        return player.decide(players.Perspective(match))
    return await asyncio.to_thread(player.decide, players.Perspective(match.clone()))


async def hint(ledger: Ledger, seat: int) -> dict[str, Any]:
    """What the strongest bot would do for a person who is asked."""
    assert ledger.play is not None
    kind = kinds(ledger.setup.game)[-1]
    player = players.find(kind, ledger.setup.bots + seat)
    text = await decide(kind, player, ledger.play.match)
    return {"text": text, "bot": kind, "reason": [], "values": {}}
