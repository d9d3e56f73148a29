"""The user's own folders on this system, for caches and for data."""

from __future__ import annotations

import os
from pathlib import Path

from quadriga.engine.errors import FileError

_NAME = "quadriga"


def cache_folder() -> Path:
    """Return the folder for content that can be made again: `QUADRIGA_CACHE`, or else the system's."""
    if own := os.environ.get("QUADRIGA_CACHE"):
        return Path(own)
    return _system_folder("cache")


def data_path(name: str, variable: str = "") -> Path:
    """Return the path of user data: the value of the environment variable, else `name` in the system's folder.

    Versions up to 0.2 used `~/.local/share` on every system. A file that exists only there is still used.
    """
    if own := os.environ.get(variable):
        return Path(own)
    path, earlier = _system_folder("data") / name, _earlier_data_folder() / name
    return earlier if earlier.exists() and not path.exists() else path


def _system_folder(kind: str) -> Path:
    import platformdirs  # loads slowly

    find = platformdirs.user_cache_path if kind == "cache" else platformdirs.user_data_path
    try:
        found = find(_NAME, appauthor=False)
    except RuntimeError:  # the user has no home
        found = Path()
    if not found.is_absolute():
        raise FileError("file.home")
    return found


def _earlier_data_folder() -> Path:
    home = os.path.expanduser("~/.local/share")  # noqa: PTH111  # a Path would fail without a home
    return Path(os.environ.get("XDG_DATA_HOME") or home) / _NAME
