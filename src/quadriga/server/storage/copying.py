"""Copy a store into another, of the same or of another kind, and verify the chain of every log on both sides.

A copy that was interrupted is continued by the same command: rooms that are there already are only compared.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import sqlalchemy as sa

from quadriga.engine.errors import FileError, QuadrigaError
from quadriga.server.protocol.errors import PACKAGE, RoomError
from quadriga.server.storage import backup as store_backup
from quadriga.server.storage.address import check_current, open_store, shown
from quadriga.server.storage.base import LoadedRoom, SharedStorage, Storage
from quadriga.server.storage.days_schema import DEADLINES, VACATIONS
from quadriga.server.storage.leagues_schema import LEAGUES_COPIED
from quadriga.server.storage.lobby_schema import LOBBY_COPIED
from quadriga.server.storage.mail_schema import MAIL_COPIED
from quadriga.server.storage.moderation_schema import HOUSE_LOG, MODERATION_COPIED
from quadriga.server.storage.notices_schema import COPIED as COPIED_NOTICES
from quadriga.server.storage.oidc_schema import OIDC_COPIED
from quadriga.server.storage.opening import refused
from quadriga.server.storage.people_schema import AUDIT, COPIED, GAMES, PEOPLE
from quadriga.server.storage.scores_schema import SCORES_COPIED
from quadriga.server.storage.tournaments_schema import TOURNAMENTS_COPIED

Progress = Callable[[int, int], None]
_ALL_CHAT = 2**31 - 1


class Copied(NamedTuple):
    """The number of copied things, and the address of the copy."""

    rooms: int
    events: int
    target: str


def copy(source: Path | str, target: Path | str, progress: Progress = lambda done, total: None) -> Copied:
    """Copy a store. Raises FileError if a room cannot be read, or if the target has another one of the same id."""
    check_current(source)
    return asyncio.run(_copy(source, target, progress))


def backup(source: str, target: Path, progress: Progress = lambda done, total: None) -> int:
    """Copy a database into a new file, also while people play. Return the number of rooms in it.

    Everything is copied as of one moment. The file is complete or does not exist.
    """
    if target.exists():
        raise refused("there", target)
    try:
        with TemporaryDirectory(prefix=target.name, dir=target.parent) as folder:
            copied = copy(source, Path(folder) / target.name, progress)
            store_backup.backup(Path(folder) / target.name, target)
    except OSError as fault:
        raise refused("open", target, reason=fault.strerror or fault) from None
    return copied.rooms


def restore_room(source: Path, target: str, room_id: str) -> int:
    """Replace one room of a database by the same room of a file, also while servers run.

    Return the number of its events. Raises FileError if the file has no such room, or a damaged one.
    """
    for each in (source, target):
        check_current(each)
    return asyncio.run(_restore_room(source, target, room_id))


async def _restore_room(source: Path, target: str, room_id: str) -> int:
    old = await open_store(source)
    try:
        room = await _loaded(old, room_id, shown(source))
        new = await open_store(target)
        try:
            assert isinstance(new, SharedStorage)
            await new.replace_room(room, await old.chat(room_id, _ALL_CHAT))
            for table in (GAMES, DEADLINES):
                await _replace_row(old, new, table, room_id)
        finally:
            await new.close()
    finally:
        await old.close()
    return len(room.events)


async def _replace_row(old: Storage, new: Storage, table: sa.Table, room_id: str) -> None:
    """Put the row of a room in place of the one of the other store, if there is one in either."""
    own = table.c.table_id == room_id
    rows = [row._asdict() for row in await old.read(sa.select(table).where(own))]

    def work(connection: sa.Connection) -> None:
        connection.execute(sa.delete(table).where(own))
        if rows:
            connection.execute(table.insert(), rows)

    await new.transact(work)


async def _copy(source: Path | str, target: Path | str, progress: Progress) -> Copied:
    old = await open_store(source)
    try:
        if isinstance(old, SharedStorage):  # rooms, people and deadlines as of one moment, while others write
            await old.freeze()
        new = await open_store(target)
        try:
            await _copy_keys(old, new, shown(target))
            await _copy_people(old, new)
            ids = await old.room_ids()
            known = set(await new.room_ids())
            events = 0
            for done, room_id in enumerate(ids):
                progress(done, len(ids))
                room = await _loaded(old, room_id, shown(source))
                if room_id not in known:
                    await new.copy_room(room, await old.chat(room_id, _ALL_CHAT))
                copied = await _loaded(new, room_id, shown(target))
                if (copied.row, copied.head) != (room.row, room.head):
                    raise FileError("store.copied", package=PACKAGE, room=room_id, path=shown(target))
                events += len(room.events)
            progress(len(ids), len(ids))
            return Copied(len(ids), events, shown(target))
        finally:
            await new.close()
    finally:
        await old.close()


async def _copy_keys(old: Storage, new: Storage, target: str) -> None:
    """Copy the signing keys, so that tokens stay valid."""
    keys, known = await old.keys(), await new.keys()
    if known and known != keys:
        raise FileError("store.keys", package=PACKAGE, path=target)
    if keys and not known:
        await new.copy_keys(keys)


async def _copy_people(old: Storage, new: Storage) -> None:
    """Copy everything about people and deadlines, unless the target has people already: all of it or nothing."""
    if await new.read(sa.select(PEOPLE.c.id).limit(1)):
        return
    tables = (
        *COPIED,
        *MAIL_COPIED,
        *OIDC_COPIED,
        *LOBBY_COPIED,
        *COPIED_NOTICES,
        *SCORES_COPIED,
        *LEAGUES_COPIED,
        *MODERATION_COPIED,
        *TOURNAMENTS_COPIED,
        VACATIONS,
        DEADLINES,
    )
    rows = {table: [row._asdict() for row in await old.read(sa.select(table))] for table in tables}

    def work(connection: sa.Connection) -> None:
        for table in tables:
            _insert(table, rows[table], connection)

    await new.transact(work)


def _insert(table: sa.Table, rows: list[dict[str, object]], connection: sa.Connection) -> None:
    """Replace the rows of a table."""
    connection.execute(sa.delete(table))
    if rows:
        connection.execute(table.insert(), rows)
    if table in (AUDIT, HOUSE_LOG) and connection.dialect.name == "postgresql":
        name = table.name
        counter = (
            f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), (SELECT coalesce(max(id), 0) + 1 FROM {name}))"
        )
        connection.execute(sa.text(counter))


async def _loaded(store: Storage, room_id: str, path: str) -> LoadedRoom:
    """Return a room whose chain is verified."""
    try:
        room = await store.load(room_id)
    except QuadrigaError as fault:
        raise FileError("store.room", package=PACKAGE, path=path, room=room_id, reason=fault) from None
    if room is None:
        raise FileError("store.room", package=PACKAGE, path=path, room=room_id, reason=RoomError("table.unknown"))
    return room
