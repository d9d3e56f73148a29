"""Simulated tournaments among players of known strength, with our pairings or with random seating."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from quadriga.lab.tournament import draw, swiss
from quadriga.lab.tournament.log import Begin, Enter, Pair, Plan, Result
from quadriga.lab.tournament.pairing import has_bracket_ended, next_pairing
from quadriga.lab.tournament.standings import standings
from quadriga.lab.tournament.state import State

Method = Literal["paired", "random"]
Pairing = Callable[[State, bytes], Pair]
_SPREAD = 200.0  # the standard deviation of strengths, in points of ratings
_POINTS = 400 / math.log(10)


class Quality(Struct, frozen=True):
    """How good the pairings of many tournaments were, on average."""

    method: str
    order: float  # Kendall's tau between strength and final order: 1 if every pair of players is in the right order
    best: float  # how often the strongest player has won
    repeats: float  # meetings of two who had met before, for each player
    starts: float  # how far a player's mean start place is from the middle: 1 for always the first or the last
    byes: int  # the most that one player has had


class Simulated(Struct, frozen=True):
    """What was simulated, and what came out."""

    kind: str
    players: int
    seats: int
    rounds: int
    tournaments: int
    seed: int
    start: float  # how much more often the first seat wins than the last, among equals
    qualities: list[Quality]


def simulate(
    kind: Literal["swiss", "knockout"],
    players: int,
    seats: int,
    rounds: int,
    tournaments: int,
    seed: int,
    start: float = 1.0,
    progress: Callable[[int, int], None] = lambda done, total: None,
    others: Sequence[tuple[str, Pairing]] = (),
) -> Simulated:
    """Return how good our pairings are beside random seating, over many tournaments with the same players."""
    plan = Plan(kind, seats, 2 if seats == 2 else min(3, seats), rounds)
    methods: list[tuple[str, Pairing]] = [("paired", next_pairing), *others]
    if kind == "swiss":
        methods.append(("random", random_pairing))
    qualities = []
    for index, (name, pairing) in enumerate(methods):
        found = []
        for number in range(tournaments):
            found.append(_tournament(plan, players, pairing, random.Random(f"{seed} {number}"), start))
            progress(index * tournaments + number + 1, len(methods) * tournaments)
        order, best, repeats, starts = (math.fsum(row) / tournaments for row in list(zip(*found, strict=True))[:4])
        qualities.append(Quality(name, order, best, repeats, starts, max(int(each[4]) for each in found)))
    return Simulated(kind, players, seats, rounds, tournaments, seed, start, qualities)


def random_pairing(state: State, link: bytes) -> Pair:
    """Return a pairing by lot alone."""
    order = sorted(state.active, key=lambda each: draw.lot(link, each.number))
    numbers = [each.number for each in order]
    tables, first = [], 0
    for size in swiss.sizes(len(numbers), state.plan.seats, state.plan.least):
        tables.append(numbers[first : first + size])
        first += size
    return Pair(link.hex(), tables, numbers[first:])


def _tournament(
    plan: Plan, count: int, pairing: Pairing, chance: random.Random, start: float
) -> tuple[float, float, float, float, float]:
    strengths = [chance.gauss(0.0, _SPREAD) for _ in range(count)]
    seed = chance.randbytes(draw.SEED_BYTES)
    state, repeats = State(plan), 0
    for number in range(count):
        state.apply(Enter(number))
    state.apply(Begin())
    while not (state.round == plan.rounds if plan.kind == "swiss" else has_bracket_ended(state)):
        paired = pairing(state, draw.link(seed, state.round + 1))
        for table in paired.tables:
            repeats += sum(state.players[one].met[other] > 0 for one in table for other in table)
        state.apply(paired)
        for table_id, seated in list(state.open_tables.items()):
            state.apply(Result(table_id, _places([strengths[each] for each in seated.players], start, chance)))
    ranks = {each.player: rank for rank, each in enumerate(standings(state, draw.link(seed, 0)))}
    strongest = max(range(count), key=strengths.__getitem__)
    played = [each for each in state.players if each.tables]
    starts = math.fsum(abs(each.lean) / 60 / len(each.tables) for each in played) / len(played)
    order = _tau([strengths[number] for number in sorted(ranks, key=ranks.__getitem__)])
    return (
        order,
        float(ranks[strongest] == 0),
        repeats / count,
        starts,
        max(len(each.byes) for each in state.players),
    )


def _places(strengths: list[float], start: float, chance: random.Random) -> list[int]:
    """Return places at random, by the model of Plackett and Luce; the first seats have an advantage."""
    last = max(1, len(strengths) - 1)
    keys = [
        strength / _POINTS + math.log(start) * (1 - seat / last) - math.log(-math.log(chance.random() or 0.5))
        for seat, strength in enumerate(strengths)
    ]
    return [1 + sum(other > key for other in keys) for key in keys]


def _tau(ordered: list[float]) -> float:
    """Return the share of pairs in the right order, less that of pairs in the wrong one."""
    count = len(ordered)
    right = sum(ordered[one] > ordered[other] for one in range(count) for other in range(one + 1, count))
    return 4 * right / (count * (count - 1)) - 1
