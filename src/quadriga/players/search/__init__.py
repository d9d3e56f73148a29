"""The searcher: plays the position on many times in worlds that fit what it knows, and does what wins most.

`search:500` is 500 playouts a decision, the same for the same seed; `search:2s` is two seconds a decision.
"""

from __future__ import annotations

import re
import time
from functools import cache

import numpy as np

from quadriga.engine.dice import STREAMS
from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.kernel import Function
from quadriga.engine.machine import Machine
from quadriga.engine.record import Record
from quadriga.engine.rng import Rng, start
from quadriga.engine.slots import advise
from quadriga.players.greedy import advice
from quadriga.players.perspective import Perspective, spoken
from quadriga.players.search import insight
from quadriga.players.search.tree import FIELDS, choice, grow, plant

PLAYOUTS = 500
MOST = 1_000_000
LONGEST = 600  # seconds
_DEEPEST = 64
_CHUNK = 32  # playouts between two looks at the clock
_FORM = f"1..{MOST} | 0.01s..{LONGEST}s"


@cache
def filling(game: Game) -> dict[object, object]:
    """What a searcher puts into its slots for a game."""
    kernels: dict[object, Function] = {
        insight.chapter: insight.one_chapter,
        insight.appraise: insight.as_scored,
        insight.shortlist: insight.all_of_them,
        insight.building: insight.never_building,
    }
    if game.id == "ave-caesar":
        from quadriga.players.greedy import avecaesar

        kernels[insight.chapter] = avecaesar.chapter
    elif game.id == "ben-hvrt":
        from quadriga.players.greedy.benhvrt import foresight

        for name in ("chapter", "appraise", "shortlist", "building"):
            kernels[getattr(insight, name)] = getattr(foresight, name)
    return {advise: advice(game).kernel, **kernels}


@cache
def machine(game: Game) -> Machine:
    """Linked for a game with all that a searcher needs."""
    return Machine(game, filling=filling(game))


def budget(text: str) -> tuple[int, float]:
    """Playouts and seconds of `500` or `2s`; one of the two is 0."""
    found = re.fullmatch(r"(\d[\d_]{0,9})|(\d{1,3}(?:\.\d{1,3})?)s", text or str(PLAYOUTS), re.ASCII)
    playouts = int(found[1]) if found and found[1] else 0
    seconds = float(found[2]) if found and found[2] else 0.0
    if not (1 <= playouts <= MOST or 0.01 <= seconds <= LONGEST):
        raise OptionError("player.parameter", name="search", value=text, allowed=_FORM)
    return playouts, seconds


class SearchPlayer:
    """Decides by playouts; by number of them the same seed, game and moment decide the same."""

    def __init__(self, game: Game, parameters: str = "", seed: int = 0, number: int = 0) -> None:
        self.playouts, self.seconds = budget(parameters)
        self.seed = seed
        self.stream = number * STREAMS + STREAMS // 2
        self._size = self.playouts + 1 if self.playouts else 1 << 16

    def decide(self, eyes: Perspective) -> str:
        """The action that was taken most; what it is put together from comes by rules of thumb."""
        game, t = eyes.game, eyes.tables
        rng = Rng()
        start(rng, self.seed, self.stream + eyes.moment)
        world = eyes.world(rng)
        out = game.scratch()[0].data
        n = game.legal(t, world, out)
        first = self.best(eyes, world) if n > 1 else out[0]
        from quadriga.players.greedy import rules

        apply = rules(game)
        pieces: list[int] = []

        def choose(s: Record, out: object, n: int) -> int:
            pieces.append(0)
            return first if len(pieces) == 1 else int(apply(t, s, rng, out, n, 0))

        return spoken(eyes, world, choose)

    def best(self, eyes: Perspective, world: Record) -> int:
        """Search from a world of the seat that is to decide."""
        game = eyes.game
        linked = machine(game)
        tree = np.zeros((FIELDS, self._size), np.int64)
        path = np.zeros((2, _DEEPEST), np.int64)
        points, won = np.zeros(eyes.seats, np.int64), np.zeros(eyes.seats, np.int64)
        run = linked.link(grow)
        linked.link(plant)(tree)
        tables, origin = eyes.tables.array(), world.copy().array()
        work, rngs = linked.states(1), np.zeros(1, Rng.dtype)
        seed = self.seed + self.stream + eyes.moment  # playouts are the streams of a seed of their own
        done, began = 0, time.monotonic()
        while done < self.playouts or (self.seconds and time.monotonic() - began < self.seconds):
            count = min(_CHUNK, self.playouts - done) if self.playouts else _CHUNK
            run(tables, origin, 0, work, 0, rngs, 0, seed, done, count, tree, path, *game.scratch(), points, won)
            done += count
        return int(linked.link(choice)(tree))
