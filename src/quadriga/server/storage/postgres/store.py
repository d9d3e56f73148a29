"""The store on PostgreSQL. Any number of processes write to it; the number of an event is written once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import psycopg
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from quadriga.server.protocol.errors import RoomError, StaleError, TakenError
from quadriga.server.storage import chain
from quadriga.server.storage.archive.moving import EVENT_COLUMNS, Archived, archived, joined
from quadriga.server.storage.base import (
    ChatMessage,
    Head,
    LoadedRoom,
    Pulse,
    Snapshot,
    StoredEvent,
    StoredRoom,
    Visitors,
)
from quadriga.server.storage.postgres import coordination, database
from quadriga.server.storage.postgres.writer import PostgresWriter
from quadriga.server.storage.schema import HEADS, LOG, SNAPSHOTS, TABLES
from quadriga.server.storage.store import Statements, Store
from quadriga.server.storage.writer import Write

_STATEMENTS = Statements(
    add_room="INSERT INTO tables (id, created, public, status, setup) VALUES (%s, %s, %s, %s, %b)",
    add_head="INSERT INTO heads (table_id, number, hash) VALUES (%s, %s, %b)",
    add_archived="INSERT INTO archive (table_id, number, hash, body) VALUES (%s, %s, %b, %b)",
    add_chat="INSERT INTO chat (table_id, number, at, seat, name, text) VALUES (%s, %s, %s, %s, %s, %s)",
    add_author="INSERT INTO chat_authors (table_id, number, subject) VALUES (%s, %s, %s) "
    "ON CONFLICT (table_id, number) DO UPDATE SET subject = EXCLUDED.subject",
    set_status="UPDATE tables SET status = %s WHERE id = %s",
    add_snapshot="INSERT INTO snapshots (table_id, number, body) VALUES (%s, %s, %b) "
    "ON CONFLICT (table_id, number) DO UPDATE SET body = EXCLUDED.body",
    drop_snapshots="DELETE FROM snapshots WHERE table_id = %s AND number <= %s",
    add_key="INSERT INTO keys (created, secret) VALUES (%s, %b)",
    copy_key="INSERT INTO keys (id, created, secret) VALUES (%s, %s, %b)",
    drop_keys="DELETE FROM keys WHERE created < %s",
    put_game="INSERT INTO games (table_id, game, status, turn, changed, seats, turn_seat, turn_number) "
    "VALUES (%s, %s, %s, %s, %s, %b, %s, %s) "
    "ON CONFLICT (table_id) DO UPDATE SET status = EXCLUDED.status, turn = EXCLUDED.turn, "
    "changed = EXCLUDED.changed, seats = EXCLUDED.seats, "
    "turn_seat = CASE WHEN EXCLUDED.status = 'paused' THEN games.turn_seat ELSE EXCLUDED.turn_seat END, "
    "turn_number = CASE WHEN EXCLUDED.status = 'paused' OR EXCLUDED.turn_seat IS NOT DISTINCT FROM games.turn_seat "
    "THEN games.turn_number ELSE EXCLUDED.turn_number END",
    add_open="INSERT INTO open_tables (table_id, opened, fill_at, claimed) VALUES (%s, %s, %s, 0)",
    drop_open="DELETE FROM open_tables WHERE table_id = %s",
    end_player="UPDATE players SET ended = %s, place = %s WHERE table_id = %s AND holder = %s",
    tell_turn="INSERT INTO outbox (channel_id, kind, table_id, key, since, due, tries, state) "
    "SELECT c.id, 'turn', g.table_id, g.turn_number, %s, %s, 0, 'waiting' FROM games g "
    "JOIN players p ON p.table_id = g.table_id AND p.holder = %s JOIN channels c ON c.person_id = p.person_id "
    "WHERE g.table_id = %s AND g.turn_number = %s ON CONFLICT DO NOTHING",
    tell_warning="INSERT INTO outbox (channel_id, kind, table_id, key, since, due, tries, state) "
    "SELECT c.id, 'warning', g.table_id, g.turn_number, %s, %s, 0, 'waiting' FROM games g "
    "JOIN players p ON p.table_id = g.table_id AND p.holder = %s JOIN channels c ON c.person_id = p.person_id "
    "WHERE g.table_id = %s ON CONFLICT DO NOTHING",
    tell_end="INSERT INTO outbox (channel_id, kind, table_id, key, since, due, tries, state) "
    "SELECT c.id, 'over', p.table_id, 0, %s, %s, 0, 'waiting' FROM players p "
    "JOIN channels c ON c.person_id = p.person_id WHERE p.table_id = %s ON CONFLICT DO NOTHING",
    put_deadline="INSERT INTO deadlines (table_id, due, kind, ends, holder) VALUES (%s, %s, %s, %s, %s) "
    "ON CONFLICT (table_id) DO UPDATE SET due = EXCLUDED.due, kind = EXCLUDED.kind, ends = EXCLUDED.ends, "
    "holder = EXCLUDED.holder",
    drop_deadline="DELETE FROM deadlines WHERE table_id = %s",
    after_copied_keys=("SELECT setval(pg_get_serial_sequence('keys', 'id'), (SELECT max(id) FROM keys))",),
)
_DROP_ROOM = (
    "DELETE FROM chat WHERE table_id = %s",
    "DELETE FROM snapshots WHERE table_id = %s",
    "DELETE FROM log WHERE table_id = %s",
    "DELETE FROM archive WHERE table_id = %s",
    "DELETE FROM heads WHERE table_id = %s",
    "DELETE FROM tables WHERE id = %s",
)
_READERS = 4  # threads
T = TypeVar("T")


class PostgresStore(Store):
    """All rooms in one database. Implements `SharedStorage`."""

    statements = _STATEMENTS
    writer: PostgresWriter

    def __init__(self, url: str, engine: sa.Engine, writer: PostgresWriter) -> None:
        self.url = url
        self.writer = writer
        self._engine = engine
        self._moment: sa.Connection | None = None  # its transaction keeps the moment of a frozen store
        self._threads = ThreadPoolExecutor(_READERS, "store reader")  # bots keep the default threads busy

    @classmethod
    async def opened(cls, url: str) -> PostgresStore:
        """Open the store in a database; create or migrate it if needed. Raises FileError if it cannot be used."""
        engine = await asyncio.to_thread(database.opened, url)
        try:
            writer = PostgresWriter(partial(database.connect, url, autocommit=True))
        except psycopg.Error as fault:
            engine.dispose()
            raise database.refused("open", url, reason=str(fault).partition("\n")[0]) from None
        writer.start()
        return cls(url, engine, writer)

    async def freeze(self) -> None:
        """Read everything as of this moment from now on, whatever others write."""
        await self._in_thread(self._freeze)

    def _freeze(self) -> None:
        frozen = self._engine.execution_options(isolation_level="REPEATABLE READ")
        self._moment = frozen.connect()
        name = self._moment.exec_driver_sql("SELECT pg_export_snapshot()").scalar_one()

        @sa.event.listens_for(frozen, "begin")
        def _(connection: sa.Connection) -> None:
            connection.exec_driver_sql(f"SET TRANSACTION SNAPSHOT '{name}'")

        self._engine = frozen

    async def replace_room(self, room: LoadedRoom, chat: Sequence[ChatMessage]) -> None:
        """Store a room of another store in place of the one of the same id, if there is one."""
        dropped: list[Write] = [(statement, (room.row.id,)) for statement in _DROP_ROOM]
        await self._put([*dropped, *self._whole_room(room, chat)], room.row.id, room.events[room.archived :])

    # Reading.

    async def load(self, room_id: str) -> LoadedRoom | None:
        """Return a room with its whole log. Raises RoomError `table.damaged` unless it is what was written."""
        if "\0" in room_id:  # no text of PostgreSQL has this character
            return None
        return await self._in_thread(self._load, room_id)

    def _load(self, room_id: str) -> LoadedRoom | None:
        with self._engine.connect() as connection:
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
            room = connection.execute(sa.select(TABLES).where(TABLES.c.id == room_id)).first()
            if room is None:
                return None
            head = connection.execute(
                sa.select(HEADS.c.number, HEADS.c.hash).where(HEADS.c.table_id == room_id)
            ).first()
            log = sa.select(*EVENT_COLUMNS).where(LOG.c.table_id == room_id).order_by(LOG.c.number)
            events = [StoredEvent._make(row) for row in connection.execute(log)]
            taken = sa.select(SNAPSHOTS.c.number, SNAPSHOTS.c.body).where(SNAPSHOTS.c.table_id == room_id)
            snapshots = [Snapshot._make(row) for row in connection.execute(taken)]
            archive = connection.execute(archived(room_id)).first()
        row, found = StoredRoom._make(room), None if head is None else Head._make(head)
        packed = None if archive is None else Archived._make(archive)
        events = joined(row, packed, events)
        chain.verify(row, events, found)
        assert found is not None
        return LoadedRoom(row, found, events, snapshots, packed.number if packed else 0)

    async def read(self, statement: sa.Select[Any]) -> list[Any]:
        """Return the rows of a select. Raises RoomError `store.failing` if they cannot be read."""
        return await self._in_thread(self._read, statement)

    def _read(self, statement: sa.Select[Any]) -> list[Any]:
        with self._engine.connect() as connection:
            return list(connection.execute(statement).all())

    async def transact(self, work: Callable[[sa.Connection], T]) -> T:
        """Run a function in a transaction that may write; return what it returns. See `Storage`."""
        return await self._in_thread(self._transact, work)

    def _transact(self, work: Callable[[sa.Connection], T]) -> T:
        try:
            with self._engine.begin() as connection:
                return work(connection)
        except IntegrityError:
            raise TakenError from None

    # Other processes.

    async def pulse(
        self,
        process: str,
        lease_s: float,
        visitors: Mapping[str, Visitors],
        wanted: Sequence[str],
        known: Sequence[str],
    ) -> Pulse:
        """Renew the leases of a process, and return what other processes have done. See `SharedStorage`."""
        return await self._in_thread(self._pulse, process, lease_s, visitors, wanted, known)

    def _pulse(self, process: str, *more: Any) -> Pulse:
        with self._engine.begin() as connection:
            return coordination.pulse(connection, process, *more)

    async def people_at(self, rooms: Sequence[str]) -> set[tuple[str, str]]:
        """Return which people look at which of these rooms. See `SharedStorage`."""
        return await self._in_thread(self._people_at, list(rooms))

    def _people_at(self, rooms: list[str]) -> set[tuple[str, str]]:
        with self._engine.connect() as connection:
            return coordination.people_at(connection, rooms)

    async def leave(self, process: str) -> None:
        """Release all leases of a process, and forget its people."""
        await self._in_thread(self._leave, process)

    def _leave(self, process: str) -> None:
        with self._engine.begin() as connection:
            coordination.leave(connection, process)

    async def _in_thread(self, function: Callable[..., T], *arguments: Any) -> T:
        """Read in a thread. A database that does not answer is noticed by the writer too."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)
        except RuntimeError:  # the threads have ended
            raise StaleError from None
        except (SQLAlchemyError, psycopg.Error) as fault:
            self.writer.probe_soon()
            reason = str(getattr(fault, "orig", None) or fault).strip().partition("\n")[0]
            raise RoomError("store.failing", 503, reason=reason) from None

    async def close(self) -> None:
        """Write everything that is waiting, and close the store."""
        await self.writer.close()
        self._threads.shutdown()
        if self._moment is not None:
            self._moment.close()
        self._engine.dispose()
