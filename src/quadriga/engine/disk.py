"""A drawer on disk for things that can be made again: checksummed, replaced whole, never half-written."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from pathlib import Path

_DIGEST = 32
_MONTH = 30 * 24 * 3600


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

    def _clear_out(self) -> None:
        oldest = time.time() - _MONTH
        for path in self.folder.iterdir():
            with contextlib.suppress(OSError):
                if path.stat().st_mtime < oldest:
                    path.unlink()
