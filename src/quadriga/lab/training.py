"""Training: the functions of `quadriga train`, which a game brings for its network."""

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
from quadriga.lab.executors.chunks import Executor


class Training(Protocol):
    """The module that `Network.training` names."""

    RULES: tuple[str, ...]  # the rule sets that have a network of their own, the usual one first

    def file_name(self, rules: str) -> str:
        """Return the usual name of a file with the network of a rule set."""
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
        """Train the network of a rule set in rounds of self-play and learning; return the content of its file.

        Raises OptionError if there is no such rule set.
        With a path, save checkpoints there and continue from them.
        """
        ...

    def entry_points(self) -> list[Request]:
        """Return the entry points that training compiles."""
        ...


def find_training(game: Game) -> Training | None:
    """Return the functions that train a game's network; None if it has none that can be trained."""
    network = None if game.bots is None else game.bots.network
    if network is None or network.training is None:
        return None
    return cast("Training", import_module(network.training))


def training(game: Game) -> Training:
    """Return the functions that train a game's network. Raises OptionError if it has none."""
    found = find_training(game)
    if found is None:
        raise OptionError("train.game", game=game.id, known=[each for each in ids() if find_training(find(each))])
    return found
