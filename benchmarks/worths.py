"""Measure what a card of Ben Hvrt is worth: `python benchmarks/worths.py [--series 1,2,4] [--race 3] [--games N]`.

Bots play by their rules of thumb to the beginning of a race. From there the same game is played on for every kind
of card, with one more of it in the hand of one player, and once with 10 D more. It prints what the card adds to the
player's lead over the mean of the others, in Ducats, beside what the rules of thumb say (`worth`), with an interval
of 95 %. The last column counts results instead: how many Ducats would help as much to win.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from quadriga.engine.kernels.kernel import IntRows, Ints, kernel, slot
from quadriga.engine.kernels.link import plain
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.random_games import roll_to_decision
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.kernels.slots import OVER, State, Tables, advise, legal, scores, step
from quadriga.engine.kernels.struct import Batch
from quadriga.games import find
from quadriga.games.benhvrt.bots.worth import worth
from quadriga.games.benhvrt.rules.piles import put
from quadriga.games.benhvrt.state import State as Series
from quadriga.games.benhvrt.state import Tables as SeriesTables
from quadriga.players.search import bindings
from quadriga.players.search.playout import utilities
from quadriga.players.search.search_slots import chapter

GAME = find("ben-hvrt")
SEED = 5
PRIZE = 10  # Ducats
COUNT, LEAD, SQUARES, WON = range(4)  # columns of the totals


@slot
def give(t: Tables, s: State, seat: int, gift: int) -> None:
    """Give a player nothing (0), Ducats (1) or a card."""
    raise NotImplementedError


@kernel
def give_in_ben_hvrt(t: SeriesTables, s: Series, seat: int, gift: int) -> None:
    """Give a player nothing (0), Ducats (1) or the card of kind `gift` - 2."""
    if gift == 1:
        s.purse[seat] += PRIZE
    elif gift > 1:
        put(s, seat, gift - 2)


@kernel
def play_to_the_end(t: Tables, s: State, rngs: Batch[Rng], out: Ints, weights: Ints) -> None:
    """Play on by rules of thumb."""
    seat = roll_to_decision(t, s, rngs[0], out, weights)
    while seat != OVER:
        step(t, s, advise(t, s, rngs[1], out, legal(t, s, out), 0))
        seat = roll_to_decision(t, s, rngs[0], out, weights)


@kernel
def compare(
    tables: Batch[Tables],
    origin: Batch[State],
    work: Batch[State],
    rngs: Batch[Rng],
    out: Ints,
    weights: Ints,
    points: Ints,
    won: Ints,
    seed: int,
    games: int,
    race: int,
    gifts: int,
    totals: IntRows,
) -> None:
    """Play games to a race, and from there once as it is, once with Ducats more, and once with each card more."""
    t = tables[0]
    s = work[0]
    seats = len(points)
    for game in range(games):
        work[0] = origin[0]
        start(rngs[0], seed, 2 * game)
        start(rngs[1], seed, 2 * game + 1)
        roll_to_decision(t, s, rngs[0], out, weights)
        while chapter(t, s) < race:
            step(t, s, advise(t, s, rngs[1], out, legal(t, s, out), 0))
            roll_to_decision(t, s, rngs[0], out, weights)
        work[1] = work[0]
        me = game % seats
        lead = 0
        result = 0
        for gift in range(gifts):
            work[0] = work[1]
            start(rngs[0], seed + 1, 2 * game)
            start(rngs[1], seed + 1, 2 * game + 1)
            give(t, s, me, gift)
            play_to_the_end(t, s, rngs, out, weights)
            scores(t, s, points)
            utilities(points, won)
            ahead = seats * points[me]
            for i in range(seats):
                ahead -= points[i]
            if gift == 0:
                lead = ahead
                result = won[me]
            totals[gift][COUNT] += 1
            totals[gift][LEAD] += ahead - lead
            totals[gift][SQUARES] += (ahead - lead) * (ahead - lead)
            totals[gift][WON] += won[me] - result


def main() -> None:
    """Read the arguments, play and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--series", default="1,2,4", help="the laps of the races")
    parser.add_argument("--race", type=int, default=3, help="the race that begins with a card more")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, default=20_000)
    asked = parser.parse_args()
    series = [int(laps) for laps in asked.series.split(",")]
    options, seats = GAME.resolve_options({"series": series}, asked.seats)
    t: Any
    s: Any
    t, s = GAME.rules.new(options, seats)
    machine = Machine(GAME, bindings={**bindings(GAME), give: give_in_ben_hvrt})
    totals = np.zeros((t.kinds + 2, 4), np.int64)
    points, won = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    arrays = (t.array(), s.array(), machine.states(2), np.zeros(2, Rng.dtype), *GAME.rules.scratch(), points, won)
    machine.link(compare)(*arrays, SEED, asked.games, asked.race - 1, len(totals), totals)
    s.race, s.laps, s.entered = asked.race - 1, series[asked.race - 1], (1 << t.chariots) - 1
    ducat = totals[1, WON] / PRIZE
    print(f"| card, race {asked.race} of {asked.series}, {seats} seats | worth | lead | as Ducats by results |")
    print("|---|---:|---:|---:|")
    for kind in range(t.kinds):
        count, lead, squares, results = totals[kind + 2]
        mean = lead / count
        error = 1.96 * ((squares / count - mean**2) / count) ** 0.5
        said = plain(worth, GAME.bindings)(t, s, 0, kind) / 10
        adds = f"{mean / (seats - 1):.2f} ± {error / (seats - 1):.2f} D"
        print(f"| `{t.cards[kind].name}` | {said:.1f} D | {adds} | {results / ducat:.1f} D |", flush=True)


if __name__ == "__main__":
    main()
