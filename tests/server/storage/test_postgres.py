"""The store on PostgreSQL: groups, one writer for a number, durable commits, migrations, failures."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from quadriga.engine.errors import FileError
from quadriga.server.protocol.errors import RoomError, StaleError, StorageError
from quadriga.server.seats.tokens import Tokens
from quadriga.server.storage import chain, copying
from quadriga.server.storage.base import ChatMessage, Snapshot, StoredEvent, StoredRoom
from quadriga.server.storage.postgres import coordination, database
from quadriga.server.storage.postgres.store import PostgresStore
from quadriga.server.storage.schema import METADATA
from quadriga.server.storage.sqlite.store import SqliteStore
from server.support.harness import Server
from server.support.processes import run_command
from server.support.services import Postgres, shared_postgres


@pytest.fixture
def url() -> str:
    return shared_postgres().new_database()


def row(name: str) -> StoredRoom:
    return StoredRoom(name, 0, False, "waiting", b"{}")


def chained(room: StoredRoom, count: int) -> list[StoredEvent]:
    previous, found = chain.first_hash(room), []
    for number in range(1, count + 1):
        previous = chain.next_hash(previous, number, 0, "sit", b"x")
        found.append(StoredEvent(number, 0, "sit", b"x", previous))
    return found


async def test_what_is_written_is_read_back(url: str):
    store = await PostgresStore.opened(url)
    room = row("a")
    events = chained(room, 3)
    await store.create(room, events[:1])
    await store.append("a", events[1:], "playing", Snapshot(3, b"s"))
    await store.add_chat("a", ChatMessage(1, 5, -1, "Ann", "hé"))
    found = await store.load("a")
    assert found is not None
    assert (found.row.status, found.events, found.snapshots) == ("playing", events, [Snapshot(3, b"s")])
    assert await store.events("a", 1) == events[1:]
    assert await store.chat("a", 9) == [ChatMessage(1, 5, -1, "Ann", "hé")]
    assert await store.load("b") is None
    await store.close()


async def test_waiting_events_are_written_together_and_each_once(url: str):
    store = await PostgresStore.opened(url)
    for name in "abc":
        await store.create(row(name), [])
    jobs = [store.append(name, [StoredEvent(n, 0, "sit", b"x")]) for n in range(1, 101) for name in "abc"]
    await asyncio.gather(*jobs)
    assert [line.number for line in await store.events("b")] == list(range(1, 101))
    await store.close()


async def test_a_number_is_written_once_and_the_rest_of_a_group_is_written(url: str):
    store = await PostgresStore.opened(url)
    await store.create(row("a"), [StoredEvent(1, 0, "sit", b"first")])
    await store.create(row("b"), [])
    jobs = [
        store.append("a", [StoredEvent(2, 0, "sit", b"x"), StoredEvent(1, 0, "sit", b"second")]),
        store.append("a", [StoredEvent(3, 0, "sit", b"gap")]),
        store.append("b", [StoredEvent(1, 0, "sit", b"fine")]),
    ]
    *stale, fine = await asyncio.gather(*jobs, return_exceptions=True)
    assert all(isinstance(each, StaleError) for each in stale)
    assert fine is None
    assert [line.body for line in await store.events("a")] == [b"first"]
    assert [line.body for line in await store.events("b")] == [b"fine"]
    await store.close()


async def test_of_two_processes_that_write_a_number_at_once_one_is_refused(url: str):
    stores = [await PostgresStore.opened(url) for _ in range(2)]
    rooms = "abcdef"
    for name in rooms:
        await stores[0].create(row(name), [])
    for number in range(1, 31):
        jobs = [
            store.append(name, [StoredEvent(number, who, "sit", b"x")])
            for who, store in enumerate(stores)
            for name in random.Random(number + who).sample(rooms, len(rooms))
        ]
        done = await asyncio.gather(*jobs, return_exceptions=True)
        assert sum(each is None for each in done) == len(rooms)
        assert sum(isinstance(each, StaleError) for each in done) == len(rooms)
    for store in stores:
        await store.close()


async def test_a_commit_is_synchronous_whatever_the_server_is_configured_to(url: str):
    with psycopg.connect(url, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    store = await PostgresStore.opened(url)
    assert store.writer.connection.execute("SHOW synchronous_commit").fetchone() == ("on",)
    await store.close()


async def test_migrations_give_the_tables_of_the_schema(url: str):
    await (await PostgresStore.opened(url)).close()
    engine = database.opened(url)  # a second time: nothing is left to do
    with engine.connect() as connection:
        own = MigrationContext.configure(
            connection,
            opts={
                "include_name": lambda name, kind, _: kind != "table" or name not in coordination.METADATA.tables
            },
        )
        assert compare_metadata(own, METADATA) == []
    engine.dispose()


async def test_two_processes_may_create_the_store_at_once(url: str):
    stores = await asyncio.gather(*(PostgresStore.opened(url) for _ in range(3)))
    for store in stores:
        await Tokens.of(store)
        await store.close()


async def test_a_database_that_is_no_store_or_of_a_newer_version_is_left_alone(url: str):
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE log (bookmark text)")
    with pytest.raises(FileError, match="not a store"):
        await PostgresStore.opened(url)
    other = shared_postgres().new_database()
    await (await PostgresStore.opened(other)).close()
    with psycopg.connect(other) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(FileError, match="newer version"):
        await PostgresStore.opened(other)


@pytest.mark.parametrize(
    ("store", "reason"),
    [
        ("postgresql://ann:secret@127.0.0.1:9/none", "postgresql://127.0.0.1:9/none cannot be opened"),
        ("mysql://ann:secret@localhost/x", "names no store"),
    ],
)
def test_a_database_that_cannot_be_used_is_refused_in_one_line_without_its_password(store: str, reason: str):
    ended = run_command("serve", "--port", "0", "--no-browser", "--store", store, "--lang", "en")
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1), ended
    assert reason in ended.stderr
    assert "secret" not in ended.stderr


@pytest.mark.parametrize(
    ("pubsub", "store", "reason"),
    [
        ("kafka://here", "", "names no pub/sub server"),
        ("redis://here", "tables.sqlite", "needs a store in PostgreSQL"),
    ],
)
def test_pubsub_that_cannot_work_is_refused(tmp_path: Path, pubsub: str, store: str, reason: str):
    where = str(tmp_path / "tables.sqlite") if store else "postgresql://127.0.0.1:9/none"
    ended = run_command(
        "serve", "--port", "0", "--no-browser", "--store", where, "--pubsub", pubsub, "--lang", "en"
    )
    assert (ended.returncode, ended.stdout) == (2, ""), ended
    assert reason in ended.stderr


async def test_a_room_that_was_changed_is_refused(url: str):
    store = await PostgresStore.opened(url)
    room = row("a")
    await store.create(room, chained(room, 4))
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE log SET body = 'y' WHERE number = 3")
    with pytest.raises(RoomError) as refused:
        await store.load("a")
    assert refused.value.code == "table.damaged"
    await store.close()


async def test_nothing_is_acknowledged_while_the_database_is_down_and_writing_resumes_by_itself():
    postgres = Postgres("fsync=off").start()
    try:
        store = await PostgresStore.opened(postgres.new_database())
        changed = asyncio.Event()
        store.on_fault(changed.set)
        await store.create(row("a"), [])
        await asyncio.to_thread(postgres.kill)
        with pytest.raises(StorageError) as unsure:
            await store.append("a", [StoredEvent(1, 0, "sit", b"x")])
        assert unsure.value.code == "store.unsure"  # it was sent, and there was no answer
        await changed.wait()
        assert store.fault is not None
        assert store.fault.code == "store.failing"
        with pytest.raises(StorageError) as failing:
            await store.append("a", [StoredEvent(1, 0, "sit", b"x")])
        assert failing.value.code == "store.failing"
        with pytest.raises(RoomError):
            await store.events("a")
        changed.clear()
        await asyncio.to_thread(postgres.start)
        await changed.wait()
        assert store.fault is None
        await store.append("a", [StoredEvent(1, 0, "sit", b"x")])
        assert len(await store.events("a")) == 1
        await store.close()
    finally:
        postgres.close()


@pytest.mark.parametrize("is_committed", [True, False])
async def test_a_connection_that_breaks_while_a_move_is_stored_loses_and_doubles_nothing(
    url: str, is_committed: bool
):
    """The hash of the event tells whether it was committed; if not it is written again."""
    store = await PostgresStore.opened(url)
    await store.create(row("a"), [])
    write = store.writer._write
    calls: list[Any] = []

    def breaking(connection: psycopg.Connection[Any], group: Sequence[Any]) -> None:
        calls.append(group)
        if len(calls) == 1:
            if is_committed:
                write(connection, group)
            with psycopg.connect(url) as other:
                other.execute("SELECT pg_terminate_backend(%s)", (connection.info.backend_pid,))
            connection.execute("SELECT 1")  # the connection is gone
        write(connection, group)

    store.writer._write = breaking  # type: ignore[method-assign]
    await store.append("a", [StoredEvent(1, 0, "sit", b"x", b"hash")])
    await store.append("a", [StoredEvent(2, 0, "sit", b"x", b"more")])
    assert [event.number for event in await store.events("a")] == [1, 2]
    assert len(calls) == (2 if is_committed else 3)
    assert store.fault is None
    await store.close()


# Copying stores.


async def test_a_store_is_copied_into_postgresql_and_back_and_can_be_played_on(tmp_path: Path, url: str):
    server = Server(tmp_path / "tables.sqlite").start()
    try:
        made = [server.create("ur", "me bot"), server.create("ave-caesar", "me bot bot")]
        for table, token in made:
            client = await server.connect(table, token)
            await client.play(random.Random(1), moves=4)
            await client.say(type="chat", text="hello")
            await client.until("chat")
    finally:
        server.kill(signal.SIGTERM)
    again = tmp_path / "again.sqlite"
    for source, target in ((str(server.store), url), (url, str(again)), (str(server.store), str(again))):
        ended = run_command("copy-store", source, target, "--lang", "en")
        assert ended.returncode == 0, ended
        assert "2 rooms with " in ended.stdout
    first, last = await SqliteStore.opened(server.store), await SqliteStore.opened(again)
    for table, _ in made:
        assert await first.load(table) == await last.load(table)
        assert await first.chat(table, 9) == await last.chat(table, 9)
    assert await first.keys() == await last.keys()
    for store in (first, last):
        await store.close()
    other = Server(url).start()
    try:
        for table, token in made:
            client = await other.connect(table, token)
            assert await client.play(random.Random(2), moves=2) == 2
    finally:
        other.kill(signal.SIGTERM)


async def test_a_copy_refuses_a_damaged_room_and_a_store_with_other_contents(tmp_path: Path, url: str):
    path, room = tmp_path / "tables.sqlite", row("a")
    store = await SqliteStore.opened(path)
    await store.create(room, chained(room, 3))
    await store.close()
    other = await PostgresStore.opened(url)
    await other.create(room, chained(room, 2))
    await other.close()
    with pytest.raises(FileError, match="differs from the one to copy"):
        await asyncio.to_thread(copying.copy, path, url)
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE log SET body = 'y' WHERE number = 2")
    with pytest.raises(FileError, match="damaged there"):
        await asyncio.to_thread(copying.copy, url, tmp_path / "new.sqlite")
    with pytest.raises(FileError, match="There is no store"):
        await asyncio.to_thread(copying.copy, tmp_path / "none.sqlite", url)
