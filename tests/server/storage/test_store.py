"""The store: write groups, one writer per number, migrations, backups, keys, several processes on one log."""

from __future__ import annotations

import asyncio
import random
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

import quadriga.server
from quadriga.engine.errors import FileError
from quadriga.engine.text import catalogues
from quadriga.server.people.people import People
from quadriga.server.protocol.errors import PACKAGE, RoomError, StaleError
from quadriga.server.protocol.requests import Create, SeatRequest
from quadriga.server.rooms import audience
from quadriga.server.rooms.processes.pubsub import LocalChannel
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.submission import Submission
from quadriga.server.seats.tokens import EXPIRES, ROTATES, Tokens
from quadriga.server.seats.viewers import Viewer
from quadriga.server.settings import Settings
from quadriga.server.storage import backup
from quadriga.server.storage.base import StoredEvent, StoredRoom
from quadriga.server.storage.schema import HEAD, METADATA
from quadriga.server.storage.sqlite.store import SqliteStore
from server.support.harness import Server

CODE = Path(quadriga.server.__file__).parent


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite"


def kept(name: str) -> StoredRoom:
    return StoredRoom(name, 0, False, "waiting", b"{}")


async def test_waiting_events_are_written_together_and_each_once(path: Path):
    store = await SqliteStore.opened(path)
    for name in "abc":
        await store.create(kept(name), [])
    jobs = [store.append(name, [StoredEvent(n, 0, "sit", b"x")]) for n in range(1, 101) for name in "abc"]
    await asyncio.gather(*jobs)
    assert [line.number for line in await store.events("b")] == list(range(1, 101))
    await store.close()


async def test_a_number_is_written_once_and_the_rest_of_a_group_is_written(path: Path):
    store = await SqliteStore.opened(path)
    await store.create(kept("a"), [StoredEvent(1, 0, "sit", b"first")])
    await store.create(kept("b"), [])
    jobs = [
        store.append("a", [StoredEvent(2, 0, "sit", b"x"), StoredEvent(1, 0, "sit", b"second")]),
        store.append("b", [StoredEvent(1, 0, "sit", b"fine")]),
    ]
    stale, fine = await asyncio.gather(*jobs, return_exceptions=True)
    assert isinstance(stale, StaleError)
    assert fine is None
    assert [line.body for line in await store.events("a")] == [b"first"]
    assert [line.body for line in await store.events("b")] == [b"fine"]
    await store.close()


async def test_the_store_uses_a_write_ahead_log_and_full_sync(path: Path):
    store = await SqliteStore.opened(path)
    assert store.writer is not None
    found = [
        store.writer.connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")
    ]
    assert found == ["wal", 2]
    await store.close()


async def test_migrations_give_the_tables_of_the_schema(path: Path):
    store = await SqliteStore.opened(path)
    await store.close()
    config = Config()
    config.set_main_option("script_location", str(CODE / "storage" / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD
    from alembic.autogenerate import compare_metadata

    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    engine.dispose()


async def test_a_store_of_a_newer_version_is_left_alone(path: Path):
    await (await SqliteStore.opened(path)).close()
    with closing(sqlite3.connect(path)) as disk:
        disk.execute("UPDATE alembic_version SET version_num = '9999'")
        disk.commit()
    with pytest.raises(FileError, match="newer version"):
        await SqliteStore.opened(path)


async def test_a_file_that_is_no_store_is_refused(path: Path):
    path.write_bytes(b"not a database at all, but long enough to be taken for one" * 20)
    with pytest.raises(FileError, match="cannot be opened"):
        await SqliteStore.opened(path)


async def test_a_backup_of_a_running_server_holds_the_game_and_can_be_played_on(own_server: Server, tmp_path: Path):
    table, token = own_server.create("ur", "me bot")
    client = await own_server.connect(table, token)
    await client.play(random.Random(1), moves=3)
    number = client.number
    copy = tmp_path / "copy.sqlite"
    assert backup.backup(own_server.store, copy) == 1
    with pytest.raises(FileError, match="already"):
        backup.backup(own_server.store, copy)
    restored = tmp_path / "again" / "tables.sqlite"
    assert backup.restore(copy, restored) == 1
    with pytest.raises(FileError, match="already"):
        backup.restore(copy, restored)
    other = Server(restored).start()
    try:
        again = await other.connect(table, token)
        await again.until("view")
        assert again.number >= number
        await again.play(random.Random(2))
        assert again.table["status"] == "over"
    finally:
        other.kill()


def test_a_torn_backup_is_refused_and_leaves_nothing(tmp_path: Path):
    torn = tmp_path / "torn"
    torn.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    with pytest.raises(FileError, match="not a whole store"):
        backup.restore(torn, tmp_path / "new.sqlite")
    assert not (tmp_path / "new.sqlite").exists()


async def test_keys_rotate_and_old_tokens_stay_good_for_a_while(path: Path):
    store = await SqliteStore.opened(path)
    tokens = await Tokens.of(store)
    old = tokens.issue("t", "me")
    with closing(sqlite3.connect(path)) as disk:
        disk.execute("UPDATE keys SET created = created - ?", (ROTATES + 1,))
        disk.commit()
    rotated = await Tokens.of(store)
    bearer = rotated.read(old, "t")
    fresh = rotated.renewed(bearer)
    assert fresh is not None
    assert rotated.read(fresh, "t").holder == "me"
    assert rotated.renewed(rotated.read(fresh, "t")) is None
    with closing(sqlite3.connect(path)) as disk:
        disk.execute("UPDATE keys SET created = created - ? WHERE id = 1", (EXPIRES,))
        disk.commit()
    with pytest.raises(RoomError):
        (await Tokens.of(store)).read(old, "t")
    await store.close()


@pytest.mark.parametrize("token", ["", ".", "a.b", "é.é", "W10.W10", "x" * 5000, "WyJ0IiwibWUiLDFd."])
async def test_an_invalid_token_is_refused(path: Path, token: str):
    store = await SqliteStore.opened(path)
    with pytest.raises(RoomError):
        (await Tokens.of(store)).read(token, "t")
    await store.close()


def viewer(holder: str | None, seats: list[int]) -> Viewer:
    return Viewer(holder, seats, seats[0] if seats else -1, explain=False, name="", most=1000)


async def test_two_processes_play_one_table_by_its_log(path: Path):
    """Two registries share one log and one channel, and nothing else."""
    store, channel = await SqliteStore.opened(path), LocalChannel()
    settings = Settings(store=path)
    houses = [Registry(store, await Tokens.of(store), await People.of(store), settings, channel) for _ in range(2)]
    asked = Create(game="ur", name="Ann", seats=[SeatRequest("me"), SeatRequest("me")], start=True, pace=0)
    first, token = await houses[0].create(asked)
    second = await houses[1].room(first.state.id)
    holder = (await houses[0].bearer(token, first.state.id)).holder
    watchers = [viewer(holder, [0, 1]) for _ in range(2)]
    for room, each in zip((first, second), watchers, strict=True):
        async with room.exclusive():
            await audience.enter(room, each, None)
    rng = random.Random(1)
    for _ in range(40):
        if first.state.over:
            break
        room = rng.choice((first, second))
        async with room.exclusive():
            match = room.session.match
            await room.submit(Submission("act", match.actor, rng.choice(match.legal()), number=0))
        while first.state.next != second.state.next or first.lock.locked() or second.lock.locked():
            await asyncio.sleep(0)
    assert first.session.match.s.tobytes() == second.session.match.s.tobytes()
    assert first.session.numbers == second.session.numbers
    for registry in houses:
        for room in registry.rooms.values():
            room.close()
    await store.close()


async def test_a_stale_writer_is_refused_and_succeeds_after_reloading(path: Path):
    store = await SqliteStore.opened(path)
    houses = [
        Registry(store, await Tokens.of(store), await People.of(store), Settings(store=path), LocalChannel())
        for _ in range(2)
    ]
    asked = Create(game="ur", name="Ann", seats=[SeatRequest("me"), SeatRequest("me")], start=True, pace=0)
    first, _ = await houses[0].create(asked)
    second = await houses[1].room(first.state.id)  # these two do not hear of each other
    async with first.exclusive():
        await first.submit(Submission("act", first.session.match.actor, first.session.match.legal()[0], number=0))
    with pytest.raises(RoomError) as stale:
        async with second.exclusive():
            await second.submit(
                Submission("act", second.session.match.actor, second.session.match.legal()[0], number=0)
            )
    assert stale.value.code == "table.again"
    assert second.session.match.s.tobytes() == first.session.match.s.tobytes()
    async with second.exclusive():
        await second.submit(
            Submission("act", second.session.match.actor, second.session.match.legal()[0], number=0)
        )
    await store.close()


def test_every_error_has_a_text_in_both_languages():
    source = "".join(file.read_text() for file in CODE.rglob("*.py"))
    used = set(re.findall(r'RoomError\(\s*"([a-z.-]+)"', source)) | {f"store.{c}" for c in ("open", "newer", "bad")}
    used |= {f"table.{status}" for status in ("waiting", "paused", "over", "ended")}
    for language in catalogues.LANGUAGES:
        known = catalogues.catalogue(PACKAGE, language)
        assert {f"error.{code}" for code in used} <= set(known)
