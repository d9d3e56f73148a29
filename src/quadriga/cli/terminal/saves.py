"""Saved games: a trace, and a last line with what is needed to continue.

    {"save": 1, "players": ["human", "random"], "bots": 12345, "dice": {"fair": "…64 hex digits…"}}

With fair dice that line contains the seed, which the players may not know before the end. A saved game is for the
host alone.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
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
BOT = "normal"  # plays the seats that no --seat names
FORMAT = 1


@dataclass
class Seating:
    """A match, and for each seat a human or the name of a bot."""

    match: Match
    kinds: list[str]
    bot_seed: int
    _bots: dict[str, players.Player] = field(default_factory=dict)

    def player(self, seat: int) -> players.Player | None:
        """Return the bot that plays a seat, or None for a human."""
        return None if self.kinds[seat] == HUMAN else self._bot(self.kinds[seat])

    def _bot(self, kind: str) -> players.Player:
        """Return a bot, made when it is first needed."""
        if kind not in self._bots:
            self._bots[kind] = players.find(kind, self.match.game, self.bot_seed)
        return self._bots[kind]


def seat_players(
    game: Game, options: dict[str, object], kinds: Sequence[str], client_seeds: Sequence[str], seed: int | None
) -> Seating:
    """Return a new match with its players; by default one human against bots."""
    _check_kinds(kinds, game)
    people = HUMAN in (kinds or [HUMAN])
    resolved, seats = game.resolve_options(options, len(kinds) if len(kinds) > 1 else None, people)
    kinds = [*kinds, *[BOT] * seats][:seats] if kinds else [HUMAN, *[BOT] * (seats - 1)]
    if len(client_seeds) > seats:
        raise OptionError("fair.words", seats=seats)
    dice: Dice = FairDice([*client_seeds, *[""] * seats][:seats]) if seed is None else SeededDice(seed)
    match = Match(game, resolved, seats, dice, automatic=False)
    return Seating(match, list(kinds), secrets.randbits(32) if seed is None else seed)


def _check_kinds(kinds: Sequence[str], game: Game) -> None:
    """Raise OptionError for a name that is neither `human` nor a bot for this game."""
    for kind in kinds:
        if kind != HUMAN:
            try:
                players.check(kind, game)
            except OptionError as fault:
                if fault.code == "player.unknown":
                    raise OptionError("player.unknown", name=kind, known=[HUMAN, *players.names()]) from None
                raise


def _can_play(kinds: Sequence[object], game: Game) -> bool:
    """Return whether each is `human` or a bot for this game."""
    try:
        _check_kinds([str(kind) for kind in kinds], game)
    except OptionError:
        return False
    return True


def write(seating: Seating, path: Path | str) -> None:
    """Save a game to a file."""
    dice = seating.match.dice
    stored = {"fair": dice.seed.hex()} if isinstance(dice, FairDice) else {"seeded": getattr(dice, "seed", 0)}
    last = {"save": FORMAT, "players": seating.kinds, "bots": seating.bot_seed, "dice": stored}
    files.write_text(path, trace.dumps(seating.match) + json.dumps(last) + "\n", is_private=True)


def read(path: Path | str) -> Seating:
    """Read a saved game. Raises TraceError if it is damaged or over."""
    lines = [line for line in files.read_lines(path) if line.strip()]
    save = _parse_last(lines, path)
    reading = next(trace_reader.read(lines[:-1], find))
    match = reading.match
    kinds, bot_seed = save.get("players"), save.get("bots")
    if not isinstance(kinds, list) or len(kinds) != match.seats or not _can_play(kinds, match.game):
        raise TraceError("save.players", path=str(path), known=players.names())
    if match.over:
        raise TraceError("save.over", path=str(path))
    match.automatic = False
    match.dice = _read_dice(save.get("dice"), reading, path)
    if type(bot_seed) is not int or not 0 <= bot_seed < 2**62:
        raise TraceError("save.dice", path=str(path))
    return Seating(match, kinds, bot_seed)


def check_same(
    seating: Seating,
    path: str,
    game: Game,
    options: dict[str, object],
    kinds: Sequence[str],
    client_seeds: Sequence[str],
    seed: int | None,
) -> None:
    """Raise OptionError if what was given beside a saved game contradicts it."""
    match = seating.match
    dice = match.dice
    own_seeds = dice.client_seeds if isinstance(dice, FairDice) else []
    found: list[tuple[str, object, object]] = [("game", match.game.id, game.id)]
    found += [(f"--option {name}", match.options.get(name), value) for name, value in options.items()]
    found += [("--seat", kind, given) for kind, given in zip_longest(seating.kinds, kinds) if len(kinds) > 0]
    found += [("--word", own, given) for own, given in zip_longest(own_seeds, client_seeds) if given is not None]
    found += [] if seed is None else [("--seed", getattr(dice, "seed", None), seed)]
    for name, own, given in found:
        if own != given and given is not None:
            raise OptionError("save.contradicts", path=path, name=name, found=_shown(own), given=_shown(given))


def _shown(value: object) -> str:
    if isinstance(value, bytes):
        return "-"  # the secret of fair dice
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) < 60 else f"{text[:57]}..."


def _parse_last(lines: list[bytes], path: Path | str) -> dict[str, Any]:
    try:
        save = json.loads(lines[-1]) if lines else None
    except (ValueError, RecursionError):
        save = None
    if not isinstance(save, dict) or save.get("save") != FORMAT or len(lines) < 2:
        raise TraceError("save.not-a-save", path=str(path))
    return save


def _read_dice(stored: object, reading: trace_reader.Reading, path: Path | str) -> Dice:
    """Return the dice of a saved game. Raises TraceError if they are not those that its trace promises."""
    if isinstance(stored, dict) and reading.commitment is None and type(stored.get("seeded")) is int:
        if 0 <= stored["seeded"] < 2**62:
            return SeededDice(stored["seeded"])
    elif isinstance(stored, dict) and isinstance(stored.get("fair"), str):
        try:
            seed = bytes.fromhex(stored["fair"])
        except ValueError:
            seed = b""
        if len(seed) == SEED_BYTES:
            dice = FairDice(reading.client_seeds, seed)
            if dice.commitment == reading.commitment:
                return dice
    raise TraceError("save.dice", path=str(path))
