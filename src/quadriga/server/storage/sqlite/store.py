"""The store on SQLite: write-ahead log, full synchronisation, and one writer that commits in groups."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from sqlite3 import Error
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import StaticPool

from quadriga.server.logs import LOGGER
from quadriga.server.protocol.errors import RoomError, StaleError, TakenError
from quadriga.server.storage import journal, lock, opening, private, room_reader
from quadriga.server.storage.archive_schema import ARCHIVE
from quadriga.server.storage.base import (
    LoadedRoom,
)
from quadriga.server.storage.migrating import upgrade
from quadriga.server.storage.schema import CHAT, HEAD, HEADS, KEYS, SNAPSHOTS, TABLES
from quadriga.server.storage.sqlite.writer import PRAGMAS, SqliteWriter, compiled_sql
from quadriga.server.storage.store import Statements, Store

_STATEMENTS = Statements(
    add_room=compiled_sql(TABLES.insert()),
    add_head=compiled_sql(HEADS.insert()),
    add_archived=compiled_sql(ARCHIVE.insert()),
    add_chat=compiled_sql(CHAT.insert()),
    add_author="INSERT OR REPLACE INTO chat_authors (table_id, number, subject) VALUES (?, ?, ?)",
    set_status=compiled_sql(sa.update(TABLES).where(TABLES.c.id == "").values(status="")),
    add_snapshot=compiled_sql(SNAPSHOTS.insert().prefix_with("OR REPLACE")),
    drop_snapshots=compiled_sql(sa.delete(SNAPSHOTS).where(SNAPSHOTS.c.table_id == "", SNAPSHOTS.c.number <= 0)),
    add_key=compiled_sql(KEYS.insert().values(created=0, secret=b"")),
    copy_key=compiled_sql(KEYS.insert()),
    drop_keys=compiled_sql(sa.delete(KEYS).where(KEYS.c.created < 0)),
    put_game="INSERT INTO games (table_id, game, status, turn, changed, seats, turn_seat, turn_number) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (table_id) DO UPDATE SET status = excluded.status, turn = excluded.turn, "
    "changed = excluded.changed, seats = excluded.seats, "
    "turn_seat = CASE WHEN excluded.status = 'paused' THEN games.turn_seat ELSE excluded.turn_seat END, "
    "turn_number = CASE WHEN excluded.status = 'paused' OR excluded.turn_seat IS games.turn_seat "
    "THEN games.turn_number ELSE excluded.turn_number END",
    add_open="INSERT INTO open_tables (table_id, opened, fill_at, claimed) VALUES (?, ?, ?, 0)",
    drop_open="DELETE FROM open_tables WHERE table_id = ?",
    end_player="UPDATE players SET ended = ?, place = ? WHERE table_id = ? AND holder = ?",
    tell_turn="INSERT INTO outbox (channel_id, kind, table_id, key, since, due, tries, state) "
    "SELECT c.id, 'turn', g.table_id, g.turn_number, ?, ?, 0, 'waiting' FROM games g "
    "JOIN players p ON p.table_id = g.table_id AND p.holder = ? JOIN channels c ON c.person_id = p.person_id "
    "WHERE g.table_id = ? AND g.turn_number = ? ON CONFLICT DO NOTHING",
    tell_warning="INSERT INTO outbox (channel_id, kind, table_id, key, since, due, tries, state) "
    "SELECT c.id, 'warning', g.table_id, g.turn_number, ?, ?, 0, 'waiting' FROM games g "
    "JOIN players p ON p.table_id = g.table_id AND p.holder = ? JOIN channels c ON c.person_id = p.person_id "
    "WHERE g.table_id = ? ON CONFLICT DO NOTHING",
    tell_end="INSERT INTO outbox (channel_id, kind, table_id, key, since, due, tries, state) "
    "SELECT c.id, 'over', p.table_id, 0, ?, ?, 0, 'waiting' FROM players p "
    "JOIN channels c ON c.person_id = p.person_id WHERE p.table_id = ? ON CONFLICT DO NOTHING",
    put_deadline="INSERT OR REPLACE INTO deadlines (table_id, due, kind, ends, holder) VALUES (?, ?, ?, ?, ?)",
    drop_deadline="DELETE FROM deadlines WHERE table_id = ?",
)
T = TypeVar("T")
_LAST_NUMBERS = "SELECT table_id, number FROM heads"


class SqliteStore(Store):
    """All rooms in one file. Implements `Storage`."""

    statements = _STATEMENTS
    writer: SqliteWriter | None

    def __init__(self, path: Path, held: Path) -> None:
        self.path = path
        self._lock = held
        self._engine = _engine(path)
        self._changing = _changing_engine(path)
        self._changes = ThreadPoolExecutor(1, "store changes")
        self._truncated: dict[str, int] = {}  # rooms that have lost events, and how many were written
        self.writer = None

    @classmethod
    async def opened(cls, path: Path) -> SqliteStore:
        """Open the store in a file; create or migrate it if needed.

        Raises FileError if it cannot be used, or if another process uses it.
        """
        await asyncio.to_thread(opening.version, path)  # what is no store is left alone
        held = lock.acquire(path)
        try:
            return await cls._opened(path, held)
        except BaseException:
            lock.release(held)
            raise

    @classmethod
    async def _opened(cls, path: Path, held: Path) -> SqliteStore:
        """Open the store in a file that this process has locked."""
        version = await asyncio.to_thread(opening.version, path)
        store = cls(path, held)
        try:
            private.create(path)
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

    async def load(self, room_id: str) -> LoadedRoom | None:
        """Return a room with its whole log. Raises RoomError `table.damaged` unless it is what was written."""
        return await asyncio.to_thread(self._load, room_id)

    def _load(self, room_id: str) -> LoadedRoom | None:
        with room_reader.connected(self.path) as connection:
            written = journal.read(self.path).get(room_id) if room_id in self._truncated else None
            return room_reader.load(connection, room_id, written)

    async def read(self, statement: sa.Select[Any]) -> list[Any]:
        """Return the rows of a select. Raises RoomError `store.failing` if they cannot be read."""
        try:
            async with self._engine.connect() as connection:
                return list((await connection.execute(statement)).all())
        except SQLAlchemyError as fault:
            raise RoomError("store.failing", 503, reason=str(getattr(fault, "orig", None) or fault)) from None

    async def transact(self, work: Callable[[sa.Connection], T]) -> T:
        """Run a function in a transaction that may write; return what it returns. See `Storage`."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._changes, self._transact, work)
        except RuntimeError:  # the thread has ended
            raise StaleError from None

    def _transact(self, work: Callable[[sa.Connection], T]) -> T:
        try:
            with self._changing.begin() as connection:
                return work(connection)
        except IntegrityError:
            raise TakenError from None
        except SQLAlchemyError as fault:
            raise RoomError("store.failing", 503, reason=str(getattr(fault, "orig", None) or fault)) from None

    async def close(self) -> None:
        """Write everything that is waiting, and close the store."""
        try:
            await asyncio.to_thread(self._changes.shutdown)
            self._changing.dispose()
            if self.writer is not None:
                await self.writer.close()
            await self._engine.dispose()
        finally:
            lock.release(self._lock)


def _engine(path: Path) -> AsyncEngine:
    engine = create_async_engine(f"sqlite+aiosqlite:///{path}", poolclass=StaticPool)

    _set_pragmas(engine.sync_engine)
    return engine


def _changing_engine(path: Path) -> sa.Engine:
    """Return an engine for `transact`: beside the writer of the logs, and one transaction at a time."""
    options = {"check_same_thread": False, "isolation_level": None}
    engine = sa.create_engine(f"sqlite:///{path}", poolclass=StaticPool, connect_args=options)
    _set_pragmas(engine)

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _set_pragmas(engine: sa.Engine) -> None:
    @sa.event.listens_for(engine, "connect")
    def _connected(connection: Any, record: object) -> None:
        cursor = connection.cursor()
        for pragma in PRAGMAS:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()


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
    with room_reader.connected(path) as connection:
        found = {room.decode("ascii", "replace"): number for room, number in connection.execute(_LAST_NUMBERS)}
    truncated = {room: number for room, number in numbers.items() if found.get(room, -1) < number}
    if truncated:
        LOGGER.warning("%s: %d rooms have lost events and are refused: quadriga check", path, len(truncated))
    return truncated
