"""Keep a store's file to one process. The lock ends with the process, however that ends.

The lock is on a file of its own. SQLite locks the store itself, and the system drops those locks as soon as this
process closes the store anywhere. Within a process all holders share the lock.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from quadriga.engine import files
from quadriga.server.storage import private
from quadriga.server.storage.opening import refused

_guard = threading.Lock()
_held: dict[Path, tuple[int, int]] = {}  # by lock: the open file, and the number of holders in this process


@contextmanager
def held(store: Path) -> Iterator[None]:
    """Keep a store to this process for the block. Raises FileError if another process uses it."""
    lock = acquire(store)
    try:
        yield
    finally:
        release(lock)


def acquire(store: Path) -> Path:
    """Keep a store to this process until the lock that is returned is released.

    Raises FileError if another process uses it.
    """
    path = private.beside(store, ".lock")
    with _guard:
        file, holders = _held.get(path, (-1, 0))
        if not holders:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                file = _locked(path)
            except OSError as fault:
                raise refused("open", store, reason=f"{fault.strerror} ({fault.filename})") from None
            if file < 0:
                raise refused("busy", store)
        _held[path] = file, holders + 1
    return path


def release(lock: Path) -> None:
    """Give a store back. The last holder in this process removes the lock's file before others can lock it."""
    with _guard:
        file, holders = _held.pop(lock)
        if holders > 1:
            _held[lock] = file, holders - 1
            return
        with suppress(OSError):  # the folder may be gone or closed to us by now
            lock.unlink()
        os.close(file)


def _locked(path: Path) -> int:
    """Return the locked file, or -1 if another process holds the lock."""
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, private.MODE)
        if not files.try_lock(file):
            os.close(file)
            return -1
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file), path.stat()):
                return file
        os.close(file)  # its last holder has just removed it
