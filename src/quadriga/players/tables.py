"""Exact tables of Ur: the chance to win from every position that a file on disk reaches.

`quadriga solve ur` writes one file for each pair of markers left, say 2 and 3, whatever number a game began with:
so the tables of small games are exact endgames of the large ones. A file is a page of header (what it is, as
JSON), the values of both layers of the pair as 32-bit integers, and the SHA-256 of all that. It is read whole and
checked once; a damaged one is refused with the reason.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from quadriga.engine import files
from quadriga.engine.errors import FileError
from quadriga.engine.kernel import Ints, Words, kernel
from quadriga.games.ur.board import RULE_SETS
from quadriga.games.ur.ranking import ROOMS, SIDE, layer, rank, ranking
from quadriga.games.ur.rules.turn import legal, step
from quadriga.games.ur.state import DONE, MOVE, ROLL, State, Tables

ONE = 1 << 30  # chances are counted in parts of this
FORMAT = 1
GAME = 1  # the version of the rules that the values are of
PAGE = 4096
DIGEST = 32
MAGIC = b"quadriga ur table\n"
_PIECE = 1 << 24

Values = npt.NDArray[np.int32]


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a file says about itself."""

    format: int = FORMAT
    game: int = GAME
    rules: str
    left: tuple[int, int]  # markers left of the two sides, the fewer first
    positions: int
    finished: bool
    sweeps: int
    residual: float  # the most by which a value differs from what the values after it say
    seconds: float


@kernel
def looked_up(t: Tables, s: State, keys: Ints, before: Ints, base: Ints, values: Words) -> int:
    """The chance of seat 0 in a position that is to be rolled in, or is over; `base` knows all layers in reach."""
    if s.phase == DONE:
        return ONE if s.turn == 0 else 0
    me = s.turn & 1
    room = layer(t, s, me)
    value = values[base[room] + rank(t, s, me, room, keys, before)]
    return value if me == 0 else ONE - value


def folder() -> Path:
    """Where tables are kept: `QUADRIGA_TABLES`, else the folder that the system has for a user's data."""
    if own := os.environ.get("QUADRIGA_TABLES"):
        return Path(own)
    base = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".local" / "share") / "quadriga" / "tables"


def path_of(rules: str, left: tuple[int, int], within: Path, suffix: str = "table") -> Path:
    """The file of a pair of layers."""
    few, many = sorted(left)
    return within / f"ur-{rules}-{few}-{many}.{suffix}"


def size_of(rules: str, left: tuple[int, int]) -> int:
    """How many positions a pair of layers has."""
    few, many = sorted(left)
    sizes = ranking(rules).sizes
    return sizes[few * SIDE + many] * (1 if few == many else 2)


def pieces(content: memoryview) -> Iterator[memoryview]:
    """Something large, piece by piece."""
    for start in range(0, len(content), _PIECE):
        yield content[start : start + _PIECE]


def read(path: Path, rules: str, left: tuple[int, int]) -> tuple[Header, Values]:
    """A file's header and values; refused where it is not whole, or not the table that its name says."""
    with files.named(path, "file.read"):
        size = path.stat().st_size
        if size < PAGE + DIGEST:
            raise FileError("table.short", path=str(path))
        raw = np.memmap(path, np.uint8, mode="r")
    header = _header(path, raw[:PAGE].tobytes())
    few, many = sorted(left)
    positions = size_of(rules, left)
    if (header.rules, header.left, header.positions) != (rules, (few, many), positions):
        raise FileError("table.other", path=str(path), rules=header.rules, left=header.left)
    if size != PAGE + 4 * positions + DIGEST:
        raise FileError("table.short", path=str(path))
    digest = hashlib.sha256()
    for piece in pieces(memoryview(raw[:-DIGEST])):
        digest.update(piece)
    if digest.digest() != raw[-DIGEST:].tobytes():
        raise FileError("table.damaged", path=str(path))
    return header, raw[PAGE:-DIGEST].view("<i4")


def _header(path: Path, page: bytes) -> Header:
    if not page.startswith(MAGIC):
        raise FileError("table.stranger", path=str(path))
    try:
        header = msgspec.json.decode(page[len(MAGIC) :].rstrip(b" \n"), type=Header)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise FileError("table.damaged", path=str(path)) from None
    if (header.format, header.game) != (FORMAT, GAME):
        raise FileError("table.version", path=str(path))
    return header


class Endgames:
    """The tables of one rule set in a folder, each read when first asked for."""

    def __init__(self, rules: str, within: Path) -> None:
        self.rules = rules
        self.within = within
        self._layers: dict[int, Values] = {}
        self._scratch = np.zeros(64, np.int64).data

    def layer(self, room: int) -> Values | None:
        """The values of a layer, if it is on disk."""
        if room not in self._layers:
            few, many = sorted(divmod(room, SIDE))
            path = path_of(self.rules, (few, many), self.within)
            if few < 1 or not path.exists():
                return None
            _, values = read(path, self.rules, (few, many))
            size = ranking(self.rules).sizes[room]
            self._layers[few * SIDE + many] = values[:size]
            self._layers[many * SIDE + few] = values[-size:]
        return self._layers[room]

    def value(self, t: Tables, s: State) -> float | None:
        """The chance of the side to roll or to move, or nothing where no file reaches; the winner's is 1."""
        if s.phase == MOVE:
            return self._best(t, s)
        return self._standing(t, s) if s.phase in (ROLL, DONE) else None

    def worth(self, t: Tables, s: State, action: int) -> float | None:
        """The chance of the side to move after one of its legal moves."""
        after = s.copy()
        step(t, after, action)
        found = self._standing(t, after)
        return found if found is None or after.turn == s.turn else 1 - found

    def _standing(self, t: Tables, s: State) -> float | None:
        if s.phase == DONE:
            return 1.0
        room = layer(t, s, s.turn)
        values = self.layer(room)
        if values is None:
            return None
        tables = ranking(self.rules)
        number = rank(t, s, s.turn, room, tables.keys.data, tables.before.data)
        return int(values[number]) / ONE

    def _best(self, t: Tables, s: State) -> float | None:
        worths = [self.worth(t, s, action) for action in self._scratch[: legal(t, s, self._scratch)].tolist()]
        known = [worth for worth in worths if worth is not None]
        return max(known) if len(known) == len(worths) else None

    def lent(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64], Values]:
        """All that is on disk as `looked_up` takes it: keys, before, base (-1 where no file reaches), values."""
        tables = ranking(self.rules)
        base = np.full(ROOMS, -1, np.int64)
        found: list[Values] = []
        for room in range(ROOMS):
            values = self.layer(room)
            if values is not None:
                base[room] = sum(map(len, found))
                found.append(values)
        return tables.keys, tables.before, base, np.concatenate([np.zeros(0, np.int32), *found])


@cache
def _endgames(rules: str, within: Path) -> Endgames:
    return Endgames(rules, within)


def endgames(t: Tables, within: Path | None = None) -> Endgames:
    """The tables for a game's rule set."""
    return _endgames(list(RULE_SETS)[t.rules], folder() if within is None else within)


def value(t: Tables, s: State) -> float | None:
    """The exact chance of the side to roll or to move, where a file on disk reaches."""
    return endgames(t).value(t, s)
