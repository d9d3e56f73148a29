"""Turns: at a table one thing happens at a time, and what could not be written never happened."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from quadriga.server.rooms.event_log import RoomState

if TYPE_CHECKING:
    from quadriga.server.rooms.room import Room


class RoomLock:
    """A lock that lets through one at a time, in the order of coming, and that can be tried without waiting."""

    __slots__ = ("_taken", "_waiting")

    def __init__(self) -> None:
        self._taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    def locked(self) -> bool:
        """Whether somebody is inside."""
        return self._taken

    def acquire_now(self) -> bool:
        """Go in, if nobody is inside."""
        if self._taken:
            return False
        self._taken = True
        return True

    async def acquire(self) -> None:
        """Go in, when it is one's turn."""
        if self.acquire_now():
            return
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():  # let in already, and gone
                self.release()
            raise

    def release(self) -> None:
        """Come out: the next who still waits is inside now."""
        assert self._taken, "nobody is inside"
        while self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                return
        self._taken = False


class ExclusiveAccess:
    """`async with room.turn() as ledger`."""

    __slots__ = ("_room",)

    def __init__(self, room: Room) -> None:
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

    async def __aexit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        try:
            if fault is not None:
                await self._room.recover(fault)
        finally:
            self._room.lock.release()
