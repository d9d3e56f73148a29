"""The lock of a room: one change at a time, in the order of arrival, and none that could not be written."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

from quadriga.server.state.room_state import RoomState


class RoomLock:
    """A fair lock. `asyncio.Lock` lets a newcomer in before one that has been woken; this one does not."""

    __slots__ = ("_locked", "_waiting")

    def __init__(self) -> None:
        self._locked = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    def locked(self) -> bool:
        """Return whether the lock is held."""
        return self._locked

    async def acquire(self) -> None:
        """Take the lock, after all that have asked before; return at once if it is free."""
        if not self._locked:
            self._locked = True
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the lock was handed over before the task was cancelled
                self.release()
            raise

    def release(self) -> None:
        """Hand the lock to the next that still waits, or free it."""
        assert self._locked, "the lock is not held"
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._locked = False


class Lockable(Protocol):
    """A room, as far as its lock is concerned."""

    state: RoomState
    lock: RoomLock
    is_stale: bool

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
