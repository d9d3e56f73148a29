"""The searcher: plays the position on many times in worlds that fit what it knows, and does what wins most.

`search:500` is 500 playouts a decision, the same for the same seed; `search:2s` is two seconds a decision.
"""

from __future__ import annotations

import re
import time
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from quadriga.engine.dice import STREAMS
from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.kernel import Function, Ints
from quadriga.engine.machine import Machine
from quadriga.engine.record import Record
from quadriga.engine.rng import Rng, start
from quadriga.engine.slots import advise
from quadriga.players.greedy import advice, rules
from quadriga.players.learned import nothing, own
from quadriga.players.perspective import Perspective, spoken
from quadriga.players.search import insight
from quadriga.players.search.think import POSITIONS, ROOM, ROWS, WAYS, by_expectation, by_tree, think
from quadriga.players.search.tree import FIELDS, choice, grow, plant

PLAYOUTS = 500
MOST = 1_000_000
LONGEST = 600  # seconds
LARGEST = 2**62 - 1
_TREE = 1 << 18  # decisions in the tree of somebody who thinks by the clock
_CHUNK = 32  # playouts between two looks at the clock
_NO_NET = "+no-net"
_FORM = f"1..{MOST} | 0.01s..{LONGEST}s, each also with {_NO_NET}"


@cache
def filling(game: Game) -> dict[object, object]:
    """What a searcher puts into its slots for a game."""
    kernels: dict[object, Function] = {
        insight.chapter: insight.one_chapter,
        insight.appraise: insight.as_scored,
        insight.enough: insight.any_lead,
        insight.shortlist: insight.all_of_them,
        insight.building: insight.never_building,
        insight.evaluate: insight.unknown,
        think: by_tree,
    }
    if game.id == "ur":
        from quadriga.players.learned import network

        kernels[insight.evaluate] = network.evaluate
        kernels[think] = by_expectation
    if game.id == "ave-caesar":
        from quadriga.players.greedy import avecaesar

        kernels[insight.chapter] = avecaesar.chapter
        kernels[insight.enough] = avecaesar.enough
    elif game.id == "ben-hvrt":
        from quadriga.players.greedy.benhvrt import foresight

        for name in ("chapter", "appraise", "enough", "shortlist", "building"):
            kernels[getattr(insight, name)] = getattr(foresight, name)
    return {advise: advice(game).kernel, **kernels}


def knowledge(game: Game) -> npt.NDArray[np.int64]:
    """What a searcher has learned of a game, for its own use: the evaluation works in it."""
    return own().copy() if game.id == "ur" else nothing()


@cache
def machine(game: Game) -> Machine:
    """Linked for a game with all that a searcher needs."""
    return Machine(game, filling=filling(game))


def learns(text: str) -> bool:
    """Whether a searcher uses what was learned: `500+no-net` does not."""
    return not text.endswith(_NO_NET)


def budget(text: str) -> tuple[int, float]:
    """Playouts and seconds of `500` or `2s`; one of the two is 0."""
    asked = text.removesuffix(_NO_NET)
    found = re.fullmatch(r"(\d[\d_]{0,9})|(\d{1,3}(?:\.\d{1,3})?)s", asked or str(PLAYOUTS), re.ASCII)
    playouts = int(found[1]) if found and found[1] else 0
    seconds = float(found[2]) if found and found[2] else 0.0
    if not (1 <= playouts <= MOST or 0.01 <= seconds <= LONGEST):
        raise OptionError("player.parameter", name="search", value=text, allowed=_FORM)
    return playouts, seconds


def _exactly(eyes: Perspective, s: Any) -> int | None:
    """The best move where tables on disk reach: Ur's endgames."""
    if eyes.game.id != "ur":
        return None
    from quadriga.players import exact

    found = exact.best(eyes.tables, s)
    return None if found is None else found[0]


class SearchPlayer:
    """Decides by playouts; by number of them the same seed, game and moment decide the same."""

    def __init__(self, game: Game, parameters: str = "", seed: int = 0, number: int = 0) -> None:
        self.playouts, self.seconds = budget(parameters)
        self.learned = learns(parameters)
        self.tables = True  # whether it looks positions up on disk
        self.seed = seed
        self.stream = number * STREAMS + STREAMS // 2

    def decide(self, eyes: Perspective) -> str:
        """What thinking finds; what it is put together from comes by rules of thumb."""
        dealer, rng = Rng(), Rng()
        start(dealer, self.seed, self.stream + eyes.moment)
        start(rng, self.seed, self.stream + eyes.moment)
        apply = rules(eyes.game)
        pieces = 0

        def choose(s: Record, out: Ints, n: int) -> int:
            nonlocal pieces
            pieces += 1
            if pieces > 1:
                return int(apply(eyes.tables, s, rng, out, n, 0))
            if n == 1:
                return out[0]
            known = _exactly(eyes, s) if self.tables else None
            return self._best(eyes, s) if known is None else known

        return spoken(eyes, eyes.world(dealer), choose)

    def _best(self, eyes: Perspective, world: Record) -> int:
        room = max(self.playouts, _TREE if self.seconds else 0)
        desk = Desk(eyes.game, eyes.seats, room, learned=self.learned)
        seed = (
            self.seed * STREAMS + self.stream + eyes.moment & LARGEST
        )  # playouts are streams of a seed of their own
        if self.playouts:
            return desk.think(eyes.tables, world, seed, self.playouts)
        return desk.think_for(eyes.tables, world, seed, self.seconds)


class Desk:
    """Room to think for one player, and the linked code."""

    def __init__(self, game: Game, seats: int, playouts: int, *, learned: bool = True) -> None:
        self.machine = machine(game)
        self._work, self._rngs = self.machine.states(POSITIONS), np.zeros(1, Rng.dtype)
        self._tree = np.zeros((FIELDS, max(playouts + 1, ROOM)), np.int64)
        self._path = np.zeros((ROWS, WAYS), np.int64)
        points, won = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
        self._lent = (self._tree, self._path, *game.scratch(), points, won)
        self._known = knowledge(game) if learned else nothing()

    def think(self, tables: Record, world: Record, seed: int, playouts: int) -> int:
        """The action that so many playouts find."""
        run = self.machine.link(think)
        origin = world.copy().array()
        place = (tables.array(), origin, 0, self._work, 0, self._rngs, 0)
        return int(run(*place, seed, playouts, *self._lent, self._known))

    def think_for(self, tables: Record, world: Record, seed: int, seconds: float) -> int:
        """The action that so many seconds find."""
        began, done = time.monotonic(), 0
        if self.machine.filling[think] is not by_tree:
            playouts, found = 1, self.think(tables, world, seed, 1)
            while time.monotonic() - began < seconds / 3 and playouts < MOST:
                playouts *= 2
                found = self.think(tables, world, seed, playouts)
            return found
        run, origin = self.machine.link(grow), world.copy().array()
        self.machine.link(plant)(self._tree)
        while time.monotonic() - began < seconds and done + _CHUNK < _TREE:
            run(tables.array(), origin, 0, self._work, 0, self._rngs, 0, seed, done, _CHUNK, *self._lent)
            done += _CHUNK
        found = int(self.machine.link(choice)(self._tree))
        return found if found >= 0 else self.think(tables, world, seed, 1)
