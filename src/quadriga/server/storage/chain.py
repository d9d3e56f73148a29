"""The hash chain of a log: every event carries a hash over the event before it and its own content.

The chain begins with a hash over the room's row, and the room's head holds number and hash of the last event. An
event that was changed, removed or inserted is therefore noticed when the room is loaded.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from hashlib import blake2b

import msgspec

from quadriga.server.protocol.errors import RoomError
from quadriga.server.storage.base import Head, StoredEvent, StoredRoom

_HASH_BYTES = 16  # enough against damage; the chain is no protection against forgers


def first_hash(room: StoredRoom) -> bytes:
    """Return the hash that a room's chain begins with."""
    name = room.id.encode()
    numbers = struct.pack(">HqB", len(name), room.created, room.public)
    return blake2b(numbers + name + room.setup, digest_size=_HASH_BYTES).digest()


def next_hash(previous: bytes, number: int, at: int, kind: str, body: bytes) -> bytes:
    """Return the hash of an event whose predecessor has the hash `previous`."""
    name = kind.encode()
    numbers = struct.pack(">qqH", number, at, len(name))
    return blake2b(previous + numbers + name + body, digest_size=_HASH_BYTES).digest()


class _Named(msgspec.Struct):
    """The part of an event's body that says if the name in it was erased."""

    name: str = ""
    erased: bool = False


_NAMED = msgspec.json.Decoder(_Named)


def is_erased(event: StoredEvent) -> bool:
    """Return whether the name was erased from an event, because its owner has deleted their account.

    Such an event keeps its hash, so that all others can still be verified.
    """
    if event.kind != "sit":
        return False
    try:
        found = _NAMED.decode(event.body)
    except msgspec.DecodeError:
        return False
    return found.erased and not found.name


def _is_setup_erased(room: StoredRoom) -> bool:
    """Return whether a name was erased from a set-up, which keeps names for a rematch."""
    try:
        return _NAMED.decode(room.setup).erased
    except msgspec.DecodeError:
        return False


def damaged(reason: RoomError) -> RoomError:
    """Return the error for a room that cannot be trusted."""
    return RoomError("table.damaged", 503, reason=reason)


def verify(room: StoredRoom, events: Sequence[StoredEvent], head: Head | None) -> None:
    """Raise RoomError `table.damaged` unless the events are exactly those that were written."""
    try:
        found = Head(0, first_hash(room))
        is_setup_erased = _is_setup_erased(room)
        for event in events:
            if event.number != found.number + 1:
                raise damaged(RoomError("damage.gap", number=found.number + 1))
            digest = next_hash(found.hash, event.number, event.at, event.kind, event.body)
            if digest != event.hash and not is_erased(event) and not (event.number == 1 and is_setup_erased):
                wrong = RoomError("damage.event", number=event.number)
                raise damaged(wrong if found.number else RoomError("damage.first"))
            found = Head(event.number, event.hash)
    except (TypeError, AttributeError, ValueError, struct.error) as fault:
        raise damaged(RoomError("damage.field", reason=fault)) from None
    if head is None:
        raise damaged(RoomError("damage.head"))
    if head.number != found.number:
        raise damaged(RoomError("damage.short", written=head.number, found=found.number))
    if head.hash != found.hash and (events or not is_setup_erased):
        raise damaged(RoomError("damage.first" if not events else "damage.head"))
