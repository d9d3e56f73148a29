"""Whole random games of any game, as a work to measure."""

from __future__ import annotations

import numpy as np

from measure import Work
from quadriga.engine.kernels import random_games
from quadriga.engine.kernels.machine import Machine
from quadriga.games import find


def playouts(id: str, options: dict[str, object], seats: int, games: int, compiled: bool = True) -> Work:
    """Return the work of random games in chunks, each chunk with new game numbers."""
    game = find(id)
    machine = Machine(game, compiled=compiled, knowledge=False)
    play, workspace = (
        machine.link_bulk(random_games.measure),
        random_games.allocate(machine, *game.resolve_options(options, seats)),
    )
    rows = np.zeros((games, 2 + len(game.tallies) + seats), np.int64)
    first = 0

    def run() -> int:
        nonlocal first
        play(workspace, 1, first, games, rows)
        first += games
        return games

    return run
