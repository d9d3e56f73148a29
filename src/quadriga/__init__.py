"""Quadriga: the race games of antiquity, exact, fair and fast.

>>> import random, quadriga
>>> match = quadriga.new("ave-caesar", seed=7)
>>> while not match.over:
...     _ = match.push(random.choice(match.legal()))
>>> len(match.scores)
3
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from quadriga.version import __version__

if TYPE_CHECKING:
    from quadriga.api import bot, dumps, list_bots, list_games, load, loads, new, save, simulate
    from quadriga.engine.errors import (
        ClusterError,
        FairnessError,
        FileError,
        IllegalActionError,
        MissingExtraError,
        NotOverError,
        OptionError,
        QuadrigaError,
        TraceError,
        UnknownGameError,
    )
    from quadriga.engine.match.entry import Action
    from quadriga.engine.match.match import Match
    from quadriga.lab.simulate import Simulation
    from quadriga.players.bot import Bot, NamedBot

__all__ = [
    "Action",
    "Bot",
    "ClusterError",
    "FairnessError",
    "FileError",
    "IllegalActionError",
    "Match",
    "MissingExtraError",
    "NamedBot",
    "NotOverError",
    "OptionError",
    "PlayerError",
    "QuadrigaError",
    "Simulation",
    "TraceError",
    "UnknownGameError",
    "__version__",
    "bot",
    "dumps",
    "list_bots",
    "list_games",
    "load",
    "loads",
    "new",
    "save",
    "simulate",
]

_MODULES = {
    "Action": "quadriga.engine.match.entry",
    "Bot": "quadriga.players.bot",
    "Match": "quadriga.engine.match.match",
    "NamedBot": "quadriga.players.bot",
    "Simulation": "quadriga.lab.simulate",
}


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that `import quadriga` is fast."""
    if name not in __all__:
        raise AttributeError(f"module 'quadriga' has no attribute {name!r}")
    import importlib

    usual = "quadriga.engine.errors" if name.endswith("Error") else "quadriga.api"
    return getattr(importlib.import_module(_MODULES.get(name, usual)), name)


def __dir__() -> list[str]:
    return list(__all__)
