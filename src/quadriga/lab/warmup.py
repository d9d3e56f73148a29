"""Everything that the commands compile, so that it can be compiled once and in advance."""

from __future__ import annotations

from quadriga.engine.game import Game
from quadriga.engine.kernels.compiler import Report, Request, compile_all
from quadriga.engine.kernels.machine import Machine
from quadriga.engine.kernels.random_games import measure
from quadriga.engine.kernels.single_env import find_legal, step_and_find
from quadriga.games import find
from quadriga.lab.solver import layer
from quadriga.lab.study.counted_games import bound_slots, play_counted
from quadriga.lab.training import find_training
from quadriga.players import search
from quadriga.players.compiled_match import contest


def entry_points(game: Game) -> list[Request]:
    """Return the entry points that simulations, bots, reviews, arenas and the server compile for a game."""
    own, quick = Machine(game).bindings, Machine(game, knowledge=False).bindings
    found = [
        Request(measure, quick, is_object=True),
        *(Request(entry, own) for entry in (step_and_find, find_legal)),
    ]
    found += [*search.entry_points(game), Request(contest, {**own, **search.bindings(game)})]
    for searches in (False, True):
        bound = bound_slots(game, searches=searches)
        found.append(Request(play_counted, {**own, **bound}))
    if game.is_solvable:
        found += layer.entry_points()
    if (training := find_training(game)) is not None:
        found += training.entry_points()
    return found


def warm_up(games: list[str], report: Report | None = None) -> int:
    """Compile all that is missing for some games, at once on all cores; return the number of entry points."""
    requests = [each for game in games for each in entry_points(find(game))]
    compile_all(requests, report=report)
    return len(requests)
