"""The chain of a log: every event carries a hash over the one before it and its own content.

The chain begins with a hash over the room's row, and the room's head holds number and hash of the last event. So no
event can change, vanish or be put in without being noticed when the room is loaded.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from hashlib import blake2b

from quadriga.server.protocol.errors import RoomError
from quadriga.server.storage.base import Head, StoredEvent, StoredRoom

_SIZE = 16  # bytes of a hash: against damage, not against forgers


def first(kept: StoredRoom) -> bytes:
    """Return the hash that the chain of a room begins with."""
    room = kept.id.encode()
    numbers = struct.pack(">HqB", len(room), kept.created, kept.public)
    return blake2b(numbers + room + kept.setup, digest_size=_SIZE).digest()


def following(previous: bytes, number: int, at: int, kind: str, body: bytes) -> bytes:
    """Return the hash of an event that comes after another."""
    name = kind.encode()
    numbers = struct.pack(">qqH", number, at, len(name))
    return blake2b(previous + numbers + name + body, digest_size=_SIZE).digest()


def damaged(reason: RoomError) -> RoomError:
    """Return the refusal of a room that cannot be trusted."""
    return RoomError("table.damaged", 503, reason=reason)


def verify(kept: StoredRoom, lines: Sequence[StoredEvent], head: Head | None) -> None:
    """Raise TableError `table.damaged` unless the events are exactly those that were written."""
    try:
        found = Head(0, first(kept))
        for line in lines:
            if line.number != found.number + 1:
                raise damaged(RoomError("damage.gap", number=found.number + 1))
            digest = following(found.hash, line.number, line.at, line.kind, line.body)
            if digest != line.hash:
                wrong = RoomError("damage.event", number=line.number)
                raise damaged(wrong if found.number else RoomError("damage.first"))
            found = Head(line.number, digest)
    except (TypeError, AttributeError, ValueError, struct.error) as fault:
        raise damaged(RoomError("damage.field", reason=fault)) from None
    if head is None:
        raise damaged(RoomError("damage.head"))
    if head.number != found.number:
        raise damaged(RoomError("damage.short", written=head.number, found=found.number))
    if head.hash != found.hash:
        raise damaged(RoomError("damage.first" if not lines else "damage.head"))
