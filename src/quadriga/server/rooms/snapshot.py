"""Snapshots: how a game stood after a line of its log, so that not all of it has to be played again.

The log is the truth, and a snapshot is only a shortcut: it is tied to the version of the game, to its rules as
data and to the line that it stands after, and ignored where any of that does not fit. Everything that is not the
position is still read from the log.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from quadriga.engine.game import Game

EVERY = 128  # lines of a log between two snapshots,
KEPT = 4  # ... and how many of a table are kept
_FORM = 1  # of a snapshot; raised when it changes


class SnapshotBody(Struct, frozen=True, array_like=True):
    """How a game stands, beside what its log says in so many words."""

    form: int
    rules: bytes
    entries: int  # of the match, so far
    state: bytes
    mark: bytes  # the position that an undo starts from
    sections: list[tuple[int, dict[str, Any]]]  # headings, by the entry that they stand before
    numbers: list[int]
    asked: int
    public: bytes | None


_STANDING = msgspec.msgpack.Decoder(SnapshotBody)


class Snapshot(NamedTuple):
    """A snapshot as the store keeps it."""

    number: int  # of the line that it stands after
    body: bytes


class Step(NamedTuple):
    """A line as far as snapshots care: how many entries it adds or takes back."""

    number: int
    added: int
    undone: int


def rules(game: Game, tables: Any) -> bytes:
    """What a snapshot is tied to: the game's version, its rules as data, and how positions are laid out."""
    layout = repr((game.id, game.version, game.state.dtype.descr)).encode()
    return hashlib.sha256(layout + tables.tobytes()).digest()


def due(first: int, last: int) -> bool:
    """Whether a snapshot belongs after the last of these lines."""
    return last // EVERY > (first - 1) // EVERY


def packed(standing: SnapshotBody) -> bytes:
    """A standing as it is kept."""
    return zlib.compress(msgspec.msgpack.encode(standing), 1)


def unpacked(body: bytes) -> SnapshotBody | None:
    """The same, read again; None of one that cannot be read."""
    try:
        standing = _STANDING.decode(zlib.decompress(body))
    except (zlib.error, msgspec.DecodeError):
        return None
    return standing if standing.form == _FORM else None


def standing(**fields: Any) -> SnapshotBody:
    """A standing of today's form."""
    return SnapshotBody(form=_FORM, **fields)


def fitting(
    snapshots: Iterable[Snapshot], steps: Sequence[Step], tied: bytes, game_events: int
) -> tuple[int, SnapshotBody] | None:
    """The newest snapshot that leads to the same table: the number of its line, and what it holds.

    After it there must be as many happenings as clients may catch up on, and no undo that goes back behind it.
    """
    for number, body in sorted(snapshots, reverse=True):
        found = unpacked(body)
        if found is None or found.rules != tied:
            continue
        count = sum(each.added - each.undone for each in steps if each.number <= number)
        after = [each for each in steps if each.number > number]
        if count != found.entries or sum(each.added + each.undone for each in after) < game_events:
            continue
        for each in after:
            count += each.added - each.undone
            if count < found.entries:
                break
        else:
            return number, found
    return None
