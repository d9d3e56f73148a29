"""`quadriga check`, `backup` and `restore` on PostgreSQL, also while a server runs."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from quadriga.server.storage import copying
from server.support.harness import Server
from server.support.processes import run_command
from server.support.services import shared_postgres


@pytest.fixture
def server() -> Iterator[Server]:
    started = Server(shared_postgres().new_database()).start()
    yield started
    started.kill(signal.SIGTERM)


async def played(server: Server) -> list[tuple[str, str]]:
    """Return two rooms, each with its host's token, in which some moves were made and something was said."""
    made = [server.create("ur", "me bot"), server.create("ave-caesar", "me bot bot")]
    for table, token in made:
        client = await server.connect(table, token)
        await client.play(random.Random(1), moves=4)
        await client.say(type="chat", text="hello")
        await client.until("chat")
        await client.close()
    return made


def changed(url: str, table: str) -> None:
    """Change one stored event of a room behind its chain."""
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE log SET body = 'y' WHERE number = 3 AND table_id = %s", (table,))


async def test_check_verifies_every_log_of_a_database_and_names_damaged_rooms(server: Server):
    whole, broken = (table for table, _ in await played(server))
    ended = run_command("check", server.store, "--json", "--lang", "en")
    assert ended.returncode == 0, ended
    found = json.loads(ended.stdout)
    assert (found["whole"], found["rooms"], found["talk"], found["keys"]) == (True, 2, 2, 1)
    assert found["events"] > 8
    changed(server.store, broken)
    ended = run_command("check", server.store, "--lang", "en")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"Room {broken}" in ended.stderr
    assert whole not in ended.stderr
    assert "1 of 2 rooms" in ended.stderr


def test_check_changes_nothing_in_a_database_without_a_store():
    url = shared_postgres().new_database()
    ended = run_command("check", url, "--lang", "en")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended
    assert "There is no store at postgresql://127.0.0.1" in ended.stderr
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)


async def test_a_database_is_backed_up_while_people_play_and_restored_into_an_empty_one(
    server: Server, tmp_path: Path
):
    made, file = await played(server), tmp_path / "backup.sqlite"
    ended = run_command("backup", str(file), "--store", server.store, "--lang", "en")
    assert (ended.returncode, ended.stdout) == (0, f"2 tables were saved to {file}.\n"), ended
    assert [each.name for each in tmp_path.iterdir()] == [file.name]
    assert run_command("check", str(file), "--lang", "en").returncode == 0
    again = run_command("backup", str(file), "--store", server.store, "--lang", "en")
    assert again.returncode == 2
    assert "exists already" in again.stderr
    target = shared_postgres().new_database()
    ended = run_command("restore", str(file), "--store", target, "--lang", "en")
    assert (ended.returncode, "2 rooms with " in ended.stdout) == (0, True), ended
    other = Server(target).start()
    try:
        for table, token in made:
            client = await other.connect(table, token)  # the keys were restored as well
            assert await client.play(random.Random(2), moves=2) == 2
    finally:
        other.kill(signal.SIGTERM)


def ends_of(rows: Callable[[str], Iterable[Any]]) -> list[tuple[Any, ...]]:
    """Return the last number of every log, and when every game has changed."""
    logs = "SELECT table_id, max(number) FROM log GROUP BY table_id"
    return sorted(tuple(row) for asked in (logs, "SELECT table_id, changed FROM games") for row in rows(asked))


async def test_a_backup_is_of_one_moment_although_people_play_meanwhile(server: Server, tmp_path: Path):
    made, file, loop = await played(server), tmp_path / "backup.sqlite", asyncio.get_running_loop()
    with psycopg.connect(server.store) as connection:
        before = ends_of(connection.execute)

    async def play() -> None:
        for table, token in made:
            client = await server.connect(table, token)
            await client.play(random.Random(3), moves=2)
            await client.close()

    def go_on(done: int, total: int) -> None:
        """Let people play after the games are copied, and before the logs are."""
        if not done:
            asyncio.run_coroutine_threadsafe(play(), loop).result()

    assert await asyncio.to_thread(copying.backup, server.store, file, go_on) == 2
    with psycopg.connect(server.store) as connection:
        assert ends_of(connection.execute) != before
    with closing(sqlite3.connect(file)) as saved:
        assert ends_of(saved.execute) == before


async def test_one_damaged_room_is_put_back_while_the_server_runs(server: Server, tmp_path: Path):
    (table, token), _ = await played(server)
    file = tmp_path / "backup.sqlite"
    assert run_command("backup", str(file), "--store", server.store).returncode == 0
    changed(server.store, table)
    ended = run_command("restore", str(file), "--store", server.store, "--room", table, "--lang", "en")
    assert (ended.returncode, f"Room {table} was restored" in ended.stdout) == (0, True), ended
    assert run_command("check", server.store).returncode == 0
    client = await server.connect(table, token)
    assert await client.play(random.Random(2), moves=2) == 2
    assert client.refused == []
    ended = run_command("restore", str(file), "--store", server.store, "--room", "none", "--lang", "en")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended
    assert "no room none" in ended.stderr
