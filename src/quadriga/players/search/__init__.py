"""The search player: it evaluates actions by playouts in determinizations of its information set, or by expectimax.

`search:500` is 500 playouts a decision, the same for the same seed. `search:2s` is two seconds a decision.

`think` chooses the kind of search: `tree`, `pairs` or `expect`. `playout` plays on by rules of thumb, and `judge`
measures one action. `parameters` reads what
a player is told, `search_slots` has the slots that a game may fill, and `workspace` the arrays that all share.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import cache
from typing import cast

import numpy as np
import numpy.typing as npt

from quadriga.engine.errors import FileError
from quadriga.engine.game import Game
from quadriga.engine.kernels.compiler import Report, Request, compile_all
from quadriga.engine.kernels.kernel import Function, Ints
from quadriga.engine.kernels.link import plain
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.kernels.struct import Struct, Structured
from quadriga.engine.match.dice import STREAMS
from quadriga.engine.match.match import Match
from quadriga.engine.parts.bots import Search as Settings
from quadriga.engine.parts.bots import SearchKind
from quadriga.engine.text.catalogues import preferred
from quadriga.players.analysis import Considered, How
from quadriga.players.greedy import plain_rules
from quadriga.players.perspective import Perspective, chosen_text
from quadriga.players.search import search_slots
from quadriga.players.search.expect import WON
from quadriga.players.search.judge import judge
from quadriga.players.search.pairs import by_pairs
from quadriga.players.search.parameters import MOST_PLAYOUTS, budget, temper_of, uses_network
from quadriga.players.search.playout import ONE
from quadriga.players.search.think import by_expectation, by_tree, think
from quadriga.players.search.tree import ACTION, FIRST, NEXT, VALUE, VISITS, choice, clear, grow
from quadriga.players.search.workspace import SearchWorkspace, allocate

_LOGGER = logging.getLogger("quadriga.players")
LARGEST = 2**62 - 1
_TIMED_NODES = 1 << 18  # nodes in the tree of a player that thinks by the clock
_PLAYOUTS_EACH = 400  # playouts for the chance of an action to which expectimax gives none
_TREE_CHUNK = 1_000  # playouts of a long tree search between two chances to interrupt it
_CHUNK = 32  # playouts between two looks at the clock


KINDS: dict[SearchKind, Function] = {"tree": by_tree, "pairs": by_pairs, "expectimax": by_expectation}
"""The kernel of each kind of search."""

_DEFAULTS: dict[str, Function] = {
    "chapter": search_slots.one_chapter,
    "appraise": search_slots.as_scored,
    "enough": search_slots.any_lead,
    "shortlist": search_slots.all_of_them,
    "building": search_slots.never_building,
    "unsearched": search_slots.never_unsearched,
    "evaluate": search_slots.unknown,
}


@cache
def bindings(game: Game) -> dict[object, object]:
    """Return the kernel of each slot of the search for a game: its own, or the default."""
    settings = (None if game.bots is None else game.bots.search) or Settings()
    kernels = {
        getattr(search_slots, each): getattr(settings, each) or default for each, default in _DEFAULTS.items()
    }
    return {think: KINDS[settings.kind], **kernels}


def no_network() -> npt.NDArray[np.int64]:
    """Return the row that stands for no network."""
    return np.zeros(1, np.int64)


def knowledge(game: Game, t: Struct) -> npt.NDArray[np.int64]:
    """Return a copy of the row of the network for games with these tables, with its scratch space."""
    network = None if game.bots is None else game.bots.network
    return no_network() if network is None else network.numbers(t).copy()


@cache
def _is_unsearched(game: Game) -> Callable[[Struct, Struct], bool]:
    """Return a function that says as plain Python whether a decision is left to the rules of thumb."""
    if bindings(game)[search_slots.unsearched] is search_slots.never_unsearched:
        return lambda t, s: False
    return plain(search_slots.unsearched, bindings(game))


@cache
def machine(game: Game) -> Machine:
    """Return a machine with the slots of the search bound for a game.

    A search determinizes only the position that it is given, so later positions need no notes of what seats know.
    """
    return Machine(game, bindings=bindings(game), knowledge=False)


def entry_points(game: Game) -> list[Request]:
    """Return the entry points that `decide` and `consider` compile."""
    entries: list[Function] = [think, judge]
    if bindings(game)[think] is by_tree:
        entries += [grow, clear, choice]  # for players that think by the clock
    return [Request(entry, machine(game).bindings) for entry in entries]


def is_ready(game: Game) -> bool:
    """Return whether a player need not wait for a compiler: everything is compiled, or there is no compiler."""
    return machine(game).is_ready(think, judge)


def prepare(game: Game, report: Report | None = None) -> None:
    """Compile everything that `decide` and `consider` need, before a player has to wait for it."""
    if machine(game).compiled:
        compile_all(entry_points(game), report=report)
        for entry in (think, judge):
            machine(game).link(entry)


Row = tuple[int, float, How, int]
"""An action, its value for the seat to decide, the method, and the number of playouts."""


def _look_up(observed: Perspective, s: Struct) -> tuple[int, list[Row]] | None:
    """Return the best move and the exact values of all moves; None if no tables on disk hold the position."""
    if not observed.game.is_solvable:
        return None
    from quadriga.players import exact

    try:
        found = exact.best(observed.tables, s)
    except FileError as fault:  # the game continues without its tables
        _log_once(FileError("table.passed", reason=fault).text(preferred()))
        return None
    return None if found is None else (found[0], [(each, worth, "exact", 0) for each, worth in found[1].items()])


@cache
def _log_once(sentence: str) -> None:
    """Log a warning, once."""
    _LOGGER.warning(sentence)


class SearchPlayer:
    """Decides by search. Deterministic per seed, game and move if the budget is a number of playouts."""

    def __init__(self, game: Game, parameters: str = "", seed: int = 0, number: int = 0) -> None:
        self.playouts, self.seconds = budget(parameters)
        self.learned = uses_network(parameters)
        self.temper = temper_of(game, parameters)
        self.tables = True  # whether it looks positions up in tables on disk
        self.seed = seed
        self.stream = number * STREAMS + STREAMS // 2

    def decide(self, observed: Perspective) -> str:
        """Return the action that the search finds. Rules of thumb choose the other pieces of a compound action."""
        return self._decide(observed)[0]

    def consider(self, observed: Perspective) -> list[Considered]:
        """Return the analysis of the action that `decide` takes, then of the other searched actions, best first."""
        text, chosen, rows = self._decide(observed, asked=True)
        first = [Considered(text, *row[1:]) for row in rows if row[0] == chosen]
        world = observed.world(self._rng(observed))
        rest = [
            Considered(observed.game.notation.text(observed.tables, world, row[0]), *row[1:])
            for row in rows
            if row[0] != chosen
        ]
        return [*first, *sorted(rest, key=lambda each: (-each.chance, -each.tries, each.text))] if first else []

    def _rng(self, observed: Perspective) -> Rng:
        rng = Rng()
        start(rng, self.seed, self.stream + observed.moment)
        return rng

    def _decide(self, observed: Perspective, asked: bool = False) -> tuple[str, int, list[Row]]:
        """Return the text of the action, its first piece and, if asked for, the value of every action."""
        rng = self._rng(observed)
        apply = plain_rules(observed.game)
        chosen = -1
        rows: list[Row] = []

        def choose(s: Struct, out: Ints, n: int) -> int:
            nonlocal chosen, rows
            if chosen >= 0:
                return int(apply(observed.tables, s, rng, out, n, self.temper))
            if n == 1 and not asked:
                chosen = out[0]
                return chosen
            if _is_unsearched(observed.game)(observed.tables, s):
                rows = self._search(observed, s, asked)[1] if asked else []
                chosen = int(apply(observed.tables, s, rng, out, n, self.temper))
                return chosen
            known = _look_up(observed, s) if self.tables else None
            chosen, rows = self._search(observed, s, asked) if known is None else known
            return chosen

        return chosen_text(observed, observed.world(self._rng(observed)), choose), chosen, rows

    def _search(self, observed: Perspective, world: Struct, asked: bool) -> tuple[int, list[Row]]:
        room = max(self.playouts, _TIMED_NODES if self.seconds else 0)
        search = Search(
            observed.game, observed.tables, observed.seats, room, learned=self.learned, temper=self.temper
        )
        # Playouts use the streams of a separate seed.
        seed = self.seed * STREAMS + self.stream + observed.moment & LARGEST
        if self.playouts:
            found = search.think(world, seed, self.playouts)
        else:
            found = search.think_for(world, seed, self.seconds)
        return found, search.analysis(world, seed) if asked else []


def tree_choice(match: Match, seed: int, playouts: int) -> str:
    """Return the action that a tree search finds, whatever kind of search the game's player uses."""
    search = Search(match.game, match.t, match.seats, playouts)
    return match.game.notation.text(match.t, match.s, search.grow_tree(match.s, seed, playouts))


class Search:
    """A workspace for one set of tables, and the linked code that works in it."""

    def __init__(
        self, game: Game, tables: Struct, seats: int, playouts: int, *, learned: bool = True, temper: int = 0
    ) -> None:
        self.machine = machine(game)
        self.t, self.seats = tables, seats
        self._known = knowledge(game, tables) if learned else no_network()
        self._work: SearchWorkspace = allocate(self.machine, tables.array(), seats, playouts, self._known)
        np.asarray(self._work.manner)[0] = temper
        self._root: Structured = cast("Structured", self._work.root)
        self._tree, self._path = np.asarray(self._work.tree), np.asarray(self._work.path)

    def think(self, world: Struct, seed: int, playouts: int) -> int:
        """Return the action that this many playouts find."""
        self._root[:] = world.array()
        return int(self.machine.link(think)(self._work, seed, playouts))

    def think_for(self, world: Struct, seed: int, seconds: float) -> int:
        """Return the action that is found in this many seconds."""
        began, done = time.monotonic(), 0
        if self.machine.bindings[think] is not by_tree:
            playouts, found = 1, self.think(world, seed, 1)
            while time.monotonic() - began < seconds / 3 and playouts < MOST_PLAYOUTS:
                playouts *= 2
                found = self.think(world, seed, playouts)
            return found
        run = self.machine.link(grow)
        self._root[:] = world.array()
        self.machine.link(clear)(self._tree)
        while time.monotonic() - began < seconds and done + _CHUNK < _TIMED_NODES:
            run(self._work, seed, done, _CHUNK)
            done += _CHUNK
        found = int(self.machine.link(choice)(self._tree))
        return found if found >= 0 else self.think(world, seed, 1)

    def grow_tree(self, world: Struct, seed: int, playouts: int) -> int:
        """Return the action that a tree of this many playouts finds. There must be a choice."""
        self._root[:] = world.array()
        self.machine.link(clear)(self._tree)
        run = self.machine.link(grow)
        for done in range(0, playouts, _TREE_CHUNK):
            run(self._work, seed, done, min(_TREE_CHUNK, playouts - done))
        return int(self.machine.link(choice)(self._tree))

    def analysis(self, world: Struct, seed: int) -> list[Row]:
        """Return the result of the last search for every action: by tree, by expectimax, or by playouts of each."""
        if self.machine.bindings[think] in (by_tree, by_pairs):
            return self._children()
        game, out = self.machine.game, self.machine.game.rules.scratch()[0].data
        seat, n = game.rules.actor(self.t, world), game.rules.legal(self.t, world, out)
        if not self._known[0]:  # steps are no win probability
            return [
                (each, self._judge(world, seed, seat, each), "playouts", _PLAYOUTS_EACH)
                for each in out[:n].tolist()
            ]
        sign = 1 if seat == 0 else -1
        pairs = zip(self._path[0, :n].tolist(), self._path[1, :n].tolist(), strict=True)
        return [(each, min(max((sign * value / WON + 1) / 2, 0.0), 1.0), "searched", 0) for each, value in pairs]

    def _children(self) -> list[Row]:
        """Return the actions that were tried from the root of the tree."""
        tree = self._tree
        rows: list[Row] = []
        child = int(tree[FIRST, 0])
        while child:
            tries = int(tree[VISITS, child])
            if tries:
                rows.append((int(tree[ACTION, child]), int(tree[VALUE, child]) / (tries * ONE), "playouts", tries))
            child = int(tree[NEXT, child])
        return rows

    def _judge(self, world: Struct, seed: int, seat: int, action: int) -> float:
        """Return the seat's share of the result after an action, with the same dice for all actions."""
        totals = np.zeros(self.seats, np.int64)
        self._root[:] = world.array()
        actions = np.array([action], np.int64)
        self.machine.link(judge)(self._work, seed, 0, _PLAYOUTS_EACH, seat, actions, 1, totals)
        return int(totals[seat]) / (_PLAYOUTS_EACH * ONE)
