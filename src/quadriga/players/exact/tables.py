"""Tables of exact values on disk: one file for two numbers of markers left, checked by a checksum.

A file is one line of JSON and then the values as 32-bit integers. First come the positions in which the side to
roll has the larger number of markers left. Where the two numbers differ, those in which it has the smaller follow.
"""

from __future__ import annotations

import hashlib
from copy import copy
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.engine import files
from quadriga.engine.errors import FileError
from quadriga.engine.folders import data_path
from quadriga.players.exact.ranking_tables import ranking

ONE = 1 << 30  # a game that is won
FORMAT = 2  # raised when the numbering of positions or the rules change
Numbers = npt.NDArray[np.int32]


class Heading(msgspec.Struct, frozen=True):
    """The first line of a table's file."""

    table: int
    rules: str
    left: list[int]  # markers left, the larger number first
    positions: int
    residual: float
    sweeps: int
    seconds: float
    sha256: str = ""  # of the heading without it, and the values


_HEADING = msgspec.json.Decoder(Heading)


def folder() -> Path:
    """Return the folder for tables: `QUADRIGA_TABLES`, else the one that the system has for a user's data."""
    return data_path("tables", "QUADRIGA_TABLES")


def file(rules: str, more: int, fewer: int, where: Path | None = None) -> Path:
    """Return the file of a layer."""
    return (folder() if where is None else where) / f"ur-{rules}-{more}-{fewer}.table"


def size(rules: str, more: int, fewer: int) -> int:
    """Return how many positions a layer has."""
    ranks = ranking(rules)
    both = 0 if more == fewer else ranks.count(fewer, more)
    return ranks.count(more, fewer) + both


def write(path: Path, heading: Heading, values: Numbers) -> None:
    """Write a table with its checksum, atomically."""
    with files.file_errors(path, "file.write"):
        path.parent.mkdir(parents=True, exist_ok=True)
        with files.atomic_replace(path) as fresh, fresh.open("wb") as out:
            out.write(msgspec.json.encode(with_checksum(heading, values)) + b"\n")
            values.astype("<i4", copy=False).tofile(out)


def with_checksum(heading: Heading, values: Numbers) -> Heading:
    """Return the heading with the checksum of itself and the values."""
    plain = msgspec.structs.replace(heading, sha256="")
    digest = hashlib.sha256(msgspec.json.encode(plain))
    digest.update(values.astype("<i4", copy=False).data)
    return msgspec.structs.replace(heading, sha256=digest.hexdigest())


def read(path: Path, *, check: bool = True) -> tuple[Heading, Numbers]:
    """Read a table. Raise FileError with the reason for a file that is damaged or not a table."""
    with files.file_errors(path, "file.read"), path.open("rb") as source:
        try:
            heading = _HEADING.decode(source.readline(4096))
            known = heading.table == FORMAT and heading.positions == size(heading.rules, *heading.left)
        except (msgspec.DecodeError, KeyError, IndexError, TypeError):
            raise FileError("table.heading", path=str(path)) from None
        if not known:
            raise FileError("table.heading", path=str(path))
        start = source.tell()
    if path.stat().st_size != start + 4 * heading.positions:
        raise FileError("table.short", path=str(path))
    values: Numbers = np.memmap(path, "<i4", "r", offset=start, shape=(heading.positions,))
    if check and with_checksum(heading, values) != heading:
        raise FileError("table.damaged", path=str(path))
    return heading, values


@lru_cache(maxsize=64)
def cached_values(path: Path, _changed: int) -> Numbers | FileError:
    """Return the values of a table, or the error. The file is read again only when it has changed."""
    try:
        heading, values = read(path)
    except FileError as fault:
        return fault
    more, fewer = heading.left
    return (
        values if path.name == file(heading.rules, more, fewer).name else FileError("table.heading", path=str(path))
    )


def layer_values(rules: str, mine: int, theirs: int, where: Path | None = None) -> Numbers | None:
    """Return the values of a layer, seen by the side to roll, or None if there is no such table."""
    more, fewer = max(mine, theirs), min(mine, theirs)
    path = file(rules, more, fewer, where)
    if not path.is_file():
        return None
    with files.file_errors(path, "file.read"):
        values = cached_values(path, path.stat().st_mtime_ns)
    if isinstance(values, FileError):
        raise copy(values)
    first = ranking(rules).count(more, fewer)
    return values[:first] if mine >= theirs else values[first:]
