"""Games that ended long ago are packed: everything goes on as before, in a fraction of the space."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from quadriga.server.protocol.errors import RoomError
from quadriga.server.state import verify
from quadriga.server.storage import backup, copying
from quadriga.server.storage.address import open_store
from quadriga.server.storage.archive import moving
from quadriga.server.storage.archive.packing import pack, unpack
from quadriga.server.storage.archive_schema import ARCHIVE
from quadriga.server.storage.base import LoadedRoom, Storage
from quadriga.server.storage.schema import LOG
from quadriga.server.upkeep import archiver
from server.people.test_history import play_out
from server.people.test_identity import MANY_PROOFS
from server.support.devices import Device
from server.support.in_process import InProcessServer, in_process
from server.support.services import new_shared_store, shared_postgres

SOON = {**MANY_PROOFS, "archive_after": 1e-9}

# Archives rooms of a store, and kills its own process in the transaction of one of them.
KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from quadriga.server.storage.address import open_store
from quadriga.server.storage.archive import moving
from quadriga.server.upkeep import archiver

def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)

async def run():
    store = await open_store(Path(sys.argv[1]))
    rooms = await store.room_ids()
    for room in rooms[1:]:
        await archiver.archive(store, room)
    moving.ARCHIVE.insert = kill
    await archiver.archive(store, rooms[0])

asyncio.run(run())
"""


async def read_all(device: Device, table: str) -> list[Any]:
    """Return everything that can be read of a finished game."""
    paths = ("", "/replay?count=5", "/replay?from=20&count=5", "/chart", "/record", "/fairness")
    return [(await asyncio.to_thread(device.raw, "GET", f"/api/tables/{table}{path}"))[:2] for path in paths]


async def rows(store: Storage, table: sa.Table) -> int:
    return int((await store.read(sa.select(sa.func.count()).select_from(table)))[0][0])


async def unload(server: InProcessServer) -> None:
    for room in list(server.registry.rooms.values()):
        server.registry.unload(room)


@pytest.mark.parametrize("is_shared", [False, True])
async def test_an_archived_game_is_read_chatted_about_and_played_again_as_before(tmp_path: Path, is_shared: bool):
    address = new_shared_store() if is_shared else tmp_path / "store.sqlite"
    async with in_process(address, **SOON) as server:
        ann, bob = Device(server), Device(server)
        await ann.member("Ann")
        await bob.member("Bob")
        table = await play_out([ann, bob], options={"rules": "blitz"})
        going = await ann.table("ur", "me bot")
        await server.app.state.scores.update()  # lists of games show what was won
        await unload(server)
        store = server.registry.store
        before, results = await read_all(ann, table), await ann.get("/api/me/history")
        events = await store.events(table)
        await unload(server)
        job = server.app.state.upkeep.archiver
        assert await job.step() == 1
        assert await job.step() == 0  # the other table is not over
        assert await rows(store, ARCHIVE) == 1
        assert {row[0] for row in await store.read(sa.select(LOG.c.table_id))} == {going}
        assert await read_all(ann, table) == before
        assert await ann.get("/api/me/history") == results
        assert await store.events(table) == events
        assert await store.events(table, 7) == events[7:]
        client = await ann.connect(table)
        await client.until("welcome")
        await client.say(type="chat", text="Well played")
        await client.until("chat")
        await client.close()
        await ann.post(f"/api/tables/{table}/rematch")  # an event after those that are archived
        await unload(server)
        assert len(await store.events(table)) == len(events) + 1
        assert await store.events(table, len(events) + 1) == []
        loaded = await store.load(table)
        assert loaded is not None
        assert loaded.archived == len(events)
        assert await job.step() == 1  # packed again, with the new event
        assert (await store.load(table)).archived == len(events) + 1  # type: ignore[union-attr]


async def test_the_name_of_a_deleted_account_goes_from_an_archived_game(tmp_path: Path):
    path = tmp_path / "store.sqlite"
    async with in_process(path, **SOON) as server:
        ann, bob = Device(server), Device(server)
        await ann.member("Annunziata")
        await bob.member("Bob")
        table = await play_out([ann, bob], options={"rules": "blitz"})
        job = server.app.state.upkeep.archiver
        assert await job.step() == 1
        await ann.post("/api/me/delete", {"name": "annunziata"})
        assert await job.step() == 1
        await unload(server)
        shown = await bob.get(f"/api/tables/{table}")
        assert "Annunziata" not in str(shown)
        room = await server.registry.store.load(table)
        assert room is not None
        assert room.archived == len(room.events)
        assert b"Annunziata" not in b"".join(event.body for event in room.events)
    assert verify.check(path).whole


async def play_two(path: Path) -> None:
    """Make a store with two finished games that are not archived."""
    async with in_process(path, **MANY_PROOFS) as server:
        people = [Device(server), Device(server)]
        for device, name in zip(people, ["Ann", "Bob"], strict=True):
            await device.member(name)
        for _ in range(2):
            await play_out(people, options={"rules": "blitz"})


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("played") / "store.sqlite"
    asyncio.run(play_two(path))
    return path


@pytest.fixture
def path(played: Path, tmp_path: Path) -> Path:
    shutil.copy(played, tmp_path)
    return tmp_path / played.name


async def rooms_of(store: Storage) -> list[LoadedRoom]:
    """Return all rooms of a store, by their ids."""
    found = [await store.load(room_id) for room_id in await store.room_ids()]
    return [room for room in found if room is not None]


async def test_a_kill_while_a_game_is_archived_loses_nothing(path: Path):
    store = await open_store(path)
    rooms = await rooms_of(store)
    await store.close()
    ended = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", KILLED, str(path)], env=dict(os.environ))
    assert ended.returncode == -signal.SIGKILL
    assert verify.check(path).whole
    store = await open_store(path)
    try:
        for room, count in zip(rooms, [0, len(rooms[1].events)], strict=True):
            found = await store.load(room.row.id)
            assert found is not None
            assert (found.events, found.archived) == (room.events, count)
        assert await archiver.archive(store, rooms[0].row.id)
        assert await rows(store, LOG) == 0
    finally:
        await store.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE archive SET body = zeroblob(100)",
        "UPDATE archive SET body = substr(body, 1, 200)",
        "UPDATE archive SET hash = zeroblob(16)",
        "UPDATE archive SET number = number - 1",
        "DELETE FROM archive",
    ],
)
async def test_a_damaged_archive_is_noticed_and_a_backup_puts_the_game_back(path: Path, statement: str):
    file = path.with_name("backup.sqlite")
    store = await open_store(path)
    room = (await rooms_of(store))[0]
    assert await archiver.archive(store, room.row.id)
    await store.close()
    backup.backup(path, file)
    with closing(sqlite3.connect(path)) as disk:
        disk.execute(statement)
        disk.commit()
    assert list(verify.check(path).damaged) == [room.row.id]
    assert backup.restore_room(file, path, room.row.id) == len(room.events)
    assert verify.check(path).whole


async def test_an_event_that_was_changed_in_the_archive_is_noticed(path: Path):
    store = await open_store(path)
    room = (await rooms_of(store))[0]
    assert await archiver.archive(store, room.row.id)
    events = list(room.events)
    events[4] = events[4]._replace(at=events[4].at + 1)
    forged = pack(room.row, unpack(room.row, pack(room.row, events)))  # with the old hashes
    await store.transact(lambda connection: connection.execute(sa.update(ARCHIVE).values(body=forged)))
    with pytest.raises(RoomError) as refused:
        await store.load(room.row.id)
    assert refused.value.code == "table.damaged"
    await store.close()


async def test_archived_games_stay_archived_in_copies_and_come_back_to_the_log(path: Path):
    copied, url = path.with_name("copy.sqlite"), shared_postgres().new_database()
    store = await open_store(path)
    room = (await rooms_of(store))[0]
    assert await archiver.archive(store, room.row.id)
    await store.close()
    await asyncio.to_thread(copying.copy, path, url)
    await asyncio.to_thread(copying.backup, url, copied)
    await asyncio.to_thread(copying.restore_room, copied, url, room.row.id)
    for address in (url, copied):
        store = await open_store(address)
        found = await store.load(room.row.id)
        assert found is not None
        assert (found.archived, found.events, found.head) == (len(room.events), room.events, room.head)
        await store.transact(lambda connection: moving.restore(connection, room.row.id))
        found = await store.load(room.row.id)
        assert found is not None
        assert (found.archived, found.events, found.head) == (0, room.events, room.head)
        await store.close()
        report = await asyncio.to_thread(verify.check, address)
        assert report.whole


async def test_a_game_that_changes_while_it_is_packed_is_left_alone(path: Path):
    store = await open_store(path)
    room = (await rooms_of(store))[0]
    packed = pack(room.row, room.events)
    older = room._replace(events=room.events[:-1])
    assert not await store.transact(lambda connection: moving.archive(connection, older, packed))
    erased = [room.events[0]._replace(body=b"{}"), *room.events[1:]]  # the head stays
    older = room._replace(events=erased)
    assert not await store.transact(lambda connection: moving.archive(connection, older, packed))
    assert await rows(store, ARCHIVE) == 0
    await store.close()
