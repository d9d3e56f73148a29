"""A copy of a store has everything of it, also if it is interrupted and made again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from quadriga.server.protocol.parts import Days
from quadriga.server.protocol.requests import Create, Join, SeatRequest
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.room import Room
from quadriga.server.state.events import Status
from quadriga.server.storage import backup, copying
from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import StoredDeadline
from quadriga.server.storage.days_schema import DEADLINES
from quadriga.server.storage.people_schema import PEOPLE
from server.rooms.days.support import stored
from server.support.listeners import opened_registry
from server.support.services import shared_postgres

ROW = StoredDeadline("a", 5, "due", 5, "x")


async def by_days(registry: Registry) -> Room:
    """Start a game of two people by days."""
    seats = [SeatRequest("me"), SeatRequest("open")]
    room, token = await registry.create(Create(game="ur", name="Ann", seats=seats, days=Days(3)))
    await registry.join(room, Join(name="Bob"), None)
    await registry.start(room, token)
    return room


@pytest.mark.parametrize("is_shared", [False, True])
async def test_a_game_by_days_that_is_put_back_goes_on(tmp_path: Path, is_shared: bool):
    """The game was over since the backup, so it had no deadline any more."""
    path, file = tmp_path / "tables.sqlite", tmp_path / "backup.sqlite"
    url = shared_postgres().new_database() if is_shared else ""
    store = url or path
    async with opened_registry(store, sweep=0.02) as registry:
        room = await by_days(registry)
        table, before = room.state.id, await stored(registry.store)
        if url:
            await asyncio.to_thread(copying.backup, url, file)
        else:
            backup.backup(path, file)
        async with room.exclusive():
            await room.change(Status("ended"))
        assert await stored(registry.store) == []
    if url:
        await asyncio.to_thread(copying.restore_room, file, url, table)
    else:
        backup.restore_room(file, path, table)
    async with opened_registry(store, sweep=0.02) as registry:
        while await stored(registry.store) != before:
            await asyncio.sleep(0.01)


async def test_a_copy_that_was_interrupted_among_the_people_is_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    source, target = tmp_path / "old.sqlite", tmp_path / "new.sqlite"
    store = await open_store(source)
    person = {"id": "p", "created": 0, "seen": 0, "role": "guest", "public": False}
    await store.transact(lambda connection: connection.execute(PEOPLE.insert().values(**person)) and None)
    await store.transact(lambda connection: connection.execute(DEADLINES.insert().values(ROW)) and None)
    await store.close()
    insert = copying._insert

    def broken(table: sa.Table, *rest: Any) -> None:
        if table is DEADLINES:
            raise KeyboardInterrupt
        insert(table, *rest)

    monkeypatch.setattr(copying, "_insert", broken)
    with pytest.raises(KeyboardInterrupt):
        await asyncio.to_thread(copying.copy, source, target)
    monkeypatch.undo()
    await asyncio.to_thread(copying.copy, source, target)
    store = await open_store(target)
    assert await stored(store) == [ROW]
    await store.close()
