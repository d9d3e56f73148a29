"""Loading a room: its stored log, replayed."""

from __future__ import annotations

import asyncio

from quadriga.server.protocol.errors import RoomError
from quadriga.server.state import log_reader
from quadriga.server.state.room_state import CLOSED, RoomState
from quadriga.server.storage.base import LoadedRoom, Storage
from quadriga.server.storage.chain import damaged


async def load(store: Storage, id: str) -> RoomState | None:
    """Return the state of a room, or None if the store has no such room."""
    stored = await store.load(id)
    return None if stored is None else await asyncio.to_thread(replay, stored)


def replay(stored: LoadedRoom) -> RoomState:
    """Replay the log of a room; raise RoomError `table.damaged` if its status is not what was written."""
    room = stored.row
    state = log_reader.read(room.id, room.setup, stored.events, stored.snapshots, room.status)
    state.hash = stored.head.hash  # a log may be empty, and that of a closed room is not applied in order
    if state.status not in (room.status, CLOSED):
        raise damaged(RoomError("damage.status", found=room.status, events=state.status))
    return state
