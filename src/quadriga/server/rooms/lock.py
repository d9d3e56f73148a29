"""Exclusive access to a room: one change at a time, in the order of arrival, and none that could not be written."""

from __future__ import annotations

import asyncio
from typing import Protocol

from quadriga.server.state.room_state import RoomState


class Lockable(Protocol):
    """A room, as far as its lock is concerned."""

    state: RoomState
    lock: asyncio.Lock

    @property
    def is_stale(self) -> bool:
        """True while the state in memory may differ from the log."""
        ...

    async def reload(self) -> None:
        """Read the state from the log again."""
        ...

    async def recover(self, error: BaseException) -> None:
        """Bring the state in line with the log after an error."""
        ...


class ExclusiveAccess:
    """`async with room.exclusive() as state`: hold the room; reload it from the log if a write fails."""

    __slots__ = ("_room",)

    def __init__(self, room: Lockable) -> None:
        self._room = room

    async def __aenter__(self) -> RoomState:
        room = self._room
        await room.lock.acquire()
        if room.is_stale:
            try:
                await room.reload()
            except BaseException:
                room.lock.release()
                raise
        return room.state

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        try:
            if error is not None:
                await self._room.recover(error)
        finally:
            self._room.lock.release()
