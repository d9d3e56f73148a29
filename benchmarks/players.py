"""Players: how fast they think."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from measure import Row, Work, one_core, rate, rates
from quadriga.engine.dice import SeededDice
from quadriga.engine.match import Match
from quadriga.engine.rng import Rng
from quadriga.games import find
from quadriga.lab.solve import Layer, solve
from quadriga.players.contest import GREEDY, Bot, Pit
from quadriga.players.exact import tables
from quadriga.players.search import Desk, machine
from quadriga.players.search.judge import NOTHING, judge
from quadriga.players.search.tree import grow, plant

TITLE = "Players"
ABOUT = """Search by playouts against the same playouts without a tree: from the first decision of a game to the
end of its race, by rules of thumb, every playout in a world that is dealt anew.
Greedy games are whole ones. One core."""

SETUPS = {"ave-caesar": ({}, 4), "ben-hvrt": ({}, 4)}


def inside(id: str, count: int = 64) -> tuple[Work, Work]:
    """Playouts inside search, and bare ones from the same position."""
    options, seats = SETUPS[id]
    game = find(id)
    match = Match(game, options, seats, SeededDice(1))
    linked = machine(game)
    grown, judged, planted = linked.link(grow), linked.link(judge), linked.link(plant)
    tree, path = np.zeros((6, 1 << 16), np.int64), np.zeros((3, 1024), np.int64)
    work, rngs = linked.states(1), np.zeros(1, Rng.dtype)
    points, won, totals = (np.zeros(seats, np.int64) for _ in range(3))
    t, s, lent = match.t.array(), match.s.array(), (*game.scratch(), points, won)
    planted(tree)
    done = 0

    def search() -> int:
        nonlocal done
        if done + count >= tree.shape[1]:
            planted(tree)
            done = 0
        grown(t, s, 0, work, 0, rngs, 0, 1, done, count, tree, path, *lent)
        done += count
        return count

    def bare() -> int:
        judged(t, s, work, rngs, 1, count, match.actor, NOTHING, *lent, totals)
        return count

    return search, bare


def greedy(id: str, seats: int) -> Work:
    """Whole games by rules of thumb."""
    pit = Pit(find(id), *find(id).settle({}, seats))
    first = 0

    def run() -> int:
        nonlocal first
        pit.play([Bot(GREEDY, 0, 0)] * seats, 1, first, 64)
        first += 64
        return 64

    return run


def rows() -> Iterator[Row]:
    """The section's figures."""
    one_core()
    for name in SETUPS:
        fast, bare = rates(*inside(name), rounds=3)
        yield Row(
            f"{name}: playouts inside search, against bare ones",
            f"{fast:,.0f} /s",
            f"{bare:,.0f} /s",
            f"{fast / bare:.2f}",
        )
    for name, seats in (("ur", 2), ("ave-caesar", 4), ("ben-hvrt", 4)):
        yield Row(f"{name}: greedy games", f"{rate(greedy(name, seats), 2.0):,.0f} /s")
    game = find("ur")
    match = Match(game, {}, 2, SeededDice(1))
    desk = Desk(game, 2, 1)
    yield Row(
        "ur: decisions of search:100", f"{rate(lambda: desk.think(match.t, match.s, 1, 100) >= 0, 2.0):,.0f} /s"
    )
    yield Row("ur: positions swept by the solver (ben, 2 markers)", f"{rate(swept(), 2.0):,.0f} /s")


def swept() -> Work:
    """One sweep of a layer of the solver."""
    from concurrent.futures import ThreadPoolExecutor
    from pathlib import Path
    from tempfile import mkdtemp

    where = Path(mkdtemp())
    solve("ben", 1, workers=1, where=where)
    solve("ben", 2, workers=1, where=where)
    layer, pool = Layer("ben", 2, 2, where), ThreadPoolExecutor(1)

    def run() -> int:
        layer.swept(pool)
        return tables.size("ben", 2, 2)

    return run


if __name__ == "__main__":
    for row in rows():
        print(*row, sep="  ", file=sys.stdout)
