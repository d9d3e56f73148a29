"""Read single tables of a store; the same for all databases."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

import sqlalchemy as sa

from quadriga.server.storage.archive.moving import EVENT_COLUMNS, Archived, archived
from quadriga.server.storage.base import ChatMessage, SigningKey, Snapshot, StoredEvent, StoredRoom
from quadriga.server.storage.lobby_schema import OPEN_TABLES
from quadriga.server.storage.schema import CHAT, KEYS, LOG, SNAPSHOTS, TABLES

T = TypeVar("T")
_OPEN = ("waiting", "playing", "paused")
_CHAT_COLUMNS = (CHAT.c.number, CHAT.c.at, CHAT.c.seat, CHAT.c.name, CHAT.c.text)


class Reader(ABC):
    """The part of a store that reads."""

    @abstractmethod
    async def read(self, statement: sa.Select[Any]) -> list[Any]:
        """Return the rows of a select. Raises RoomError `store.failing` if they cannot be read."""

    @abstractmethod
    async def transact(self, work: Callable[[sa.Connection], T]) -> T:
        """Run a function in a transaction that may write; return what it returns. See `Storage`."""

    async def find(self, room_id: str) -> StoredRoom | None:
        """Return the row of a room."""
        rows = await self.read(sa.select(TABLES).where(TABLES.c.id == room_id))
        return StoredRoom._make(rows[0]) if rows else None

    async def created(self, room_id: str) -> int:
        """Return when a room was created; 0 if there is no such room."""
        rows = await self.read(sa.select(TABLES.c.created).where(TABLES.c.id == room_id))
        return int(rows[0][0]) if rows else 0

    async def room_ids(self) -> list[str]:
        """Return the ids of all rooms."""
        return [row[0] for row in await self.read(sa.select(TABLES.c.id).order_by(TABLES.c.id))]

    async def events(self, room_id: str, after: int = 0) -> list[StoredEvent]:
        """Return the events of a room whose numbers are greater than `after`."""
        selected = sa.select(*EVENT_COLUMNS).where(LOG.c.table_id == room_id, LOG.c.number > after)
        found = [StoredEvent._make(row) for row in await self.read(selected.order_by(LOG.c.number))]
        if found and found[0].number == after + 1:
            return found
        room, rows = await self.find(room_id), await self.read(archived(room_id))
        if room is None or not rows:
            return found
        first = [event for event in Archived._make(rows[0]).events(room) if event.number > after]
        return [*first, *(event for event in found if event.number > (first[-1].number if first else after))]

    async def snapshots(self, room_id: str) -> list[Snapshot]:
        """Return the stored snapshots of a room."""
        selected = sa.select(SNAPSHOTS.c.number, SNAPSHOTS.c.body).where(SNAPSHOTS.c.table_id == room_id)
        return [Snapshot._make(row) for row in await self.read(selected)]

    async def chat(self, room_id: str, limit: int, after: int = 0) -> list[ChatMessage]:
        """Return the last chat messages whose numbers are greater than `after`, in order."""
        selected = sa.select(*_CHAT_COLUMNS).where(CHAT.c.table_id == room_id, CHAT.c.number > after)
        found = await self.read(selected.order_by(CHAT.c.number.desc()).limit(limit))
        return [ChatMessage._make(row) for row in reversed(found)]

    async def open_rooms(self, limit: int) -> list[str]:
        """Return the ids of listed rooms that are waiting or playing, the newest first."""
        listed = sa.select(TABLES.c.id).join(OPEN_TABLES, OPEN_TABLES.c.table_id == TABLES.c.id)
        selected = listed.where(TABLES.c.status.in_(_OPEN)).order_by(OPEN_TABLES.c.opened.desc())
        return [row[0] for row in await self.read(selected.limit(limit))]

    async def keys(self) -> list[SigningKey]:
        """Return all signing keys, the oldest first."""
        return [SigningKey._make(row) for row in await self.read(sa.select(KEYS).order_by(KEYS.c.id))]
