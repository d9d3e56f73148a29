"""Bots in files: `careful.py:Careful`, or `careful.py:Careful:PARAMETERS`.

A file is loaded only for somebody who may run code on this machine: the command line, the Python API and the jobs
that these start. Names in messages to a server and in saved games load nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from importlib import util
from pathlib import Path
from typing import Any

from quadriga.engine.errors import PlayerError
from quadriga.engine.game import Game
from quadriga.players.foreign import make, place_of, reason_of
from quadriga.players.perspective import Player

_NAME = re.compile(r"(?P<path>.+\.py):(?P<attribute>[^\W\d]\w*)(?::(?P<parameters>.*))?")
_admitted: dict[str, Callable[[Game, str, int, int], Player]] = {}


def split(text: str) -> tuple[str, str]:
    """Return the name and the parameters of a player: of `search:500`, or of `careful.py:Careful:500`."""
    found = _NAME.fullmatch(text)
    if found is None:
        name, _, parameters = text.partition(":")
        return name, parameters
    return f"{found['path']}:{found['attribute']}", found["parameters"] or ""


def admit(text: str) -> None:
    """Load the file of a player, if its name is that of one, so that it can be found. Raises PlayerError."""
    found = _NAME.fullmatch(text)
    if found is not None:
        name = split(text)[0]
        if name not in _admitted:
            _admitted[name] = partial(make, name, _load(name, Path(found["path"]), found["attribute"]))


def admitted(name: str) -> Callable[[Game, str, int, int], Player] | None:
    """Return the factory of a file that was admitted, or None."""
    return _admitted.get(name)


def _load(name: str, path: Path, attribute: str) -> Callable[..., Any]:
    """Run a file and return what it calls `attribute`."""
    if not path.is_file():
        raise PlayerError("player.file", name=name, path=str(path))
    spec = util.spec_from_file_location(f"quadriga_player_{path.stem}", path.resolve())
    assert spec is not None  # the name ends with .py
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as fault:
        raise PlayerError("player.load", name=name, place=place_of(fault), reason=reason_of(fault)) from fault
    if not callable(found := getattr(module, attribute, None)):
        known = [each for each in vars(module) if callable(getattr(module, each)) and not each.startswith("_")]
        raise PlayerError("player.attribute", path=str(path), wrong=attribute, known=known)
    factory: Callable[..., Any] = found
    return factory
