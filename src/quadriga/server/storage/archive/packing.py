"""Pack the events of a log into few bytes, and unpack them.

The hashes are left out, because they follow from the events: the hash of the last one, which the room's head has,
proves them all. Only an event whose name was erased has a hash that does not follow. Its hash is kept, and that of
the event before it, so that what is before an erased name is still proved.
"""

from __future__ import annotations

import bz2
from collections.abc import Sequence
from itertools import accumulate, pairwise

import msgspec

from quadriga.server.protocol.errors import RoomError
from quadriga.server.storage.base import StoredEvent, StoredRoom
from quadriga.server.storage.chain import damaged, first_hash, next_hash

_FORM = 1  # of a body; raised when it changes


class _Body(msgspec.Struct, frozen=True, array_like=True):
    """Events by columns: what is alike stands together."""

    form: int
    times: list[int]  # the first time, and the differences to the time before
    kinds: list[str]
    bodies: list[bytes]
    hashes: dict[int, bytes]  # that do not follow from the events, by place


_DECODER = msgspec.msgpack.Decoder(_Body)


def pack(room: StoredRoom, events: Sequence[StoredEvent]) -> bytes:
    """Return the events of a room, from the first one, as bytes. Raises an error if they cannot be read again."""
    times = [event.at for event in events]
    body = _Body(
        form=_FORM,
        times=times[:1] + [after - before for before, after in pairwise(times)],
        kinds=[event.kind for event in events],
        bodies=[event.body for event in events],
        hashes=_unproved(room, events),
    )
    packed = bz2.compress(msgspec.msgpack.encode(body))
    if unpack(room, packed) != list(events):
        raise damaged(RoomError("damage.archive"))
    return packed


def unpack(room: StoredRoom, packed: bytes) -> list[StoredEvent]:
    """Return the events. Raises RoomError `table.damaged` if the bytes cannot be read."""
    try:
        body = _DECODER.decode(bz2.decompress(packed))
    except (OSError, ValueError, EOFError, TypeError, msgspec.MsgspecError):
        raise damaged(RoomError("damage.archive")) from None
    if body.form != _FORM:
        raise damaged(RoomError("damage.archive"))
    found, previous = [], first_hash(room)
    rows = zip(accumulate(body.times), body.kinds, body.bodies, strict=True)
    for place, (at, kind, content) in enumerate(rows):
        previous = body.hashes.get(place) or next_hash(previous, place + 1, at, kind, content)
        found.append(StoredEvent(place + 1, at, kind, content, previous))
    return found


def _unproved(room: StoredRoom, events: Sequence[StoredEvent]) -> dict[int, bytes]:
    """Return the hashes that do not follow from the event before, and the hashes of the events before them."""
    found: dict[int, bytes] = {}
    previous = first_hash(room)
    for place, event in enumerate(events):
        if next_hash(previous, event.number, event.at, event.kind, event.body) != event.hash:
            found[place] = event.hash
            if place:
                found[place - 1] = events[place - 1].hash
        previous = event.hash
    return found
