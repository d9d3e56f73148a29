"""A drawer on disk for things that can be made again: checksummed, replaced whole, never half-written."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

_DIGEST = 32
_MONTH = 30 * 24 * 3600
_LOOK = 0.05  # seconds between two looks whether somebody else has finished


def cache_folder() -> Path:
    """Where this user's caches belong: `QUADRIGA_CACHE`, else the folder that the system has for it."""
    if own := os.environ.get("QUADRIGA_CACHE"):
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "quadriga"


class Drawer:
    """Files by name and key. Who cannot write has an empty drawer; who finds a damaged file has no file."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = cache_folder() / "kernels" if folder is None else folder

    def path(self, name: str, key: str) -> Path:
        """The file for a key."""
        return self.folder / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:32]}"

    def read(self, name: str, key: str) -> bytes | None:
        """What lies under the key, if it is whole."""
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
        """Put something under the key, all at once, and clear out what nobody has used for a month."""
        path = self.path(name, key)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, draft = tempfile.mkstemp(dir=self.folder, prefix=path.name)
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(content).digest() + content)
            Path(draft).replace(path)
            self._clear_out()
        except OSError:
            return

    @contextlib.contextmanager
    def held(self, name: str, key: str, waiting: Callable[[float], object]) -> Iterator[None]:
        """One process at a time makes what belongs under the key; the others wait, and are told for how long.

        Where files cannot be locked everybody makes it for himself, which costs time and nothing else.
        """
        began = time.monotonic()
        with contextlib.ExitStack() as stack:
            with contextlib.suppress(OSError, ImportError):
                import fcntl

                self.folder.mkdir(parents=True, exist_ok=True)
                file = stack.enter_context(self.path(name, key).with_suffix(".lock").open("wb"))
                while not _locked(fcntl, file):
                    waiting(time.monotonic() - began)
                    time.sleep(_LOOK)
            yield

    def _clear_out(self) -> None:
        oldest = time.time() - _MONTH
        for path in self.folder.iterdir():
            with contextlib.suppress(OSError):
                if path.stat().st_mtime < oldest:
                    path.unlink()


def _locked(fcntl: Any, file: IO[bytes]) -> bool:
    """Whether the file is ours now; its lock is gone when it is closed, or this process ends."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
