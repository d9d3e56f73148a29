"""The searcher: plays the position on many times in worlds that fit what it knows, and does what wins most.

`search:500` is 500 playouts a decision, the same for the same seed; `search:2s` is two seconds a decision.
"""

from __future__ import annotations

import logging
import re
import time
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from quadriga.engine.dice import STREAMS
from quadriga.engine.errors import FileError, OptionError
from quadriga.engine.game import Game
from quadriga.engine.kernel import Function, Ints
from quadriga.engine.machine import Machine
from quadriga.engine.record import Record
from quadriga.engine.rng import Rng, start
from quadriga.engine.slots import advise
from quadriga.engine.words import preferred
from quadriga.games.ur.state import BEN
from quadriga.players.considered import Considered, How
from quadriga.players.greedy import advice, rules
from quadriga.players.learned import nothing, own
from quadriga.players.perspective import Perspective, spoken
from quadriga.players.search import insight
from quadriga.players.search.expect import WON
from quadriga.players.search.judge import judge
from quadriga.players.search.pairs import by_pairs
from quadriga.players.search.think import POSITIONS, ROOM, ROWS, WAYS, by_expectation, by_tree, think
from quadriga.players.search.tree import ACTION, FIELDS, FIRST, NEXT, ONE, VALUE, VISITS, choice, grow, plant

_LOGGER = logging.getLogger("quadriga.players")
PLAYOUTS = 500
MOST = 1_000_000
LONGEST = 600  # seconds
LARGEST = 2**62 - 1
_TREE = 1 << 18  # decisions in the tree of somebody who thinks by the clock
_EACH = 400  # playouts for the chance of an action that looking ahead gives none of
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
        kernels[think] = by_pairs
    return {advise: advice(game).kernel, **kernels}


def knowledge(game: Game) -> npt.NDArray[np.int64]:
    """What a searcher has learned of a game, for its own use: the evaluation works in it."""
    return own().copy() if game.id == "ur" else nothing()


def judges_by_chance(game: Game, t: Any, known: npt.NDArray[np.int64]) -> bool:
    """Whether looking ahead adds up chances of winning: where a network judges; steps are no chances."""
    return game.id == "ur" and t.rules == BEN and bool(known[0])


@cache
def machine(game: Game) -> Machine:
    """Linked for a game with all that a searcher needs."""
    return Machine(game, bindings=filling(game))


def prepare(game: Game) -> None:
    """Compile all that deciding and considering need, so that nobody has to wait for it later."""
    for entry in (think, judge):
        machine(game).link(entry)


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


Row = tuple[int, float, How, int]
"""An action, what it is worth to who decides, how that is known, and from how many playouts."""


def _exactly(eyes: Perspective, s: Any) -> tuple[int, list[Row]] | None:
    """The best move and all others where tables on disk reach: Ur's endgames."""
    if eyes.game.id != "ur":
        return None
    from quadriga.players import exact

    try:
        found = exact.best(eyes.tables, s)
    except FileError as fault:  # a game goes on without its tables
        _tell(FileError("table.passed", reason=fault).text(preferred()))
        return None
    return None if found is None else (found[0], [(each, worth, "exact", 0) for each, worth in found[1].items()])


@cache
def _tell(sentence: str) -> None:
    """Log something once."""
    _LOGGER.warning(sentence)


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
        return self._thought(eyes)[0]

    def consider(self, eyes: Perspective) -> list[Considered]:
        """What `decide` takes, then all else that was looked at, the best first."""
        text, chosen, rows = self._thought(eyes, asked=True)
        first = [Considered(text, *row[1:]) for row in rows if row[0] == chosen]
        world = eyes.world(self._rng(eyes))
        rest = [
            Considered(eyes.game.text(eyes.tables, world, row[0]), *row[1:]) for row in rows if row[0] != chosen
        ]
        return [*first, *sorted(rest, key=lambda each: (-each.chance, -each.tries, each.text))] if first else []

    def _rng(self, eyes: Perspective) -> Rng:
        rng = Rng()
        start(rng, self.seed, self.stream + eyes.moment)
        return rng

    def _thought(self, eyes: Perspective, asked: bool = False) -> tuple[str, int, list[Row]]:
        """The text of what is done, its first piece, and, where it is asked for, all that was considered."""
        rng = self._rng(eyes)
        apply = rules(eyes.game)
        chosen = -1
        rows: list[Row] = []

        def choose(s: Record, out: Ints, n: int) -> int:
            nonlocal chosen, rows
            if chosen >= 0:
                return int(apply(eyes.tables, s, rng, out, n, 0))
            if n == 1 and not asked:
                chosen = out[0]
                return chosen
            known = _exactly(eyes, s) if self.tables else None
            chosen, rows = self._best(eyes, s, asked) if known is None else known
            return chosen

        return spoken(eyes, eyes.world(self._rng(eyes)), choose), chosen, rows

    def _best(self, eyes: Perspective, world: Record, asked: bool) -> tuple[int, list[Row]]:
        room = max(self.playouts, _TREE if self.seconds else 0)
        desk = Desk(eyes.game, eyes.seats, room, learned=self.learned)
        seed = (
            self.seed * STREAMS + self.stream + eyes.moment & LARGEST
        )  # playouts are streams of a seed of their own
        if self.playouts:
            found = desk.think(eyes.tables, world, seed, self.playouts)
        else:
            found = desk.think_for(eyes.tables, world, seed, self.seconds)
        return found, desk.considered(eyes.tables, world, seed) if asked else []


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
        if self.machine.bindings[think] is not by_tree:
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

    def considered(self, tables: Record, world: Record, seed: int) -> list[Row]:
        """What has just been thought of every action: by the tree, by looking ahead, or by playouts one by one."""
        if self.machine.bindings[think] in (by_tree, by_pairs):
            return self._grown()
        game, out = self.machine.game, self._lent[2].data
        seat, n = game.actor(tables, world), game.legal(tables, world, out)
        if not judges_by_chance(game, tables, self._known):
            actions = out[:n].tolist()
            return [(each, self._played_on(tables, world, seed, seat, each), "playouts", _EACH) for each in actions]
        sign = 1 if seat == 0 else -1
        pairs = zip(self._path[0, :n].tolist(), self._path[1, :n].tolist(), strict=True)
        return [(each, min(max((sign * value / WON + 1) / 2, 0.0), 1.0), "searched", 0) for each, value in pairs]

    def _grown(self) -> list[Row]:
        tree = self._tree
        rows: list[Row] = []
        child = int(tree[FIRST, 0])
        while child:
            tries = int(tree[VISITS, child])
            if tries:
                rows.append((int(tree[ACTION, child]), int(tree[VALUE, child]) / (tries * ONE), "playouts", tries))
            child = int(tree[NEXT, child])
        return rows

    def _played_on(self, tables: Record, world: Record, seed: int, seat: int, action: int) -> float:
        """The share of the result after an action, by rules of thumb, with the same dice for all actions."""
        totals = np.zeros(len(self._lent[4]), np.int64)
        place = (tables.array(), world.copy().array(), self._work, self._rngs, seed, _EACH, seat)
        self.machine.link(judge)(*place, np.array([action], np.int64), 1, *self._lent[2:], totals)
        return int(totals[seat]) / (_EACH * ONE)
