"""The journal of numbers: a small file beside the store that says how far every room was written.

SQLite drops the end of a write-ahead log that was cut or damaged, without a word: the events and the room's head go
together, and the chain of what is left is whole. The journal is a second witness. Every commit adds a line per room
to it: the room, the number of its last event, and a checksum. A room whose log is shorter than the journal says has
lost events. The journal may lag behind the store (it is written after the commit, and not synchronised: whatever
loses it without losing the log does no harm), and it is begun anew when the write-ahead log has been moved into the
store.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from zlib import crc32

LARGEST = 4 * 2**20  # bytes, after which it is begun anew when that is possible


def path_of(store: Path) -> Path:
    """Return where the journal of a store is."""
    return store.with_name(store.name + ".numbers")


def read(store: Path) -> dict[str, int]:
    """Return the number of the last event of every room in the journal; the last line of a room counts."""
    try:
        raw = path_of(store).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    found: dict[str, int] = {}
    for line in raw.split(b"\n"):
        content, _, checksum = line.rpartition(b" ")
        room, _, number = content.rpartition(b" ")
        if number.isdigit() and checksum == b"%08x" % crc32(content):
            found[room.decode("ascii", "replace")] = int(number)
    return found


def _lines(numbers: Iterable[tuple[str, int]]) -> bytes:
    written = [b"%s %d" % (room.encode("ascii", "replace"), number) for room, number in numbers]
    return b"\n" + b"".join(b"%s %08x\n" % (content, crc32(content)) for content in written)


class Journal:
    """Adds lines to the journal of a store."""

    def __init__(self, store: Path) -> None:
        self._path = path_of(store)
        self._file = self._opened()
        self.size = os.fstat(self._file).st_size

    def _opened(self) -> int:
        return os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def add(self, numbers: Iterable[tuple[str, int]]) -> None:
        """Add a line per room; a full disk makes the journal lag behind, and nothing else."""
        with suppress(OSError):
            self.size += os.write(self._file, _lines(numbers))

    def begin_anew(self, kept: Mapping[str, int]) -> None:
        """Forget all rooms but those that are behind: everything else is in the store itself."""
        draft = self._path.with_name(self._path.name + ".part")
        with suppress(OSError):
            draft.write_bytes(_lines(kept.items()))
            draft.replace(self._path)
            old, self._file = self._file, self._opened()
            os.close(old)
            self.size = os.fstat(self._file).st_size

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)
