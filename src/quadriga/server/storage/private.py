"""Keep the files of a store to their owner: they hold the keys that sign tokens and the seeds of running games.

SQLite gives its write-ahead log and its index the permissions of the store itself.
"""

from __future__ import annotations

import os
import shlex
import stat
from contextlib import suppress
from pathlib import Path

from quadriga.engine.text.catalogues import Words

MODE = 0o600
_SUFFIXES = ("", "-wal", "-shm", "-journal", ".numbers")
_OTHERS = stat.S_IRGRP | stat.S_IWGRP | stat.S_IROTH | stat.S_IWOTH


def beside(store: Path, suffix: str) -> Path:
    """Return the path of a store's companion file with a suffix, beside the target of a link, as SQLite has it."""
    real = store.resolve()
    return real.with_name(real.name + suffix)


def create(path: Path) -> None:
    """Create an empty file for its owner alone, unless it exists.

    A file that exists is not opened: closing it would drop the locks that SQLite holds on it in this process.
    """
    with suppress(FileExistsError):
        os.close(os.open(path.resolve(), os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE))


def write(path: Path, content: bytes) -> None:
    """Write a file for its owner alone."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE), "wb") as file:
        file.write(content)


def exposed(store: Path) -> list[Path]:
    """Return the files of a store that others than their owner may read or write. Windows has no such bits."""
    if os.name == "nt":
        return []
    found = []
    for suffix in _SUFFIXES:
        path = beside(store, suffix)
        with suppress(OSError):
            if path.stat().st_mode & _OTHERS:
                found.append(path)
    return found


def warning(store: Path | str, say: Words) -> str:
    """Return a sentence about the files of a store that are open to others; empty if none is."""
    found = exposed(store) if isinstance(store, Path) else []
    return say("table.exposed", files=shlex.join(map(str, found))) if found else ""
