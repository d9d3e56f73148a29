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
    SigningKey,
    Snapshot,
    Stored,
    StoredEvent,
    StoredRoom,
    now,
)
from quadriga.server.storage.schema import CHAT, HEAD, HEADS, KEYS, LOG, SNAPSHOTS, TABLES
from quadriga.server.storage.writer import PRAGMAS, Write, Writer, written

_CREATE, _SAY = written(TABLES.insert()), written(CHAT.insert())
_LAST = "SELECT table_id, number FROM heads"
_FIRST = written(HEADS.insert())
_STATUS = written(sa.update(TABLES).where(TABLES.c.id == "").values(status=""))  # the status, then the id
_SNAPSHOT = written(SNAPSHOTS.insert().prefix_with("OR REPLACE"))
_DROP_SNAPSHOTS = written(sa.delete(SNAPSHOTS).where(SNAPSHOTS.c.table_id == "", SNAPSHOTS.c.number <= 0))
_ADD_KEY = written(KEYS.insert().values(created=0, secret=b""))
_DROP_KEYS = written(sa.delete(KEYS).where(KEYS.c.created < 0))


class SqliteStore:
    """All tables in one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._engine = _engine(path)
        self._behind: dict[str, int] = {}  # rooms that have lost events, and how many were written
        self.writer: Writer | None = None

    @classmethod
    async def opened(cls, path: Path) -> SqliteStore:
        """The store in a file, made or brought up to date where needed; FileError where it cannot be used."""
        found = await asyncio.to_thread(opening.version, path)
        store = cls(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if found != HEAD:
                async with store._engine.connect() as connection:
                    await connection.run_sync(_upgrade)
            store._behind = await asyncio.to_thread(_behind, path)
            store.writer = Writer(path, store._behind)
        except (OSError, SQLAlchemyError, Error) as fault:
            await store._engine.dispose()
            reason = getattr(fault, "strerror", None) or str(getattr(fault, "orig", None) or fault)
            raise opening.refused("open", path, reason=reason) from None
        return store

    @property
    def fault(self) -> RoomError | None:
        """Why nothing can be stored now; None while all is well."""
        return None if self.writer is None else self.writer.fault

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` whenever `fault` comes or goes."""
        assert self.writer is not None
        self.writer.changed = changed

    # Writing.

    async def create(self, table: StoredRoom, lines: list[StoredEvent]) -> None:
        """Keep a new table with the first lines of its log."""
        await self._put([(_CREATE, table), (_FIRST, (table.id, 0, chain.first(table)))], table.id, lines)

    def append(
        self, table: str, lines: list[StoredEvent], status: str | None = None, snapshot: Snapshot | None = None
    ) -> Future[None]:
        """Add lines to a log, all or none."""
        writes: list[Write] = [] if status is None else [(_STATUS, (status, table))]
        if snapshot is not None:
            writes.append((_SNAPSHOT, (table, *snapshot)))
            writes.append((_DROP_SNAPSHOTS, (table, snapshot.number - SNAPSHOT_INTERVAL * SNAPSHOTS_KEPT)))
        return self._put(writes, table, lines)

    async def say(self, table: str, talk: ChatMessage) -> None:
        """Keep something said."""
        await self._put([(_SAY, (table, *talk))])

    async def add_key(self, secret: bytes) -> None:
        """Keep a new key."""
        await self._put([(_ADD_KEY, (now(), secret))])

    async def drop_keys(self, before: int) -> None:
        """Forget keys made before a moment."""
        await self._put([(_DROP_KEYS, (before,))])

    def _put(self, writes: list[Write], table: str = "", lines: Sequence[StoredEvent] = ()) -> Future[None]:
        if self.writer is None:
            raise StaleError
        numbers = [(table, lines[-1].number if lines else 0)] if table else []
        return self.writer.put(writes, [(table, *line) for line in lines], numbers)

    # Reading.

    async def load(self, table: str) -> Stored | None:
        """A table with all of its log, verified: TableError `table.damaged` where it is not what was written."""
        return await asyncio.to_thread(self._load, table)

    def _load(self, table: str) -> Stored | None:
        with loading.connected(self.path) as connection:
            written = journal.read(self.path).get(table) if table in self._behind else None
            return loading.load(connection, table, written)

    async def find(self, table: str) -> StoredRoom | None:
        """A table by its id."""
        rows = await self._read(sa.select(TABLES).where(TABLES.c.id == table))
        return StoredRoom._make(rows[0]) if rows else None

    async def lines(self, table: str, after: int = 0) -> list[StoredEvent]:
        """The log of a table after a line."""
        columns = (LOG.c.number, LOG.c.at, LOG.c.kind, LOG.c.body, LOG.c.hash)
        chosen = sa.select(*columns).where(LOG.c.table_id == table, LOG.c.number > after)
        return [StoredEvent._make(row) for row in await self._read(chosen.order_by(LOG.c.number))]

    async def snapshots(self, table: str) -> list[Snapshot]:
        """The snapshots of a table that are kept."""
        chosen = sa.select(SNAPSHOTS.c.number, SNAPSHOTS.c.body).where(SNAPSHOTS.c.table_id == table)
        return [Snapshot._make(row) for row in await self._read(chosen)]

    async def talk(self, table: str, most: int) -> list[ChatMessage]:
        """The last things said, in order."""
        columns = (CHAT.c.number, CHAT.c.at, CHAT.c.seat, CHAT.c.name, CHAT.c.text)
        chosen = sa.select(*columns).where(CHAT.c.table_id == table).order_by(CHAT.c.number.desc()).limit(most)
        return [ChatMessage._make(row) for row in reversed(await self._read(chosen))]

    async def open_tables(self, most: int) -> list[str]:
        """The ids of public tables that wait or play."""
        standing = TABLES.c.status.in_(("waiting", "playing", "paused"))
        chosen = sa.select(TABLES.c.id).where(TABLES.c.public, standing)
        return [row[0] for row in await self._read(chosen.order_by(TABLES.c.created.desc()).limit(most))]

    async def keys(self) -> list[SigningKey]:
        """All keys, the oldest first."""
        return [SigningKey._make(row) for row in await self._read(sa.select(KEYS).order_by(KEYS.c.id))]

    async def _read(self, statement: sa.Select[Any]) -> list[Any]:
        try:
            async with self._engine.connect() as connection:
                return list((await connection.execute(statement)).all())
        except SQLAlchemyError as fault:
            raise RoomError("store.failing", 503, reason=str(getattr(fault, "orig", None) or fault)) from None

    async def close(self) -> None:
        """Write what is waiting, and let go."""
        if self.writer is not None:
            await self.writer.close()
        await self._engine.dispose()


def _engine(path: Path) -> AsyncEngine:
    engine = create_async_engine(f"sqlite+aiosqlite:///{path}", poolclass=StaticPool)

    @sa.event.listens_for(engine.sync_engine, "connect")
    def _connected(connection: Any, record: object) -> None:
        cursor = connection.cursor()
        for pragma in PRAGMAS:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine


def _upgrade(connection: sa.Connection) -> None:
    """Bring a store up to date, in one transaction; Alembic is only loaded where there is something to do."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    command.upgrade(config, "head")
    connection.commit()


def _behind(path: Path) -> dict[str, int]:
    """The rooms that have lost events, and how many were written: the journal knows of more than the store."""
    numbers = journal.read(path)
    if not numbers:
        return {}
    with loading.connected(path) as connection:
        found = {room.decode("ascii", "replace"): n for room, n in connection.execute(_LAST)}
    behind = {room: number for room, number in numbers.items() if found.get(room, -1) < number}
    if behind:
        LOGGER.warning("%s: %d rooms have lost events and are refused: quadriga check", path, len(behind))
    return behind
