"""Measure how fast players decide."""

from __future__ import annotations

import gc
import os
import sys
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import numpy as np

from measure import Row, Work, one_core, rate, rates
from quadriga.engine.kernels.kernel import kernel
from quadriga.engine.kernels.slots import CHANCE, actor, legal, outcomes, step
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.players import Perspective
from quadriga.players import find as find_player
from quadriga.players.compiled_match import GREEDY, Bot, CompiledMatch
from quadriga.players.levels import LEVELS, named
from quadriga.players.search import knowledge, machine
from quadriga.players.search.judge import judge
from quadriga.players.search.pairs import by_pairs
from quadriga.players.search.search_slots import evaluate
from quadriga.players.search.think import think
from quadriga.players.search.tree import VISITS, clear, grow
from quadriga.players.search.workspace import LEVELS as DEPTHS
from quadriga.players.search.workspace import SearchWorkspace, allocate

TITLE = "Players"
ABOUT = """Search by playouts, in a tree or in pairs, against the same playouts without a search: from the first
decision of a game to the end of its race, by rules of thumb, each in a newly dealt world. Ur's search counts
positions: those that it evaluates in the tree of rolls and replies, against copying, moving and evaluating as
many positions alone. The decisions of a level are those with a choice in a game of greedy bots: processor time,
mean and longest. Greedy games are whole games. Memory is the growth of the allocated and the resident memory
over many decisions, after the first few. One core."""

SETUPS: dict[str, tuple[dict[str, object], int]] = {"ave-caesar": ({}, 4), "ben-hvrt": ({}, 4)}
PAIRED = {"ave-caesar": False, "ben-hvrt": True}  # whether a game's search plays in pairs
SEATS = {"ur": 2, "ave-caesar": 4, "ben-hvrt": 4}
THOUGHTS = 24  # decisions over which a level is timed,
GROWTH = 5_000  # ... and over which memory is measured


def inside(id: str, count: int = 64) -> tuple[Work, Work]:
    """Return the work of playouts inside a search, and of bare playouts from the same position."""
    options, seats = SETUPS[id]
    game = find(id)
    match = Match(game, options, seats, SeededDice(1))
    linked = machine(game)
    in_tree, in_pairs, weighed = linked.link(grow), linked.link(by_pairs), linked.link(judge)
    emptied = linked.link(clear)
    room, totals = 1 << 16, np.zeros(seats, np.int64)
    workspace = allocate(linked, match.t.array(), seats, room, knowledge(game, match.t))
    np.asarray(workspace.root)[:] = match.s.array()
    emptied(workspace.tree)
    done = 0

    def tree_search() -> int:
        nonlocal done
        if done + count >= room:
            emptied(workspace.tree)
            done = 0
        in_tree(workspace, 1, done, count)
        done += count
        return count

    def pair_search() -> int:
        nonlocal done
        done += 1  # a separate seed for every decision
        in_pairs(workspace, done, count)
        return int(workspace.tree[VISITS][0])

    def bare() -> int:
        weighed(workspace, 1, 0, count, match.actor, np.zeros(1, np.int64), 0, totals)
        return count

    return (pair_search if PAIRED[id] else tree_search), bare


@kernel
def judged(w: SearchWorkspace, count: int) -> int:
    """Copy a position, apply an action or outcome and evaluate it, `count` times."""
    t = w.tables[0]
    total = 0
    n = outcomes(t, w.root[0], w.out, w.weights) if actor(t, w.root[0]) == CHANCE else legal(t, w.root[0], w.out)
    for i in range(count):
        w.work[0] = w.root[0]
        step(t, w.work[0], w.out[i % n])
        total += evaluate(t, w.work[0], w.known)
    return total


def positions(budget: int = 100) -> tuple[Work, Work]:
    """Return the work of evaluating positions inside Ur's search, and of bare evaluations."""
    game = find("ur")
    match = Match(game, {}, 2, SeededDice(1))
    linked = machine(game)
    think_kernel, bare_run = linked.link(think), linked.link(judged)
    workspace = allocate(linked, match.t.array(), 2, 0, knowledge(game, match.t))
    np.asarray(workspace.root)[:] = match.s.array()

    def search() -> int:
        think_kernel(workspace, 1, budget)
        return int(workspace.tree[5][DEPTHS])

    def bare() -> int:
        bare_run(workspace, 5_000)
        return 5_000

    return search, bare


def choices(id: str, count: int) -> list[Match]:
    """Return positions with a choice, from a whole game of greedy players."""
    game = find(id)
    match = Match(game, {}, SEATS[id], SeededDice(3))
    bots = [find_player("greedy", game, 1)] * match.seats
    found = []
    while not match.over:
        if len(match.actions()) > 1:
            found.append(match.clone())
        match.play(bots[match.actor].decide(Perspective(match)))
    return found[:: max(len(found) // count, 1)][:count]


def level_row(id: str, level: str, places: list[Match]) -> Row:
    """Return the time of a level's decisions."""
    bot = find_player(level, find(id), 1)
    bot.decide(Perspective(places[0]))  # warm
    took = []
    for place in places:
        began = time.process_time()
        bot.decide(Perspective(place))
        took.append(1e3 * (time.process_time() - began))
    return Row(
        f"{id}: a decision of `{level}` (`{named(level, find(id))}`)", f"{mean(took):,.1f} ms, {max(took):,.1f} ms"
    )


def grown(id: str) -> Row:
    """Return the growth of memory over thousands of decisions."""
    place, bot = Perspective(choices(id, 1)[0]), find_player("search:4", find(id), 1)
    for _ in range(50):
        bot.decide(place)
    gc.collect()
    tracemalloc.start()
    allocated, held = tracemalloc.get_traced_memory()[0], resident()
    for _ in range(GROWTH):
        bot.decide(place)
    gc.collect()
    more = tracemalloc.get_traced_memory()[0] - allocated
    tracemalloc.stop()
    said = f"{max(more, 0) / 1024:,.0f} KB allocated, {max(resident() - held, 0) / 1024:,.0f} KB held"
    return Row(f"{id}: memory after {GROWTH:,} decisions more", said)


def resident() -> int:
    """Return the resident memory of this process in bytes."""
    with Path("/proc/self/statm").open() as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def greedy(id: str, seats: int) -> Work:
    """Return the work of whole games by rules of thumb."""
    match = CompiledMatch(find(id), *find(id).resolve_options({}, seats))
    first = 0

    def run() -> int:
        nonlocal first
        match.play([Bot(GREEDY, 0, 0)] * seats, 1, first, 64)
        first += 64
        return 64

    return run


def rows() -> Iterator[Row]:
    """Return the rows of this section."""
    one_core()
    told = {"ur": "positions judged", "ave-caesar": "playouts", "ben-hvrt": "playouts"}
    for name, what in told.items():
        fast, bare = rates(*(positions() if name == "ur" else inside(name)), rounds=3)
        what = f"{name}: {what} inside search; peer: bare ones"
        yield Row(what, f"{fast:,.0f}/s", f"{bare:,.0f}/s", f"{fast / bare:.2f}×")
    for name, seats in SEATS.items():
        yield Row(f"{name}: greedy games", f"{rate(greedy(name, seats), 2.0):,.0f}/s")
        places = choices(name, THOUGHTS)
        for level in LEVELS[2:]:
            yield level_row(name, level, places)
        yield grown(name)


if __name__ == "__main__":
    for row in rows():
        print(*row, sep="  ", file=sys.stdout)
