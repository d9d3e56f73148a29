"""How much a player's moves lose, exactly: measured against tables in games of Ur that they cover."""

from __future__ import annotations

import msgspec

from quadriga import players
from quadriga.engine.dice import SeededDice
from quadriga.engine.errors import OptionError
from quadriga.engine.match import Match
from quadriga.games import find
from quadriga.players import exact


class Regret(msgspec.Struct, frozen=True):
    """Chances lost a move, on average and at the worst, over decisions with a choice."""

    player: str
    markers: int
    decisions: int
    mean: float
    worst: float


def regret(name: str, markers: int, *, rules: str = "ben", games: int = 20, seed: int = 1) -> Regret:
    """Let a player play both sides of some games, without what is on disk, and look its moves up in the tables."""
    game = find("ur")
    lost: list[float] = []
    for number in range(games):
        match = Match(game, {"rules": rules, "markers": markers}, 2, SeededDice(seed, number))
        bot = players.find(name, game, seed, number)
        if isinstance(bot, players.SearchPlayer):
            bot.tables = False
        while not match.over:
            text = bot.decide(players.Perspective(match))
            known = exact.best(match.t, match.s)
            if known is not None and len(known[1]) > 1:
                lost.append(max(known[1].values()) - known[1][match.actions()[text]])
            match.play(text)
    if not lost:
        raise OptionError("solve.below", rules=rules, mine=markers, theirs=markers)
    return Regret(name, markers, len(lost), sum(lost) / len(lost), max(lost))
