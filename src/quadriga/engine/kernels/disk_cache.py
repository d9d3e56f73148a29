"""A cache on disk for content that can be made again. Files are checksummed and written atomically."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from quadriga.engine import files
from quadriga.engine.folders import cache_folder

_DIGEST_BYTES = 32
_UNUSED_S = 30 * 24 * 3600  # a file that was not read for this long is removed
_POLL_S = 0.05


class DiskCache:
    """Files by name and key. A damaged file counts as missing; a failed write is ignored."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = cache_folder() / "kernels" if folder is None else folder

    def path(self, name: str, key: str) -> Path:
        """Return the file for a key."""
        return self.folder / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:32]}"

    def is_writable(self) -> bool:
        """Return whether files can be stored."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            return os.access(self.folder, os.W_OK | os.X_OK)
        except OSError:
            return False

    def read(self, name: str, key: str) -> bytes | None:
        """Return the content under the key, or None if there is none or it is damaged."""
        path = self.path(name, key)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        if hashlib.sha256(content[_DIGEST_BYTES:]).digest() != content[:_DIGEST_BYTES]:
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return content[_DIGEST_BYTES:]

    def write(self, name: str, key: str, content: bytes) -> None:
        """Store content under the key, and remove files that were not read for a month."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            with files.atomic_replace(self.path(name, key)) as fresh:
                fresh.write_bytes(hashlib.sha256(content).digest() + content)
            self._remove_old()

    @contextlib.contextmanager
    def locked(self, name: str, key: str, waiting: Callable[[float], object]) -> Iterator[None]:
        """Hold a lock for a key in the block. While another process has it, call `waiting` with the seconds so far.

        If files cannot be locked, several processes may make the same content, which only costs time.
        """
        began = time.monotonic()
        with contextlib.ExitStack() as stack:
            with contextlib.suppress(OSError):
                self.folder.mkdir(parents=True, exist_ok=True)
                file = stack.enter_context(self.path(name, key).with_suffix(".lock").open("wb"))
                while not files.try_lock(file.fileno()):
                    waiting(time.monotonic() - began)
                    time.sleep(_POLL_S)
            yield

    def _remove_old(self) -> None:
        oldest = time.time() - _UNUSED_S
        for path in self.folder.iterdir():
            with contextlib.suppress(OSError):
                if path.stat().st_mtime < oldest:
                    path.unlink()
