"""The store on SQLite: write-ahead log, full synchronisation, and one writer that commits in groups."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import StaticPool

from quadriga.engine.errors import FileError
from quadriga.table import metrics
from quadriga.table.refusals import PACKAGE, StaleError
from quadriga.table.schema import CHAT, HEAD, KEYS, LOG, TABLES
from quadriga.table.store import Kept, Key, Line, Talk, now

_GROUP = 512  # writes in one transaction, at the most
Write = tuple[sa.Executable, Any]


class _Job:
    """Statements that belong together, and who waits for them."""

    __slots__ = ("done", "writes")

    def __init__(self, writes: list[Write]) -> None:
        self.writes = writes
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class SqliteStore:
    """All tables in one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writing = _engine(path)
        self._reading = _engine(path)
        self._connection: AsyncConnection | None = None
        self._waiting: list[_Job] = []
        self._some = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._closed = False

    @classmethod
    async def opened(cls, path: Path) -> SqliteStore:
        """The store in a file, made or brought up to date where needed."""
        store = cls(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            async with store._writing.connect() as connection:
                await _migrate(connection, path)
            store._connection = await store._writing.connect()
        except FileError:
            await store._dispose()
            raise
        except (OSError, SQLAlchemyError) as fault:
            await store._dispose()
            reason = str(getattr(fault, "orig", None) or fault)
            raise FileError("store.open", package=PACKAGE, path=str(path), reason=reason) from None
        store._writer = asyncio.create_task(store._write(), name="store")
        return store

    # Writing.

    async def create(self, table: Kept, lines: list[Line]) -> None:
        """Keep a new table with the first lines of its log."""
        await self._put([(TABLES.insert(), [table._asdict()]), _inserted(table.id, lines)])

    async def append(self, table: str, lines: list[Line], status: str | None = None) -> None:
        """Add lines to a log, all or none."""
        writes = [_inserted(table, lines)]
        if status is not None:
            writes.append((sa.update(TABLES).where(TABLES.c.id == table).values(status=status), None))
        await self._put(writes)

    async def say(self, table: str, talk: Talk) -> None:
        """Keep something said."""
        await self._put([(CHAT.insert(), [{"table_id": table, **talk._asdict()}])])

    async def add_key(self, secret: bytes) -> None:
        """Keep a new key."""
        await self._put([(KEYS.insert(), [{"created": now(), "secret": secret}])])

    async def drop_keys(self, before: int) -> None:
        """Forget keys made before a moment."""
        await self._put([(sa.delete(KEYS).where(KEYS.c.created < before), None)])

    async def _put(self, writes: list[Write]) -> None:
        if self._closed:
            raise StaleError
        job = _Job(writes)
        self._waiting.append(job)
        self._some.set()
        await job.done

    async def _write(self) -> None:
        """The one writer: takes all that is waiting, commits it as one group, and tells those who wait."""
        while True:
            await self._some.wait()
            self._some.clear()
            while self._waiting:
                group, self._waiting = self._waiting[:_GROUP], self._waiting[_GROUP:]
                await self._commit(group)

    async def _commit(self, group: list[_Job]) -> None:
        try:
            with metrics.commit_seconds.time():
                await self._transaction(_merged(group))
        except Exception as fault:
            if len(group) > 1:  # one of them spoils it for all: each on its own
                for job in group:
                    await self._commit([job])
                return
            _fail(group[0], StaleError() if isinstance(fault, IntegrityError) else fault)
            return
        metrics.commits.inc()
        metrics.rows.inc(len(group))
        for job in group:
            if not job.done.done():
                job.done.set_result(None)

    async def _transaction(self, writes: Sequence[Write]) -> None:
        assert self._connection is not None
        try:
            for statement, rows in writes:
                await self._connection.execute(statement, rows)
            await self._connection.commit()
        except BaseException:
            with suppress(SQLAlchemyError):
                await self._connection.rollback()
            raise

    # Reading.

    async def find(self, table: str) -> Kept | None:
        """A table by its id."""
        rows = await self._read(sa.select(TABLES).where(TABLES.c.id == table))
        return Kept._make(rows[0]) if rows else None

    async def lines(self, table: str, after: int = 0) -> list[Line]:
        """The log of a table after a line."""
        columns = (LOG.c.number, LOG.c.at, LOG.c.kind, LOG.c.body)
        chosen = sa.select(*columns).where(LOG.c.table_id == table, LOG.c.number > after)
        return [Line._make(row) for row in await self._read(chosen.order_by(LOG.c.number))]

    async def talk(self, table: str, most: int) -> list[Talk]:
        """The last things said, in order."""
        columns = (CHAT.c.number, CHAT.c.at, CHAT.c.seat, CHAT.c.name, CHAT.c.text)
        chosen = sa.select(*columns).where(CHAT.c.table_id == table).order_by(CHAT.c.number.desc()).limit(most)
        return [Talk._make(row) for row in reversed(await self._read(chosen))]

    async def open_tables(self, most: int) -> list[str]:
        """The ids of public tables that wait or play."""
        standing = TABLES.c.status.in_(("waiting", "playing", "paused"))
        chosen = sa.select(TABLES.c.id).where(TABLES.c.public, standing)
        return [row[0] for row in await self._read(chosen.order_by(TABLES.c.created.desc()).limit(most))]

    async def keys(self) -> list[Key]:
        """All keys, the oldest first."""
        return [Key._make(row) for row in await self._read(sa.select(KEYS).order_by(KEYS.c.id))]

    async def _read(self, statement: sa.Select[Any]) -> list[Any]:
        async with self._reading.connect() as connection:
            return list((await connection.execute(statement)).all())

    async def close(self) -> None:
        """Write what is waiting, and let go."""
        self._closed = True
        while self._waiting:
            await asyncio.sleep(0.005)
        if self._writer is not None:
            self._writer.cancel()
            with suppress(asyncio.CancelledError):
                await self._writer
        if self._connection is not None:
            await self._connection.close()
        await self._dispose()

    async def _dispose(self) -> None:
        await self._writing.dispose()
        await self._reading.dispose()


def _inserted(table: str, lines: list[Line]) -> Write:
    return LOG.insert(), [{"table_id": table, **line._asdict()} for line in lines]


def _merged(group: list[_Job]) -> list[Write]:
    """The statements of a group, log lines of one sort put together in one go."""
    logged: list[Any] = []
    writes: list[Write] = []
    for job in group:
        for statement, rows in job.writes:
            if getattr(statement, "table", None) is LOG and isinstance(rows, list):
                logged += rows
            else:
                writes.append((statement, rows))
    return [*writes, (LOG.insert(), logged)] if logged else writes


def _fail(job: _Job, fault: Exception) -> None:
    if not job.done.done():
        job.done.set_exception(fault)


def _engine(path: Path) -> AsyncEngine:
    engine = create_async_engine(f"sqlite+aiosqlite:///{path}", poolclass=StaticPool)

    @sa.event.listens_for(engine.sync_engine, "connect")
    def _connected(connection: Any, record: object) -> None:
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine


async def _migrate(connection: AsyncConnection, path: Path) -> None:
    """Bring a store up to date; Alembic is only loaded where there is something to do."""
    found = await connection.run_sync(_version)
    if found == HEAD:
        return
    await connection.run_sync(_upgrade, path, found)
    await connection.commit()


def _version(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(connection: sa.Connection, path: Path, found: str | None) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    known = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    if found is not None and found not in known:
        raise FileError("store.newer", package=PACKAGE, path=str(path), found=found, known=HEAD)
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
