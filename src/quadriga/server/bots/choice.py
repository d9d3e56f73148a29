"""Choosing a bot for a seat, and letting it choose a move. A bot is shown no more than its seat may see."""

from __future__ import annotations

import asyncio

from quadriga import players
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.players.levels import named
from quadriga.server import child_process
from quadriga.server.state.room_state import RoomState

QUICK = ("random",)  # bots that need no thread
DEFAULT = "normal"
STRONGEST = "master"  # of the bots that answer while a person waits
FALLBACK = "greedy"  # decides while the kernels of a thinking bot are being compiled

# Compiling keeps a whole process busy for long: a child process does it, and leaves the code in the cache on disk.
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
    await child_process.run(_COMPILE, game, "search:1")


def prepared(game: str) -> asyncio.Task[None]:
    """Return the task that compiles the kernels of a game's searching bots; the first call starts it."""
    if game not in _compiling or _compiling[game].cancelled():  # with the event loop that it ran in
        _compiling[game] = asyncio.create_task(_compile(game))
    return _compiling[game]


def is_ready(game: str, kind: str) -> bool:
    """Return whether a bot can decide now; if it cannot, compiling for it has started."""
    return not is_slow(game, kind) or prepared(game).done()


def kinds(game: str) -> list[str]:
    """Return the names of the bots that can play a game, the weakest first."""
    return players.names()


def check(game: str, kind: str | None) -> str:
    """Return the name of a bot, or of the default; raise QuadrigaError if there is none of that name."""
    chosen = default(game) if kind is None else kind
    players.check(chosen, find(game))
    return chosen


def default(game: str) -> str:
    """Return the default bot of a game."""
    return DEFAULT if DEFAULT in kinds(game) else kinds(game)[0]


def is_slow(game: str, kind: str) -> bool:
    """Return whether a bot searches, which takes long enough that it decides in a thread."""
    return named(kind, find(game)).partition(":")[0] not in (*QUICK, FALLBACK)


def player(state: RoomState, seat: int, kind: str) -> players.Player:
    """Return a bot for a seat."""
    return players.find(kind, state.game, state.setup.bot_seed + seat)


def player_for(state: RoomState, seat: int) -> tuple[str, players.Player]:
    """Return the bot that decides for a seat now, with its name."""
    kind = state.seats[seat].bot or default(state.setup.game)
    if not is_ready(state.setup.game, kind):
        kind = FALLBACK
    return kind, player(state, seat, kind)


async def fallback(state: RoomState, seat: int) -> str:
    """Return the action of the fallback bot, for a bot that does not answer in time."""
    assert state.session is not None
    return await decide(FALLBACK, player(state, seat, FALLBACK), state.session.match)


async def decide(kind: str, player: players.Player, match: Match) -> str:
    """Return the action that a bot chooses; a slow bot runs in a thread, on a copy of the match."""
    if kind in QUICK:
        return player.decide(players.Perspective(match))
    return await asyncio.to_thread(player.decide, players.Perspective(match.clone()))
