"""The store on SQLite: write-ahead log, full synchronisation, and one writer that commits in groups."""

from __future__ import annotations

import asyncio
from asyncio import Future
from collections.abc import Callable, Sequence
from pathlib import Path
from sqlite3 import Error
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import StaticPool

from quadriga.server.logs import LOGGER
from quadriga.server.protocol.errors import RoomError, StaleError
from quadriga.server.storage import chain, journal, loading, opening
from quadriga.server.storage.base import (
    SNAPSHOT_INTERVAL,
    SNAPSHOTS_KEPT,
    ChatMessage,
    LoadedRoom,
    SigningKey,
    Snapshot,
    StoredEvent,
    StoredRoom,
    now,
)
from quadriga.server.storage.migrating import upgrade
from quadriga.server.storage.reader import Reader
from quadriga.server.storage.schema import CHAT, HEAD, HEADS, KEYS, SNAPSHOTS, TABLES
from quadriga.server.storage.sqlite.writer import PRAGMAS, SqliteWriter, compiled_sql
from quadriga.server.storage.writer import Write

_ADD_ROOM, _ADD_HEAD = compiled_sql(TABLES.insert()), compiled_sql(HEADS.insert())
_ADD_CHAT = compiled_sql(CHAT.insert())
_SET_STATUS = compiled_sql(sa.update(TABLES).where(TABLES.c.id == "").values(status=""))  # the status, then the id
_ADD_SNAPSHOT = compiled_sql(SNAPSHOTS.insert().prefix_with("OR REPLACE"))
_DROP_SNAPSHOTS = compiled_sql(sa.delete(SNAPSHOTS).where(SNAPSHOTS.c.table_id == "", SNAPSHOTS.c.number <= 0))
_ADD_KEY = compiled_sql(KEYS.insert().values(created=0, secret=b""))
_COPY_KEY = compiled_sql(KEYS.insert())
_DROP_KEYS = compiled_sql(sa.delete(KEYS).where(KEYS.c.created < 0))
_LAST_NUMBERS = "SELECT table_id, number FROM heads"


class SqliteStore(Reader):
    """All rooms in one file. Implements `Storage`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._engine = _engine(path)
        self._truncated: dict[str, int] = {}  # rooms that have lost events, and how many were written
        self.writer: SqliteWriter | None = None

    @classmethod
    async def opened(cls, path: Path) -> SqliteStore:
        """Open the store in a file; create or migrate it if needed. Raises FileError if it cannot be used."""
        version = await asyncio.to_thread(opening.version, path)
        store = cls(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if version != HEAD:
                async with store._engine.connect() as connection:
                    await connection.run_sync(_migrate)
            store._truncated = await asyncio.to_thread(_truncated_rooms, path)
            store.writer = SqliteWriter(path, store._truncated)
            store.writer.start()
        except (OSError, SQLAlchemyError, Error) as fault:
            await store._engine.dispose()
            reason = getattr(fault, "strerror", None) or str(getattr(fault, "orig", None) or fault)
            raise opening.refused("open", path, reason=reason) from None
        return store

    @property
    def fault(self) -> RoomError | None:
        """The reason why nothing can be stored now; None while writing works."""
        return None if self.writer is None else self.writer.fault

    def watch(self, on_fault_change: Callable[[], None]) -> None:
        """Call `on_fault_change` whenever `fault` appears or disappears."""
        assert self.writer is not None
        self.writer.on_fault_change = on_fault_change

    # Writing.

    async def create(self, room: StoredRoom, events: list[StoredEvent]) -> None:
        """Store a new room with the first events of its log."""
        await self._put([(_ADD_ROOM, room), (_ADD_HEAD, (room.id, 0, chain.first_hash(room)))], room.id, events)

    def append(
        self, room_id: str, events: list[StoredEvent], status: str | None = None, snapshot: Snapshot | None = None
    ) -> Future[None]:
        """Add events to a log, all or none. The future gets a StaleError if their numbers are taken."""
        writes: list[Write] = [] if status is None else [(_SET_STATUS, (status, room_id))]
        if snapshot is not None:
            writes.append((_ADD_SNAPSHOT, (room_id, *snapshot)))
            writes.append((_DROP_SNAPSHOTS, (room_id, snapshot.number - SNAPSHOT_INTERVAL * SNAPSHOTS_KEPT)))
        return self._put(writes, room_id, events)

    async def add_chat(self, room_id: str, message: ChatMessage) -> None:
        """Store a chat message."""
        await self._put([(_ADD_CHAT, (room_id, *message))])

    async def add_key(self, secret: bytes) -> None:
        """Store a new signing key."""
        await self._put([(_ADD_KEY, (now(), secret))])

    async def drop_keys(self, before: int) -> None:
        """Delete the signing keys that were created before a time."""
        await self._put([(_DROP_KEYS, (before,))])

    async def copy_room(self, room: LoadedRoom, chat: Sequence[ChatMessage]) -> None:
        """Store a room of another store with everything that belongs to it."""
        row = room.row
        writes: list[Write] = [(_ADD_ROOM, row), (_ADD_HEAD, (row.id, 0, chain.first_hash(row)))]
        writes += [(_ADD_SNAPSHOT, (row.id, *snapshot)) for snapshot in room.snapshots]
        writes += [(_ADD_CHAT, (row.id, *message)) for message in chat]
        await self._put(writes, row.id, room.events)

    async def copy_keys(self, keys: Sequence[SigningKey]) -> None:
        """Store the signing keys of another store under the same ids."""
        await self._put([(_COPY_KEY, key) for key in keys])

    def _put(self, writes: list[Write], room_id: str = "", events: Sequence[StoredEvent] = ()) -> Future[None]:
        if self.writer is None:
            raise StaleError
        last_numbers = [(room_id, events[-1].number if events else 0)] if room_id else []
        return self.writer.put(writes, [(room_id, *event) for event in events], last_numbers)

    # Reading.

    async def load(self, room_id: str) -> LoadedRoom | None:
        """Return a room with its whole log. Raises RoomError `table.damaged` unless it is what was written."""
        return await asyncio.to_thread(self._load, room_id)

    def _load(self, room_id: str) -> LoadedRoom | None:
        with loading.connected(self.path) as connection:
            written = journal.read(self.path).get(room_id) if room_id in self._truncated else None
            return loading.load(connection, room_id, written)

    async def read(self, statement: sa.Select[Any]) -> list[Any]:
        """Return the rows of a select. Raises RoomError `store.failing` if they cannot be read."""
        try:
            async with self._engine.connect() as connection:
                return list((await connection.execute(statement)).all())
        except SQLAlchemyError as fault:
            raise RoomError("store.failing", 503, reason=str(getattr(fault, "orig", None) or fault)) from None

    async def close(self) -> None:
        """Write everything that is waiting, and close the store."""
        if self.writer is not None:
            await self.writer.close()
        await self._engine.dispose()


def _engine(path: Path) -> AsyncEngine:
    engine = create_async_engine(f"sqlite+aiosqlite:///{path}", poolclass=StaticPool)

    @sa.event.listens_for(engine.sync_engine, "connect")
    def _set_pragmas(connection: Any, record: object) -> None:
        cursor = connection.cursor()
        for pragma in PRAGMAS:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine


def _migrate(connection: sa.Connection) -> None:
    """Migrate a store to the newest version in one transaction."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    upgrade(connection)
    connection.commit()


def _truncated_rooms(path: Path) -> dict[str, int]:
    """Return the rooms that have lost events with the number of events that the journal knows of."""
    numbers = journal.read(path)
    if not numbers:
        return {}
    with loading.connected(path) as connection:
        found = {room.decode("ascii", "replace"): number for room, number in connection.execute(_LAST_NUMBERS)}
    truncated = {room: number for room, number in numbers.items() if found.get(room, -1) < number}
    if truncated:
        LOGGER.warning("%s: %d rooms have lost events and are refused: quadriga check", path, len(truncated))
    return truncated
