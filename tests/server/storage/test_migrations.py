"""Migrations of a store that version 0.1.0 has written: complete, or rolled back."""

from __future__ import annotations

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

from quadriga.engine.errors import FileError
from quadriga.server.protocol.errors import RoomError
from quadriga.server.state import verify
from quadriga.server.storage.sqlite.store import SqliteStore
from support import VERSION_0_1_0

OLD = VERSION_0_1_0 / "tables.sqlite"

# Migrates the store, and kills its own process after so many hashes.
INTERRUPTED = """
import asyncio, os, signal, sys
from pathlib import Path
from quadriga.server.storage import chain
from quadriga.server.storage.sqlite import store as sqlite
computed, compute = 0, chain.next_hash

def next_hash(*values):
    global computed
    computed += 1
    if computed > int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    return compute(*values)

chain.next_hash = next_hash
asyncio.run(sqlite.SqliteStore.opened(Path(sys.argv[1])))
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "tables.sqlite"
    shutil.copy(OLD, path)
    return path


def content(path: Path) -> tuple[str, set[str], list[Any], list[Any]]:
    """Return the version, the tables, the rooms and the log of a store."""
    with closing(sqlite3.connect(path)) as disk:

        def select(what: str) -> list[Any]:
            return disk.execute(f"SELECT {what}").fetchall()

        version = select("version_num FROM alembic_version")[0][0]
        names = {row[0] for row in select("name FROM sqlite_master")}
        log = select("table_id, number, at, kind, body FROM log ORDER BY 1, 2")
        return version, names, select("* FROM tables ORDER BY id"), log


@pytest.mark.parametrize("after", [0, 50, 600])
async def test_a_migration_that_is_killed_is_rolled_back_and_can_be_repeated(store: Path, after: int):
    before = content(store)
    assert len(before[3]) > 600
    ended = subprocess.run([sys.executable, "-c", INTERRUPTED, str(store), str(after)], env=dict(os.environ))
    assert ended.returncode == -signal.SIGKILL
    assert content(store) == before
    await (await SqliteStore.opened(store)).close()
    version, _, rooms, log = content(store)
    assert version > before[0]
    assert (rooms, log) == before[2:]
    assert verify.check(store).whole


async def test_a_migration_that_fails_is_rolled_back_and_refused_in_one_sentence(store: Path):
    with closing(sqlite3.connect(store)) as disk:  # this makes the last statement of the migration fail
        disk.execute("CREATE TRIGGER log_follows AFTER INSERT ON chat BEGIN SELECT 1; END")
        disk.commit()
    before = content(store)
    with pytest.raises(FileError, match="already exists") as refused:
        await SqliteStore.opened(store)
    assert refused.value.code == "store.open"
    assert content(store) == before


async def test_a_room_with_a_damaged_field_does_not_stop_the_migration_of_the_others(store: Path):
    damaged, *others = [row[0] for row in content(store)[2]]
    with closing(sqlite3.connect(store)) as disk:
        disk.execute("UPDATE log SET at = 'x' WHERE table_id = ? AND number = 1", (damaged,))
        disk.commit()
    migrated = await SqliteStore.opened(store)
    try:
        with pytest.raises(RoomError) as refused:
            await migrated.load(damaged)
        assert refused.value.code == "table.damaged"
        for room in others:
            assert await migrated.load(room) is not None
    finally:
        await migrated.close()
