"""Quadriga: the race games of antiquity, exact, fair and fast.

>>> import quadriga
>>> match = quadriga.new("ur", seed=7)
>>> match.play(match.legal()[0])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from quadriga.version import __version__

if TYPE_CHECKING:
    from quadriga.api import dumps, load, loads, new, save, simulate
    from quadriga.engine.errors import QuadrigaError
    from quadriga.engine.match.match import Match

__all__ = [
    "Match",
    "QuadrigaError",
    "__version__",
    "dumps",
    "load",
    "loads",
    "new",
    "save",
    "simulate",
]

_MODULES = {"Match": "quadriga.engine.match.match", "QuadrigaError": "quadriga.engine.errors"}


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that `import quadriga` is fast."""
    if name not in __all__:
        raise AttributeError(f"module 'quadriga' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_MODULES.get(name, "quadriga.api")), name)


def __dir__() -> list[str]:
    return list(__all__)
