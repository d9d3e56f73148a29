"""Rooms that a newer version of the server has written to: this process leaves them to it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from quadriga.server.logs import LOGGER
from quadriga.server.protocol.errors import RoomError
from quadriga.server.rooms.room import Room
from quadriga.server.state.events import NEWER

_RESTART = 1012  # the close code that makes a page connect again at once


class NewerRooms:
    """Their ids; `rooms` are all rooms in memory."""

    def __init__(self, rooms: dict[str, Room]) -> None:
        self._rooms = rooms
        self.ids: set[str] = set()

    @contextmanager
    def noted(self, room_id: str) -> Iterator[None]:
        """Remember the room if it cannot be loaded because its log is newer."""
        try:
            yield
        except RoomError as error:
            if error.code == NEWER:
                self.ids.add(room_id)
            raise

    def watch(self, room: Room) -> None:
        """Leave a room as soon as something newer is found in its log, and nobody holds it."""
        room.on_newer = partial(self._leave_soon, room)

    def _leave_soon(self, room: Room) -> None:
        asyncio.get_running_loop().call_soon(self._leave, room)

    def _leave(self, room: Room) -> None:
        if self._rooms.get(room.state.id) is not room:
            return
        self.ids.add(room.state.id)
        for viewer in room.presence.viewers | room.presence.arriving:
            viewer.close(_RESTART)
        self._rooms.pop(room.state.id).close()
        LOGGER.warning("%s is left to a newer version of the server", room.state.id)
