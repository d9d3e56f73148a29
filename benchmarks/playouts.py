"""Whole random games of any game, as work to be measured."""

from __future__ import annotations

import numpy as np

from measure import Work
from quadriga.engine import drivers
from quadriga.engine.machine import Machine
from quadriga.engine.rng import Rng
from quadriga.games import find


def playouts(id: str, options: dict[str, object], seats: int, games: int, compiled: bool = True) -> Work:
    """Random games in chunks, each chunk with new numbers."""
    game = find(id)
    machine = Machine(game, compiled=compiled)
    t, s = machine.records(*game.settle(options, seats))
    play, work, rng = machine.link(drivers.playouts), machine.states(1), np.zeros(1, Rng.dtype)
    points, totals = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    first = 0

    def run() -> int:
        nonlocal first
        play(t, s, work, rng, 1, first, games, *game.scratch(), points, totals)
        first += games
        return games

    return run
