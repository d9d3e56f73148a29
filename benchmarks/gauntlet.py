"""Measure how far bots of Ben Hvrt can be exploited: `python benchmarks/gauntlet.py [BOT] [--games N]`.

Every exploiter meets three of the bot, and three of it meet one, on all seats with the same dice, in the series
Basic and Hercules. It prints tables for docs/players.md: shares of first places (a tie is shared) with 95 %
intervals, where 25 % is even. `--only A,B` names the exploiters, or any other bots. `--lots` prints instead what
became of auction cards among four of the bot, by what a card is worth.
"""

from __future__ import annotations

import argparse
import os
from itertools import pairwise
from typing import Any

import numpy as np

from quadriga.engine.kernels.link import plain
from quadriga.games import find
from quadriga.games.benhvrt.bots.worth import worth
from quadriga.games.benhvrt.study.counts import BUYER, BY_PRICE, LOT_CARD, LOT_FIELDS, OTHERS, PRICE, most_lots
from quadriga.games.benhvrt.study.row import LOTS
from quadriga.lab.arena.arena import compete
from quadriga.lab.study.counted_games import CountedGames
from quadriga.players.compiled_match import bot
from quadriga.players.levels import named

GAME = find("ben-hvrt")
SERIES = {"Basic": [1, 2, 4], "Hercules": [1, 2, 3, 4, 5, 6]}
SEED = 2026
WORTHS = (0, 4, 8, 12, 16, 20, 30, 10_000)  # in tenths of Ducats


def share(players: list[str], series: list[int], games: int, workers: int) -> str:
    """Return the share of first places of the first player, and its interval of 95 %."""
    options, seats = GAME.resolve_options({"series": series}, 4)
    result = compete(GAME, options, seats, players, games=games, seed=SEED, workers=workers, early=False)
    wins = next(each.wins.share for each in result.standings if each.player == players[0])
    return f"{wins:.1%} ± {1.96 * (wins * (1 - wins) / result.games) ** 0.5:.1%}"


def exploiter(habit: str, name: str) -> str:
    """Return an exploiter that otherwise plays as the bot does which it is to exploit."""
    player, _, parts = named(name, GAME).partition(":")
    left_out = [each for each in parts.split("+") if player == "greedy" and each.startswith("no-")]
    return "+".join([f"exploiter:{habit}", *left_out])


def gauntlet(name: str, only: list[str], games: int, workers: int) -> None:
    """Print a row for every exploiter."""
    for label in SERIES:
        print(f"| exploiter, {label} | one against three `{name}` | one `{name}` against three |")
        print("|---|---:|---:|")
        for habit in only:
            foe = habit if ":" in habit else exploiter(habit, name)
            cells = [
                share([one, other, other, other], SERIES[label], games, workers)
                for one, other in ((foe, name), (name, foe))
            ]
            print(f"| `{habit}` | {cells[0]} | {cells[1]} |", flush=True)
        print()


def lots(name: str, games: int) -> None:
    """Print what became of the auction cards of the last race among four of the bot, by the worth of the card."""
    player = bot(name, GAME)
    assert player is not None
    for label, series in SERIES.items():
        options, seats = GAME.resolve_options({"series": series}, 4)
        watched = CountedGames(GAME, options, seats, [[player] * seats])
        t: Any = watched.layout.t
        most = plain(most_lots, {})(t)
        rows = watched.play(SEED, 0, games)
        first = watched.layout.at[LOTS]
        found = rows[:, first : first + t.races * most * LOT_FIELDS].reshape(games, t.races, most, LOT_FIELDS)
        last = found[:, -1].reshape(-1, LOT_FIELDS)
        last = last[last[:, LOT_CARD] > 0]
        s: Any = GAME.rules.new(options, seats)[1]
        s.race, s.laps, s.entered = t.races - 1, series[-1], (1 << seats) - 1
        values = np.array([plain(worth, GAME.bindings)(t, s, 0, kind) for kind in range(t.kinds)])
        each = values[last[:, LOT_CARD] - 1]
        print(
            f"| worth, {label} | cards | unsold | bought at the price | contested | all pay in an auction | mean |"
        )
        print("|---|---:|---:|---:|---:|---:|---|")
        for low, high in pairwise(WORTHS):
            part = last[(each >= low) & (each < high)]
            sold, bought = part[:, BUYER] > 0, part[:, BY_PRICE] > 0
            auctioned = part[sold & ~bought]
            if len(auctioned):
                shares = [(~sold).mean(), bought.mean(), (auctioned[:, OTHERS] > 0).sum() / len(part)]
                paid = (auctioned[:, PRICE] + auctioned[:, OTHERS]).mean()
                average = np.where(sold, part[:, PRICE] + part[:, OTHERS], 0).mean()
                cells = [
                    f"{len(part) / len(last):.0%}",
                    *(f"{x:.0%}" for x in shares),
                    f"{paid:.2f} D",
                    f"{'▇' * round(4 * average)} {average:.2f} D",
                ]
                print(f"| {low / 10:.1f} D and more | {' | '.join(cells)} |")
        print()


def main() -> None:
    """Read the arguments and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bot", nargs="?", default="normal")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--only", default=",".join(GAME.bots.exploiters if GAME.bots else ()))
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--lots", action="store_true")
    asked = parser.parse_args()
    if asked.lots:
        lots(asked.bot, asked.games)
    else:
        gauntlet(asked.bot, asked.only.split(","), asked.games, asked.workers)


if __name__ == "__main__":
    main()
