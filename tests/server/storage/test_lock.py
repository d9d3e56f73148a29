"""One server at a time uses a file: a second one is refused in one sentence, and other commands go on beside it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from quadriga.engine.errors import FileError
from quadriga.server.state import verify
from quadriga.server.storage import backup, copying, lock
from quadriga.server.storage.sqlite.store import SqliteStore
from server.support.harness import Server
from server.support.processes import run_command
from support import here

SENTENCES = {
    "en": "quadriga: Another process uses the store {path}; stop it, choose another file with --store",
    "fr": "quadriga: Un autre processus utilise le dépôt {path} ; arrêtez-le, choisissez un autre fichier",
}


def lock_file(store: Path) -> Path:
    return store.with_name(store.name + ".lock")


def refused(ended: subprocess.CompletedProcess[str], path: Path, language: str = "en") -> None:
    """Assert exit code 2 and one sentence."""
    assert (ended.returncode, ended.stdout) == (2, ""), ended
    assert ended.stderr.startswith(SENTENCES[language].format(path=path))
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(("language", "through_link"), [("en", False), ("fr", True)])
def test_a_second_server_on_the_same_file_is_refused(own_server: Server, language: str, through_link: bool):
    path = own_server.store
    if through_link:
        path = path.with_name("link.sqlite")
        path.symlink_to(own_server.store)
    refused(
        run_command("serve", "--port", "0", "--no-browser", "--store", str(path), "--lang", language),
        path,
        language,
    )
    table, _ = own_server.create("ur", "me bot")
    assert own_server.get(f"/api/tables/{table}")["id"] == table


async def test_a_server_whose_process_was_killed_holds_nothing(own_server: Server):
    table, token = own_server.create("ur", "me bot")
    client = await own_server.connect(table, token)
    await client.play(random.Random(1), moves=2)
    await client.say(type="hint")  # a child process may live on for a moment
    for how in (signal.SIGKILL, signal.SIGTERM):
        own_server.kill(how)
        own_server.start()
    assert own_server.get(f"/api/tables/{table}")["id"] == table


def test_backup_check_and_the_restore_of_a_room_run_beside_a_server(own_server: Server, tmp_path: Path):
    table, _ = own_server.create("ur", "me bot")
    copy = tmp_path / "backup.sqlite"
    assert backup.backup(own_server.store, copy) == 1
    assert verify.check(own_server.store).whole
    assert verify.check(copy).whole
    assert backup.restore_room(copy, own_server.store, table) > 0
    assert own_server.call("GET", "/api/health")[0] == 200


def test_a_store_is_neither_restored_nor_copied_under_a_running_server(own_server: Server, tmp_path: Path):
    own_server.create("ur", "me bot")
    copy = tmp_path / "backup.sqlite"
    backup.backup(own_server.store, copy)
    for source, target in ((own_server.store, tmp_path / "other"), (copy, own_server.store)):
        with pytest.raises(FileError) as fault:
            copying.copy(source, target)
        assert fault.value.code == "store.busy"
    for suffix in ("", "-wal", "-shm"):
        moved = own_server.store.with_name(own_server.store.name + suffix)
        moved.rename(tmp_path / f"moved{suffix}")
    refused(run_command("restore", str(copy), "--store", str(own_server.store), "--lang", "en"), own_server.store)
    assert not own_server.store.exists()
    own_server.kill()
    assert backup.restore(copy, own_server.store) == 1


async def test_the_holders_of_a_process_share_the_lock_and_the_last_one_removes_it(tmp_path: Path):
    path = tmp_path / "tables.sqlite"
    first, second = await SqliteStore.opened(path), await SqliteStore.opened(path)
    with lock.held(path):
        await first.close()
        await second.close()
        assert lock_file(path).stat().st_mode & 0o077 == 0
    assert not lock_file(path).exists()


async def test_a_store_that_cannot_be_opened_is_not_held(tmp_path: Path):
    path = tmp_path / "tables.sqlite"
    lock_file(path).mkdir()
    with pytest.raises(FileError) as fault:
        await SqliteStore.opened(path)
    assert fault.value.code == "store.open"
    lock_file(path).rmdir()
    lock_file(path).write_text("left by a process that was killed")
    await (await SqliteStore.opened(path)).close()


_TAKE_TURNS = """
import os, sys
from pathlib import Path
from quadriga.engine.errors import FileError
from quadriga.server.storage import lock
store, inside = Path(sys.argv[1]), Path(sys.argv[2])
done = 0
while done < 300:
    try:
        with lock.held(store):
            os.close(os.open(inside, os.O_CREAT | os.O_EXCL))
            inside.unlink()
            done += 1
    except FileError as fault:
        assert fault.code == "store.busy", fault
"""


def test_two_processes_never_hold_the_lock_at_once(tmp_path: Path):
    command = [sys.executable, "-c", _TAKE_TURNS, str(tmp_path / "tables.sqlite"), str(tmp_path / "inside")]
    running = [subprocess.Popen(command, env=here(), stderr=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate()[1] for process in running] == ["", "", ""]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert os.listdir(tmp_path) == []  # noqa: PTH208
