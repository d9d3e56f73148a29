"""Bots for empty chairs, for who has gone, and for who asks for a hint. Each sees no more than its seat may."""

from __future__ import annotations

import asyncio

from quadriga import players
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.players.levels import named
from quadriga.server.present import frames
from quadriga.server.protocol.messages import ConsideredAction, HintGiven
from quadriga.server.rooms.event_log import RoomState
from quadriga.server.workers import lifeline

QUICK = ("random",)  # these take no time worth a thread
STRONGEST = "master"  # of those that answer while somebody waits
MEANWHILE = "greedy"  # decides while what a thinker needs is being compiled

# Compiling takes long and keeps a whole process busy: another one does it, and leaves the code on disk.
_COMPILE = """
import sys
from quadriga import players
from quadriga.engine.match.match import Match
from quadriga.engine.match.dice import SeededDice
from quadriga.games import find
from quadriga.players import search
game = find(sys.argv[1])
match = Match(game, *game.resolve_options({}, None), SeededDice(1))
players.find(sys.argv[2], game, 1).decide(players.Perspective(match))
search.prepare(game)
"""
_compiling: dict[str, asyncio.Task[None]] = {}


async def _compile(game: str) -> None:
    await lifeline.run(_COMPILE, game, "search:1")


def prepared(game: str) -> asyncio.Task[None]:
    """The work for the thinkers of a game, begun by whoever asks first."""
    if game not in _compiling:
        _compiling[game] = asyncio.create_task(_compile(game))
    return _compiling[game]


def ready(game: str, kind: str) -> bool:
    """Whether a bot can decide at once; where it cannot, the work for it has begun."""
    return not slow(kind) or prepared(game).done()


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


def slow(kind: str) -> bool:
    """Whether a bot thinks for long where it has a choice."""
    return named(kind).partition(":")[0] not in (*QUICK, MEANWHILE)


def of(state: RoomState, seat: int) -> tuple[str, players.Player]:
    """Who decides for a seat that no person plays."""
    kind = state.seats[seat].bot or default(state.setup.game)
    if not ready(state.setup.game, kind):
        kind = MEANWHILE
    return kind, players.find(kind, state.game, state.setup.bots + seat)


async def thumb(state: RoomState, seat: int) -> str:
    """What rules of thumb say, for a bot whose time is up."""
    assert state.play is not None
    return await decide(MEANWHILE, players.find(MEANWHILE, state.game, state.setup.bots + seat), state.play.match)


async def decide(kind: str, player: players.Player, match: Match) -> str:
    """What a bot does here; one that thinks does so aside, on a copy."""
    if kind in QUICK:
        return player.decide(players.Perspective(match))
    return await asyncio.to_thread(player.decide, players.Perspective(match.clone()))


async def hint(state: RoomState, seat: int, ref: str | None) -> HintGiven:
    """Return what the strongest bot would do for a seat that is asked, and what it thinks of the other actions."""
    assert state.play is not None
    match = state.play.match.clone()
    strongest = ready(state.setup.game, STRONGEST)
    kind = STRONGEST if strongest else MEANWHILE
    player = players.find(kind, state.game, state.setup.bots + seat)
    considered: list[players.Considered] = []
    if isinstance(player, players.Considers):
        considered = await asyncio.to_thread(player.consider, players.Perspective(match))
    text = considered[0].text if considered else await decide(kind, player, match)
    legal = frames.legal(match, seat, explain=True) or []
    reason = [each.notes for each in legal if each.text == text and each.notes]
    return HintGiven(
        ref=ref,
        text=text,
        bot=kind,
        meanwhile=not strongest,
        reason=reason[0] if reason else [],
        considered=[ConsideredAction(each.text, each.chance, each.how, each.tries) for each in considered],
        values={each.text: each.chance for each in considered},
    )
