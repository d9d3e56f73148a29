"""A backup that has only what differs from an earlier one, block by block. Both together are a whole backup again.

A difference is a line of JSON after a magic line, and the changed blocks, compressed. It names both files by their
hashes: one that is put on another file, or that is damaged, is noticed.
"""

from __future__ import annotations

import hashlib
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

import msgspec

from quadriga.engine import files
from quadriga.engine.errors import FileError
from quadriga.server.storage import backup
from quadriga.server.storage.opening import refused

_MAGIC = b"quadriga difference 1\n"
_BLOCK = 4096  # a page of SQLite
_READ = 256 * _BLOCK  # that are read at once
_MOST_HEAD = 1000  # bytes of the line of JSON
_NUMBER = 8  # bytes


class _Head(msgspec.Struct):
    """What a difference says about the two files."""

    base: str
    whole: str
    size: int
    rooms: int


_HEADS = msgspec.json.Decoder(_Head)


def make(store: Path, base: Path, target: Path) -> int:
    """Write what differs between a store now and an earlier backup. Return the number of rooms in the store."""
    if target.exists():
        raise refused("there", target)
    backup.version_of(base)
    try:
        with TemporaryDirectory(prefix=f".{target.name}", dir=target.parent) as folder:
            whole = Path(folder) / "whole.sqlite"
            rooms = backup.backup(store, whole)
            with files.atomic_replace(target, is_private=True) as fresh:
                _write(base, whole, rooms, fresh)
    except OSError as fault:
        raise refused("open", target, reason=fault.strerror or fault) from None
    return rooms


def is_difference(path: Path) -> bool:
    """Return whether a file is a difference. Raises FileError if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except FileNotFoundError:
        raise refused("missing", path) from None
    except OSError as fault:
        raise refused("open", path, reason=fault.strerror) from None


@contextmanager
def whole(path: Path, base: Path | None, beside: Path | None = None) -> Iterator[Path]:
    """Yield a whole backup: a file itself, or a difference together with its base, as a temporary file.

    Raises FileError if the base is missing or another one, or if the difference is damaged.
    """
    if not is_difference(path):
        yield path
        return
    if base is None:
        raise refused("no-base", path)
    backup.version_of(base)
    with TemporaryDirectory(prefix=f".{path.name}", dir=(beside or path).parent) as folder:
        found = Path(folder) / "whole.sqlite"
        try:
            _join(path, base, found)
        except OSError as fault:
            raise refused("open", path, reason=fault.strerror or fault) from None
        yield found


def _write(base: Path, full: Path, rooms: int, target: Path) -> None:
    head = _Head(_digest(base), _digest(full), full.stat().st_size, rooms)
    packing = zlib.compressobj(6)
    with base.open("rb") as old, full.open("rb") as new, target.open("wb") as file:
        file.write(_MAGIC + msgspec.json.encode(head) + b"\n")
        number = 0
        while part := new.read(_READ):
            former = old.read(_READ)
            if part != former:
                for start in range(0, len(part), _BLOCK):
                    block = part[start : start + _BLOCK]
                    if block != former[start : start + _BLOCK]:
                        place = number + start // _BLOCK
                        file.write(packing.compress(place.to_bytes(_NUMBER) + block.ljust(_BLOCK, b"\0")))
            number += _READ // _BLOCK
        file.write(packing.flush())


def _join(path: Path, base: Path, target: Path) -> None:
    damaged: FileError = refused("bad-difference", path)
    with path.open("rb") as file, target.open("xb") as new:
        target.chmod(0o600)
        file.seek(len(_MAGIC))
        try:
            head = _HEADS.decode(file.readline(_MOST_HEAD))
        except msgspec.DecodeError:
            raise damaged from None
        if _digest(base) != head.base:
            raise refused("other-base", path, base=str(base))
        with base.open("rb") as old:
            shutil.copyfileobj(old, new, _READ)
        try:
            for number, block in _blocks(file):
                new.seek(number * _BLOCK)
                new.write(block)
        except (zlib.error, ValueError):
            raise damaged from None
        new.truncate(head.size)
    if _digest(target) != head.whole:
        raise damaged


def _blocks(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the numbers and the contents of the changed blocks. Raises ValueError if the file ends too early."""
    unpacking, waiting, one = zlib.decompressobj(), b"", _NUMBER + _BLOCK
    while part := file.read(_READ):
        waiting += unpacking.decompress(part)
        end = len(waiting) // one * one
        for start in range(0, end, one):
            yield int.from_bytes(waiting[start : start + _NUMBER]), waiting[start + _NUMBER : start + one]
        waiting = waiting[end:]
    if waiting or not unpacking.eof:
        raise ValueError


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
