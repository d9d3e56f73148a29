"""The journal: a small file beside the store that notes how far every room was written.

SQLite silently drops the end of a write-ahead log that was cut or damaged. The events and the room's head disappear
together, and the chain of the remaining events is intact. The journal is a second witness: every commit appends one
line with the rooms it wrote to, the numbers of their last events, and a checksum. A room whose log ends before the
number in the journal has lost events.

The journal may lag behind the store. It is written after the commit and not synchronised to disk, because losing it
without losing the log does no harm. It is restarted when the write-ahead log has been moved into the store.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from quadriga.server.storage import private

MAX_BYTES = 4 * 2**20  # the journal is restarted after this size, as soon as that is possible


def path_of(store: Path) -> Path:
    """Return the path of a store's journal."""
    return private.beside(store, ".numbers")


def read(store: Path) -> dict[str, int]:
    """Return the number of the last event of every room in the journal. The last entry of a room counts."""
    try:
        raw = path_of(store).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    found: dict[str, int] = {}
    for line in raw.split(b"\n"):
        content, _, checksum = line.rpartition(b" ")
        if content and checksum == b"%08x" % crc32(content):
            words = content.decode("ascii", "replace").split(" ")
            found.update(zip(words[::2], map(int, words[1::2]), strict=True))
    return found


def _line(numbers: Mapping[str, int]) -> bytes:
    """Return one line of the journal; the leading line break ends a line that was torn."""
    content = " ".join([f"{room} {number}" for room, number in numbers.items()]).encode("ascii", "replace")
    return b"\n%s %08x\n" % (content, crc32(content))


class Journal:
    """Append lines to the journal of a store."""

    def __init__(self, store: Path) -> None:
        self._path = path_of(store)
        self._file = self._open()
        self.size = os.fstat(self._file).st_size

    def _open(self) -> int:
        return os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, private.MODE)

    def add(self, numbers: Mapping[str, int]) -> None:
        """Append a line. A full disk makes the journal lag behind, and has no other effect."""
        with suppress(OSError):
            self.size += os.write(self._file, _line(numbers))

    def restart(self, numbers: Mapping[str, int]) -> None:
        """Replace the journal by one that holds only these rooms; the store itself holds all others."""
        draft = self._path.with_name(self._path.name + ".part")
        with suppress(OSError):
            private.write(draft, _line(numbers) if numbers else b"")
            draft.replace(self._path)
            old, self._file = self._file, self._open()
            os.close(old)
            self.size = os.fstat(self._file).st_size

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)
