"""Copy a store into another, of the same or of another kind, and verify the chain of every log on both sides.

A copy that was interrupted is continued by the same command: rooms that are there already are only compared.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from quadriga.engine.errors import FileError, QuadrigaError
from quadriga.server.protocol.errors import PACKAGE
from quadriga.server.storage.address import open_store, shown
from quadriga.server.storage.backup import version_of
from quadriga.server.storage.base import LoadedRoom, Storage
from quadriga.server.storage.opening import refused
from quadriga.server.storage.schema import HEAD

Progress = Callable[[int, int], None]
_ALL_CHAT = 2**31 - 1


class Copied(NamedTuple):
    """What was copied, and the address it was copied to."""

    rooms: int
    events: int
    target: str


def copy(source: Path | str, target: Path | str, progress: Progress = lambda done, total: None) -> Copied:
    """Copy a store. Raises FileError if a room cannot be read, or if the target has another one of the same id."""
    if isinstance(source, Path) and (found := version_of(source)) != HEAD:
        raise refused("older", source, found=found)
    return asyncio.run(_copy(source, target, progress))


async def _copy(source: Path | str, target: Path | str, progress: Progress) -> Copied:
    old = await open_store(source)
    try:
        new = await open_store(target)
        try:
            await _copy_keys(old, new, shown(target))
            ids = await old.room_ids()
            known = set(await new.room_ids())
            events = 0
            for done, room_id in enumerate(ids):
                progress(done, len(ids))
                room = await _loaded(old, room_id, shown(source))
                if room_id not in known:
                    await new.copy_room(room, await old.chat(room_id, _ALL_CHAT))
                copied = await _loaded(new, room_id, shown(target))
                if (copied.row, copied.head) != (room.row, room.head):
                    raise FileError("store.copied", package=PACKAGE, room=room_id, path=shown(target))
                events += len(room.events)
            progress(len(ids), len(ids))
            return Copied(len(ids), events, shown(target))
        finally:
            await new.close()
    finally:
        await old.close()


async def _copy_keys(old: Storage, new: Storage, target: str) -> None:
    """Copy the signing keys, so that tokens stay valid."""
    keys, known = await old.keys(), await new.keys()
    if known and known != keys:
        raise FileError("store.keys", package=PACKAGE, path=target)
    if keys and not known:
        await new.copy_keys(keys)


async def _loaded(store: Storage, room_id: str, path: str) -> LoadedRoom:
    """Return a room whose chain is verified."""
    try:
        room = await store.load(room_id)
    except QuadrigaError as fault:
        raise FileError("store.room", package=PACKAGE, path=path, room=room_id, reason=fault) from None
    if room is None:
        raise FileError("store.room", package=PACKAGE, path=path, room=room_id, reason="")
    return room
