"""A cache on disk for content that can be made again: checksummed, and never half-written."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from quadriga.engine import files

_DIGEST = 32
_MONTH = 30 * 24 * 3600
_POLL_S = 0.05


def cache_folder() -> Path:
    """Return this user's folder for caches: `QUADRIGA_CACHE`, else the one that the system has for it."""
    if own := os.environ.get("QUADRIGA_CACHE"):
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "quadriga"


class DiskCache:
    """Files by name and key. A damaged file counts as missing, and a file that cannot be written is not kept."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = cache_folder() / "kernels" if folder is None else folder

    def path(self, name: str, key: str) -> Path:
        """Return the file for a key."""
        return self.folder / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:32]}"

    def read(self, name: str, key: str) -> bytes | None:
        """Return the content under the key, or None if there is none or it is damaged."""
        path = self.path(name, key)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        if hashlib.sha256(content[_DIGEST:]).digest() != content[:_DIGEST]:
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return content[_DIGEST:]

    def write(self, name: str, key: str, content: bytes) -> None:
        """Keep content under the key, and remove files that were not used for a month."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            with files.replaced(self.path(name, key)) as fresh:
                fresh.write_bytes(hashlib.sha256(content).digest() + content)
            self._remove_old()

    @contextlib.contextmanager
    def locked(self, name: str, key: str, waiting: Callable[[float], object]) -> Iterator[None]:
        """Let one process at a time make the content for a key. The others call `waiting` with the seconds so far.

        Where files cannot be locked, every process makes its own, which only costs time.
        """
        began = time.monotonic()
        with contextlib.ExitStack() as stack:
            with contextlib.suppress(OSError, ImportError):
                import fcntl

                self.folder.mkdir(parents=True, exist_ok=True)
                file = stack.enter_context(self.path(name, key).with_suffix(".lock").open("wb"))
                while not _locked(fcntl, file):
                    waiting(time.monotonic() - began)
                    time.sleep(_POLL_S)
            yield

    def _remove_old(self) -> None:
        oldest = time.time() - _MONTH
        for path in self.folder.iterdir():
            with contextlib.suppress(OSError):
                if path.stat().st_mtime < oldest:
                    path.unlink()


def _locked(fcntl: Any, file: IO[bytes]) -> bool:
    """Try to lock the file; return whether it worked. The lock ends when the file is closed or the process ends."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
