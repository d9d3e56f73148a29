"""Training: the functions of `quadriga train`, which a game brings for its network, or which train its values."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

import msgspec

from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.kernels.compiler import Report, Request
from quadriga.games import find, ids
from quadriga.lab.evolution.evolution import ValueTraining
from quadriga.lab.executors.chunks import Executor


class Training(Protocol):
    """The module that `Network.training` names, or the training of a game's values."""

    RULES: tuple[str, ...]  # the rule sets that have a network of their own, the usual one first
    GAMES: int  # that are played, unless told otherwise,
    ROUNDS: int  # ... and in how many rounds

    def file_name(self, rules: str) -> str:
        """Return the usual name of a file with what was trained for a rule set."""
        ...

    def checkpoint_path(self, out: str) -> Path:
        """Return the file in which an interrupted training is kept."""
        ...

    def train(
        self,
        *,
        games: int,
        rounds: int,
        seed: int = 1,
        rules: str,
        path: Path | None = None,
        executor: Executor | None = None,
        progress: Callable[[int, int], None] | None = None,
        report: Report | None = None,
    ) -> msgspec.Struct:
        """Train in rounds of self-play and learning; return the content of the file.

        Raises OptionError if there is no such rule set.
        With a path, save checkpoints there and continue from them.
        """
        ...

    def entry_points(self) -> list[Request]:
        """Return the entry points that training compiles."""
        ...


def find_training(game: Game) -> Training | None:
    """Return the functions that train a game's network or its values; None if it has neither."""
    bots = game.bots
    if bots is None:
        return None
    if bots.network is not None and bots.network.training is not None:
        return cast("Training", import_module(bots.network.training))
    return None if bots.values is None else ValueTraining(game, bots.values)


def training(game: Game) -> Training:
    """Return the functions that train a game. Raises OptionError if there are none."""
    found = find_training(game)
    if found is None:
        raise OptionError("train.game", game=game.id, known=[each for each in ids() if find_training(find(each))])
    return found
