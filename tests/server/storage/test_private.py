"""Stores, backups, copies and saved games are for their owner alone, whatever the umask; open ones are named."""

from __future__ import annotations

import asyncio
import os
import random
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from quadriga.cli.main import main
from quadriga.cli.terminal import saves
from quadriga.engine import files
from quadriga.games import find
from quadriga.server.storage import backup, journal, private
from quadriga.server.storage.sqlite.store import SqliteStore
from server.support.command_line import CommandLineServer

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no permission bits")


@pytest.fixture(autouse=True)
def _open_umask() -> Iterator[None]:
    """Let new files be readable by everybody, unless the program says otherwise. Processes inherit this."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir() if path.is_file()}


def only_mine(folder: Path, *names: str) -> bool:
    found = modes(folder)
    return all(found[name] == 0o600 for name in names) and all(
        mode == 0o600 for name, mode in found.items() if name.startswith("tables.sqlite")
    )


async def test_the_files_of_a_running_server_are_for_its_owner_alone(tmp_path: Path):
    folder = tmp_path / "store"
    folder.mkdir()
    server = CommandLineServer(tmp_path)
    server.store = folder / "tables.sqlite"
    server.start()
    try:
        table, token = server.create("ur", "me bot")
        client = await server.connect(table, token)
        await client.play(random.Random(1), moves=3)
        await client.close()
        assert {"tables.sqlite", "tables.sqlite-wal", "tables.sqlite-shm", "tables.sqlite.numbers"} <= set(
            modes(folder)
        )
        assert only_mine(folder)
        backup.backup(server.store, folder / "backup.sqlite")
        assert only_mine(folder, "backup.sqlite")
    finally:
        server.kill()
    assert server.lines() == []


def run(*arguments: str) -> None:
    """Run the command line in this process; assert that it succeeds."""
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--lang", "en"])
    assert not ended.value.code


def new_store(path: Path) -> None:
    async def make() -> None:
        await (await SqliteStore.opened(path)).close()

    asyncio.run(make())


def test_restored_and_copied_stores_are_for_their_owner_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "tables.sqlite"
    new_store(source)
    run("backup", str(tmp_path / "backup"), "--store", str(source))
    run("restore", str(tmp_path / "backup"), "--store", str(tmp_path / "restored"))
    run("copy-store", str(source), str(tmp_path / "copied"))
    assert capsys.readouterr().err == ""
    assert {"backup", "restored", "copied"} <= set(modes(tmp_path))
    assert set(modes(tmp_path).values()) == {0o600}


def test_a_journal_that_is_restarted_is_for_its_owner_alone(tmp_path: Path):
    store = tmp_path / "tables.sqlite"
    numbers = journal.Journal(store)
    numbers.add({"a": 3})
    draft = journal.path_of(store).with_name(journal.path_of(store).name + ".part")
    draft.write_bytes(b"left by a killed process")
    numbers.restart({"b": 2})
    numbers.close()
    assert journal.read(store) == {"b": 2}
    assert set(modes(tmp_path).values()) == {0o600}


async def test_a_store_through_a_link_to_nothing_is_created_for_its_owner_alone(tmp_path: Path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "tables.sqlite").symlink_to(tmp_path / "disk" / "real.sqlite")
    await (await SqliteStore.opened(tmp_path / "tables.sqlite")).close()
    assert modes(tmp_path / "disk")["real.sqlite"] == 0o600


SENTENCES = {
    "en": "Other users of this machine can read the keys and the seeds of running games in the store",
    "fr": "D’autres utilisateurs de cette machine peuvent lire les clés et les graines",
}


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_a_server_warns_about_a_store_that_others_can_read(tmp_path: Path, language: str):
    server = CommandLineServer(tmp_path, "--lang", language)
    await (await SqliteStore.opened(server.store)).close()
    server.store.chmod(0o640)
    journal.path_of(server.store).chmod(0o604)
    server.first_words = {"en": "The table is at", "fr": "La table est à"}[language]
    server.start()
    server.kill()
    (line,) = server.lines()
    assert line.startswith(SENTENCES[language])
    assert line.endswith(f"chmod 600 {server.store} {journal.path_of(server.store)}")


def test_check_and_restore_warn_about_a_backup_that_others_can_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    source, copy = tmp_path / "tables.sqlite", tmp_path / "my backup"
    new_store(source)
    run("backup", str(copy), "--store", str(source))
    run("check", str(copy))
    assert capsys.readouterr().err == ""
    copy.chmod(0o644)
    for command in (("check", str(copy)), ("restore", str(copy), "--store", str(tmp_path / "new"))):
        run(*command)
        warned = capsys.readouterr().err
        assert warned.startswith(SENTENCES["en"])
        assert warned.endswith(f"chmod 600 '{copy}'\n")


def test_a_file_that_exists_keeps_its_content(tmp_path: Path):
    path = tmp_path / "tables.sqlite"
    path.write_bytes(b"content")
    private.create(path)
    assert path.read_bytes() == b"content"


def test_a_saved_game_is_for_its_owner_alone_and_a_record_is_not(tmp_path: Path):
    path = tmp_path / "game.jsonl"
    path.write_text("an older save that everybody could read")
    saves.write(saves.seat_players(find("ur"), {}, ["human", "greedy"], [], None), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not saves.read(path).match.over
    files.write_text(path, "a record")
    assert stat.S_IMODE(path.stat().st_mode) == 0o666
