"""The chain of a log: every event carries a hash over the one before it and its own content.

The chain begins with a hash over the room's row, and the room's head holds number and hash of the last event. So no
event can change, vanish or be put in without being noticed when the room is loaded.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from hashlib import blake2b

from quadriga.server.protocol.errors import TableError
from quadriga.server.storage.base import Head, Kept, Line

_SIZE = 16  # bytes of a hash: against damage, not against forgers


def first(kept: Kept) -> bytes:
    """Return the hash that the chain of a room begins with."""
    room = kept.id.encode()
    numbers = struct.pack(">HqB", len(room), kept.created, kept.public)
    return blake2b(numbers + room + kept.setup, digest_size=_SIZE).digest()


def following(previous: bytes, number: int, at: int, kind: str, body: bytes) -> bytes:
    """Return the hash of an event that comes after another."""
    name = kind.encode()
    numbers = struct.pack(">qqH", number, at, len(name))
    return blake2b(previous + numbers + name + body, digest_size=_SIZE).digest()


def damaged(reason: TableError) -> TableError:
    """Return the refusal of a room that cannot be trusted."""
    return TableError("table.damaged", 503, reason=reason)


def verify(kept: Kept, lines: Sequence[Line], head: Head | None) -> None:
    """Raise TableError `table.damaged` unless the events are exactly those that were written."""
    try:
        found = Head(0, first(kept))
        for line in lines:
            if line.number != found.number + 1:
                raise damaged(TableError("damage.gap", number=found.number + 1))
            digest = following(found.hash, line.number, line.at, line.kind, line.body)
            if digest != line.hash:
                wrong = TableError("damage.event", number=line.number)
                raise damaged(wrong if found.number else TableError("damage.first"))
            found = Head(line.number, digest)
    except (TypeError, AttributeError, ValueError, struct.error) as fault:
        raise damaged(TableError("damage.field", reason=fault)) from None
    if head is None:
        raise damaged(TableError("damage.head"))
    if head.number != found.number:
        raise damaged(TableError("damage.short", written=head.number, found=found.number))
    if head.hash != found.hash:
        raise damaged(TableError("damage.first" if not lines else "damage.head"))
