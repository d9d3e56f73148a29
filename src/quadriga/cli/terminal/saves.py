"""Saved games: a trace, and one last line with what it takes to go on.

    {"save": 1, "players": ["human", "random"], "bots": 12345, "dice": {"fair": "…64 hex digits…"}}

With fair dice that line holds the seed, which the players are not to know before the end: a save is for
whoever hosts the game.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quadriga import players
from quadriga.engine import files
from quadriga.engine.errors import OptionError, TraceError
from quadriga.engine.game import Game
from quadriga.engine.match import trace, trace_reader
from quadriga.engine.match.dice import SEED_BYTES, Dice, FairDice, SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find

HUMAN = "human"
BOT = "greedy"  # who sits where nobody was named
FORMAT = 1


@dataclass
class Seating:
    """A match and who plays it."""

    match: Match
    kinds: list[str]
    bots: int  # the seed of those who are not human
    _made: dict[str, players.Player] = field(default_factory=dict)

    def player(self, seat: int) -> players.Player | None:
        """Who decides for a seat; nobody for a human."""
        return None if self.kinds[seat] == HUMAN else self._bot(self.kinds[seat])

    def _bot(self, kind: str) -> players.Player:
        """A bot, made when it is asked first."""
        if kind not in self._made:
            self._made[kind] = players.find(kind, self.match.game, self.bots)
        return self._made[kind]


def seated(
    game: Game, options: dict[str, object], kinds: Sequence[str], words: Sequence[str], seed: int | None
) -> Seating:
    """A new match with its players; by default one human against bots."""
    _check(kinds, game)
    settled, seats = game.resolve_options(options, len(kinds) if len(kinds) > 1 else None)
    kinds = [*kinds, *[BOT] * seats][:seats] if kinds else [HUMAN, *[BOT] * (seats - 1)]
    if len(words) > seats:
        raise OptionError("fair.words", seats=seats)
    dice: Dice = FairDice([*words, *[""] * seats][:seats]) if seed is None else SeededDice(seed)
    match = Match(game, settled, seats, dice, automatic=False)
    return Seating(match, list(kinds), secrets.randbits(32) if seed is None else seed)


def _check(kinds: Sequence[str], game: Game) -> None:
    """Refuse who cannot sit down at this game."""
    for kind in kinds:
        if kind != HUMAN:
            try:
                players.check(kind, game)
            except OptionError as fault:
                if fault.code == "player.unknown":
                    raise OptionError("player.unknown", name=kind, known=[HUMAN, *players.names()]) from None
                raise


def _known(kinds: Sequence[object], game: Game) -> bool:
    """Whether all of them can sit down at this game."""
    try:
        _check([str(kind) for kind in kinds], game)
    except OptionError:
        return False
    return True


def write(seating: Seating, path: Path | str) -> None:
    """Save a game."""
    dice = seating.match.dice
    kept = {"fair": dice.seed.hex()} if isinstance(dice, FairDice) else {"seeded": getattr(dice, "seed", 0)}
    last = {"save": FORMAT, "players": seating.kinds, "bots": seating.bots, "dice": kept}
    files.write_text(path, trace.dumps(seating.match) + json.dumps(last) + "\n")


def read(path: Path | str) -> Seating:
    """Take a saved game up again."""
    lines = [line for line in files.read_lines(path) if line.strip()]
    save = _last(lines, path)
    reading = next(trace_reader.read(lines[:-1], find))
    match = reading.match
    kinds, bots = save.get("players"), save.get("bots")
    if not isinstance(kinds, list) or len(kinds) != match.seats or not _known(kinds, match.game):
        raise TraceError("save.players", path=str(path), known=players.names())
    if match.over:
        raise TraceError("save.over", path=str(path))
    match.automatic = False
    match.dice = _dice(save.get("dice"), reading, path)
    if type(bots) is not int or not 0 <= bots < 2**62:
        raise TraceError("save.dice", path=str(path))
    return Seating(match, kinds, bots)


def _last(lines: list[bytes], path: Path | str) -> dict[str, Any]:
    try:
        save = json.loads(lines[-1]) if lines else None
    except (ValueError, RecursionError):
        save = None
    if not isinstance(save, dict) or save.get("save") != FORMAT or len(lines) < 2:
        raise TraceError("save.not-a-save", path=str(path))
    return save


def _dice(kept: object, reading: trace_reader.Reading, path: Path | str) -> Dice:
    """The dice of a saved game: those that its trace promised."""
    if isinstance(kept, dict) and reading.commitment is None and type(kept.get("seeded")) is int:
        if 0 <= kept["seeded"] < 2**62:
            return SeededDice(kept["seeded"])
    elif isinstance(kept, dict) and isinstance(kept.get("fair"), str):
        try:
            seed = bytes.fromhex(kept["fair"])
        except ValueError:
            seed = b""
        if len(seed) == SEED_BYTES:
            dice = FairDice(reading.client_seeds, seed)
            if dice.commitment == reading.commitment:
                return dice
    raise TraceError("save.dice", path=str(path))
