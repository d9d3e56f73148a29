"""A full disk, and store files that cannot be used."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from server.support import disks
from server.support.harness import Server
from server.support.processes import run_command
from soak import crossed
from support import VERSION_0_1_0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a real file system of 2 MB."""
    with disks.mounted(tmp_path / "disk") as folder:
        yield folder


async def test_a_full_disk_is_announced_and_play_resumes_by_itself(small_disk: Path):
    server = Server(small_disk / "tables.sqlite").start()
    try:
        table, token = server.create("ur", "me bot", options={"rules": "ben"})
        client = await server.connect(table, token)
        await client.play(random.Random(1), moves=2)
        ballast = disks.fill(small_disk)
        while True:  # until nothing more fits into what the store has already
            while not client.legal:
                said = await client.hear()
                if said["type"] == "storage":
                    break
            else:
                await client.act(client.legal[0]["text"], ref="x")
                client.legal = None
                continue
            break
        assert (said["ok"], said["code"]) == (False, "store.full")
        assert "full" in said["text"]["en"]
        assert "plein" in said["text"]["fr"]
        acknowledged = client.number
        status, health = server.call("GET", "/api/health")
        assert (status, health["status"], health["code"]) == (503, "failing", "store.full")
        status, refused = server.call(
            "POST", "/api/tables", {"game": "ur", "name": "B", "seats": [{"kind": "me"}] * 2}
        )
        assert (status, refused["code"]) == (503, "store.full")
        late = await server.connect(table, token)
        assert (await late.until("storage"))["ok"] is False  # newcomers are told too
        await late.close()
        ballast.unlink()
        while (await client.hear())["type"] != "storage":
            pass
        assert server.call("GET", "/api/health")[1]["status"] == "ok"
        await client.say(type="look", seat=0)
        assert (await client.until("view"))["number"] >= acknowledged
        await client.play(random.Random(2), moves=3)
    finally:
        server.kill()


def refused(ended: subprocess.CompletedProcess[str], reason: str) -> None:
    """Assert one clear line on standard error, and exit code 2."""
    assert ended.returncode == 2, ended
    assert ended.stdout == ""
    assert ended.stderr.startswith("quadriga: ")
    assert ended.stderr.count("\n") == 1, ended.stderr
    assert reason in ended.stderr


def asked(what: str, store: Path, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    arguments = {
        "serve": ["serve", "--port", "0", "--no-browser", "--store", str(store)],
        "backup": ["backup", str(tmp_path / "copy"), "--store", str(store)],
        "check": ["check", str(store)],
    }[what]
    return run_command(*arguments, "--lang", "en")


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as disk:
        disk.execute("CREATE TABLE bookmarks (id INTEGER)")
        disk.commit()


def newer(path: Path) -> None:
    shutil.copy(VERSION_0_1_0 / "tables.sqlite", path)
    with closing(sqlite3.connect(path)) as disk:
        disk.execute("UPDATE alembic_version SET version_num = '9999'")
        disk.commit()


BAD = {
    "text": (lambda path: path.write_text("not a database\n" * 100), "is not a store of Quadriga"),
    "foreign": (foreign, "is not a store of Quadriga"),
    "newer": (newer, "newer version"),
    "folder": (lambda path: path.mkdir(), "is not a store of Quadriga"),
}


@pytest.mark.parametrize(("kind", "what"), crossed(BAD, ["serve", "backup", "check"]))
def test_a_file_that_is_no_store_is_refused_and_left_alone(kind: str, what: str, tmp_path: Path):
    path = tmp_path / "tables.sqlite"
    make, reason = BAD[kind]
    make(path)
    before = path.read_bytes() if path.is_file() else None
    refused(asked(what, path, tmp_path), reason)
    assert (path.read_bytes() if path.is_file() else None) == before


def test_a_store_that_is_missing_is_refused_where_it_must_be_there(tmp_path: Path):
    for what in ("backup", "check"):
        refused(asked(what, tmp_path / "none.sqlite", tmp_path), "There is no store at")
    (tmp_path / "file").write_text("")
    refused(asked("serve", tmp_path / "file" / "tables.sqlite", tmp_path), "cannot be opened: File exists")


def test_a_store_on_a_disk_that_cannot_be_written_is_refused(small_disk: Path, tmp_path: Path):
    path = small_disk / "tables.sqlite"
    shutil.copy(VERSION_0_1_0 / "tables.sqlite", path)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    refused(asked("serve", path, tmp_path), "cannot be opened")
