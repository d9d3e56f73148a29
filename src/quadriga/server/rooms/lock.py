"""Exclusive access to a room: one change at a time, in the order of arrival, and none that could not be written."""

from __future__ import annotations

import asyncio
from typing import Protocol

from quadriga.engine.errors import QuadrigaError
from quadriga.server import metrics
from quadriga.server.protocol.errors import RoomError, StaleError, StorageError
from quadriga.server.state.room_state import RoomState


class Lockable(Protocol):
    """A room, as far as its lock is concerned."""

    state: RoomState
    lock: asyncio.Lock
    is_unread: bool  # true while the log is to be read again

    async def reload(self, is_quiet: bool = False) -> None:
        """Read the state from the log again."""
        ...

    async def read_chat(self) -> bool:
        """Read the chat messages of other processes."""
        ...


class ExclusiveAccess:
    """`async with room.exclusive() as state`: hold the room; reload it from the log if a write fails."""

    __slots__ = ("_room",)

    def __init__(self, room: Lockable) -> None:
        self._room = room

    async def __aenter__(self) -> RoomState:
        room = self._room
        await room.lock.acquire()
        if room.is_unread or room.state.is_ahead:
            try:
                await room.reload()
            except BaseException:
                room.lock.release()
                raise
        return room.state

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        try:
            if error is not None:
                await self._recover(error)
        finally:
            self._room.lock.release()

    async def _recover(self, error: BaseException) -> None:
        """Reload the room after an error that may have left the state ahead of the log."""
        room = self._room
        if isinstance(error, asyncio.CancelledError):
            await asyncio.shield(room.reload())
        elif isinstance(error, StaleError):
            metrics.stale.inc()
            await room.reload(is_quiet=True)
            await room.read_chat()
            raise RoomError("table.again", 503) from None
        elif isinstance(error, StorageError) or not isinstance(error, QuadrigaError):
            await room.reload()
