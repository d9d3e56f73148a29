"""Snapshots: the position of a game after an event of its log, which shortens the replay of its log.

The log is the truth. A snapshot is tied to the version of the game, to its tables and to the event that it was
taken after, and it is ignored if any of these differ. Everything but the position is still read from the
log.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from quadriga.engine.game import Game
from quadriga.server.storage.base import SNAPSHOT_INTERVAL, Snapshot

_FORM = 1  # of a snapshot; raised when it changes


class SnapshotBody(Struct, frozen=True, array_like=True):
    """The contents of a snapshot."""

    form: int
    rules: bytes
    entries: int  # of the match, so far
    state: bytes
    mark: bytes  # the position that an undo starts from
    sections: list[tuple[int, dict[str, Any]]]  # headings, by the entry that they stand before
    numbers: list[int]  # of the last event, by viewpoint
    asked: int  # the seat that was asked last
    public: bytes | None  # the position in which the last batch left a window open


_BODY = msgspec.msgpack.Decoder(SnapshotBody)


class Step(NamedTuple):
    """The number of entries that an event of the log adds to the match or takes back."""

    number: int
    added: int
    undone: int


def rules_hash(game: Game, tables: Any) -> bytes:
    """Return the hash that a snapshot is tied to, of the game's version, its tables and the layout of its state."""
    layout = repr((game.id, game.version, game.rules.state.dtype.descr)).encode()
    return hashlib.sha256(layout + tables.tobytes()).digest()


def is_due(first: int, last: int) -> bool:
    """Return whether a snapshot belongs after the last of these events."""
    return last // SNAPSHOT_INTERVAL > (first - 1) // SNAPSHOT_INTERVAL


def new_body(**fields: Any) -> SnapshotBody:
    """Return a body of the current form."""
    return SnapshotBody(form=_FORM, **fields)


def pack(body: SnapshotBody) -> bytes:
    """Return a body as it is stored."""
    return zlib.compress(msgspec.msgpack.encode(body), 1)


def unpack(packed: bytes) -> SnapshotBody | None:
    """Return the stored body; None if it cannot be read."""
    try:
        body = _BODY.decode(zlib.decompress(packed))
    except (zlib.error, msgspec.DecodeError):
        return None
    return body if body.form == _FORM else None


def find_usable(
    snapshots: Iterable[Snapshot], steps: Sequence[Step], rules: bytes, recent: int
) -> tuple[int, SnapshotBody] | None:
    """Return the newest snapshot that fits the log: the number of its event, and its body.

    At least `recent` game events must follow it, because clients may catch up on so many, and no undo after it may
    go back behind it.
    """
    for number, packed in sorted(snapshots, reverse=True):
        body = unpack(packed)
        if body is None or body.rules != rules:
            continue
        count = sum(step.added - step.undone for step in steps if step.number <= number)
        after = [step for step in steps if step.number > number]
        if count != body.entries or sum(step.added + step.undone for step in after) < recent:
            continue
        for step in after:
            count += step.added - step.undone
            if count < body.entries:
                break
        else:
            return number, body
    return None
