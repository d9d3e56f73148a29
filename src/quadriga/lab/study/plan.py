"""The plan of a study: which games are played, between which players, and how often."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import permutations
from math import factorial

import msgspec

from quadriga import players
from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.match.options import Options
from quadriga.games import find
from quadriga.players.compiled_match import SEARCH, Bot, bot

MOST_GAMES = 10_000_000
MOST_LINEUPS = 24
PLAYOUTS = 20  # of a review, for each action
_SEARCHED_AT_ONCE = 1
_AT_ONCE = 200  # games of a chunk, unless the game's study has another number


class StudyPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The setup of a study. Its tables depend on this alone, and not on the names of files."""

    game: str
    options: Options
    seats: int
    players: list[str]
    is_fixed: bool  # whether players keep the seats in which they are listed
    seed: int
    games: int
    reviews: int = 0  # games that are reviewed, the first ones
    playouts: int = PLAYOUTS
    files: dict[str, str] = {}  # the paths of the files that options were read from, as they were given

    @property
    def lineups(self) -> list[list[str]]:
        """Return the lineups: the player on each seat. Game i has lineup i modulo their number."""
        return [[self.players[who] for who in lineup] for lineup in _lineups(self)]

    @property
    def bots(self) -> list[list[Bot]]:
        """Return the lineups with each player as a compiled bot."""
        game = find(self.game)
        found = {name: bot(name, game) for name in self.players}
        return [[each for name in lineup if (each := found[name]) is not None] for lineup in self.lineups]

    @property
    def games_at_once(self) -> int:
        """Return how many games a chunk has. It is the same for any number of workers."""
        if any(each.kind == SEARCH for lineup in self.bots for each in lineup):
            return _SEARCHED_AT_ONCE
        study = find(self.game).study
        return _AT_ONCE if study is None else study.games_at_once

    @property
    def digest(self) -> str:
        """Return a short hash of everything but the numbers of games and reviews and the names of files."""
        plain = msgspec.to_builtins(msgspec.structs.replace(self, games=0, reviews=0))
        del plain["files"]
        return hashlib.sha256(msgspec.json.encode(plain)).hexdigest()[:8]

    def continues(self, other: StudyPlan) -> bool:
        """Return whether the games of another plan are also games of this one: only their number differs."""
        return msgspec.structs.replace(other, games=self.games, reviews=self.reviews, files=self.files) == self


def make(
    game: Game,
    options: Options,
    seats: int,
    names: Sequence[str],
    *,
    games: int,
    seed: int,
    is_fixed: bool = False,
    reviews: int = 0,
    playouts: int = PLAYOUTS,
    files: Mapping[str, str] | None = None,
) -> StudyPlan:
    """Return a checked plan. Raise OptionError for numbers out of range and for players that cannot take part."""
    limits = (
        ("--games", games, 1, MOST_GAMES),
        ("--seed", seed, 0, 2**62 - 1),
        ("--reviews", reviews, 0, games),
        ("--playouts", playouts, 1, 100_000),
    )
    for name, value, least, most in limits:
        if type(value) is not int or not least <= value <= most:
            raise OptionError("option.value", name=name, value=value, allowed=f"{least}..{most}")
    if is_fixed and len(names) != seats:
        raise OptionError("lab.fixed", seats=seats, players=len(names))
    if not 1 <= len(names) <= seats:
        raise OptionError("lab.players", seats=seats, players=len(names))
    for name in names:
        players.admit(name)
        players.check(name, game)
        if bot(name, game) is None:
            raise OptionError("lab.player", player=name)
    return StudyPlan(
        game=game.id,
        options=options,
        seats=seats,
        players=list(names),
        is_fixed=is_fixed,
        seed=seed,
        games=games,
        reviews=reviews,
        playouts=playouts,
        files={name: path for name, path in (files or {}).items() if options[name] is not None},
    )


def _lineups(plan: StudyPlan) -> list[tuple[int, ...]]:
    """Return the lineups, as the player of each seat: all permutations if there are few, else rotations."""
    group = tuple(seat % len(plan.players) for seat in range(plan.seats))
    if plan.is_fixed:
        return [group]
    if factorial(plan.seats) <= MOST_LINEUPS:
        return sorted(set(permutations(group)))
    return sorted(
        {tuple(group[(seat + turn) % plan.seats] for seat in range(plan.seats)) for turn in range(plan.seats)}
    )
