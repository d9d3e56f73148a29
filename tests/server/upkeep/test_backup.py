"""Backups that are small, and backups that are tried."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from quadriga.cli import main
from quadriga.server.state import verify
from quadriga.server.storage.address import open_store
from quadriga.server.upkeep import archiver
from server.people.test_identity import MANY_PROOFS
from server.support.in_process import in_process
from server.support.services import shared_postgres

OF_PLAIN_TABLES = 6


async def tables(path: Path | str, number: int) -> list[str]:
    async with in_process(path, **MANY_PROOFS) as server:
        return [(await asyncio.to_thread(server.create, "ur", "me bot"))[0] for _ in range(number)]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "tables.sqlite"
    asyncio.run(tables(path, OF_PLAIN_TABLES))
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command; return its exit code, and what it prints on standard output and on standard error."""

    def command(*words: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main([*map(str, words), "--lang", "en"])
        said = capsys.readouterr()
        return int(end.value.code or 0), said.out, said.err

    return command


def ids(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as disk:
        return [row[0] for row in disk.execute("SELECT id FROM tables ORDER BY id")]


def test_a_difference_and_its_base_are_a_whole_backup(store: Path, run: Any, tmp_path: Path):
    base, part = tmp_path / "week.sqlite", tmp_path / "day.difference"
    assert run("backup", base, "--store", store)[0] == 0
    added = asyncio.run(tables(store, 1))
    code, out, _ = run("backup", part, "--base", base, "--store", store, "--test-restore")
    assert code == 0
    assert f"{OF_PLAIN_TABLES + 1} tables are whole" in out
    assert part.stat().st_size < base.stat().st_size / 4
    assert part.stat().st_mode & 0o77 == 0
    restored = tmp_path / "restored.sqlite"
    assert run("restore", part, "--base", base, "--store", restored)[0] == 0
    assert ids(restored) == ids(store)
    assert verify.check(restored).whole
    assert run("restore", part, "--base", base, "--store", store, "--room", added[0])[0] == 0
    assert verify.check(store).whole


def test_a_difference_without_its_base_or_a_damaged_one_is_refused(store: Path, run: Any, tmp_path: Path):
    base, part, target = tmp_path / "week.sqlite", tmp_path / "day.difference", tmp_path / "restored.sqlite"
    run("backup", base, "--store", store)
    asyncio.run(tables(store, 1))
    run("backup", part, "--base", base, "--store", store)
    refusals: list[tuple[Path, tuple[object, ...], str]] = [(part, (), "name the backup")]
    other = tmp_path / "other.sqlite"
    run("backup", other, "--store", store)
    refusals.append((part, ("--base", other), "was not made from"))
    content = part.read_bytes()
    for place in (len(content) // 2, 30, len(content) - 1):
        damaged = tmp_path / f"damaged-{place}"
        damaged.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        refusals.append((damaged, ("--base", base), ""))
    short = tmp_path / "short"
    short.write_bytes(content[:-20])
    refusals.append((short, ("--base", base), "is damaged"))
    for file, words, reason in refusals:
        code, _, err = run("restore", file, *words, "--store", target)
        assert code == 2
        assert reason in err
        assert err.count("\n") == 1
        assert not target.exists()
    assert not list(tmp_path.glob(".*"))


def test_a_backup_of_a_damaged_table_is_not_taken_for_good(store: Path, run: Any, tmp_path: Path):
    assert run("backup", tmp_path / "good.sqlite", "--store", store, "--test-restore")[0] == 0
    with closing(sqlite3.connect(store)) as disk, disk:
        before = disk.execute("SELECT value FROM site WHERE name = 'backup-restored'").fetchone()
        disk.execute("UPDATE log SET at = at + 1 WHERE number = 1 AND table_id = ?", (ids(store)[2],))
    code, _, err = run("backup", tmp_path / "bad.sqlite", "--store", store, "--test-restore")
    assert code == 2
    assert ids(store)[2] in err
    with closing(sqlite3.connect(store)) as disk:
        assert disk.execute("SELECT value FROM site WHERE name = 'backup-restored'").fetchone() == before


async def archived(path: Path, number: int) -> None:
    store = await open_store(path)
    for each in ids(path)[:number]:
        assert await archiver.archive(store, each)
    await store.close()


def test_of_old_games_a_sample_is_verified_that_differs_each_time(store: Path, monkeypatch: pytest.MonkeyPatch):
    asyncio.run(archived(store, 5))
    monkeypatch.setattr(verify, "OLD_VERIFIED", 2)
    found = verify.try_backup(store)
    assert (found.rooms, found.verified, found.whole) == (OF_PLAIN_TABLES, 1 + 2, True)
    with closing(sqlite3.connect(store)) as disk, disk:
        disk.execute("UPDATE archive SET hash = zeroblob(16)")
    chosen: set[str] = set()
    while len(chosen) < 5:
        damaged = verify.try_backup(store).damaged
        assert len(damaged) == 2
        chosen |= set(damaged)


@pytest.mark.parametrize("is_shared", [False, True])
async def test_the_metrics_say_when_a_backup_was_made_and_tried(tmp_path: Path, is_shared: bool):
    address = shared_postgres().new_database() if is_shared else tmp_path / "tables.sqlite"
    async with in_process(address) as server:
        await asyncio.to_thread(server.create, "ur", "me bot")
        watch = server.app.state.upkeep.watch
        await watch.look()
        text = (await server.fetch("GET", "/metrics"))[1]
        assert 'quadriga_backup_timestamp_seconds{kind="restored"} 0.0' in text
        words = ["backup", str(tmp_path / "copy.sqlite"), "--store", str(address), "--test-restore"]
        await asyncio.to_thread(_succeed, words)  # while the server runs
        await watch.look()
        text = (await server.fetch("GET", "/metrics"))[1]
        for kind in ("made", "restored"):
            assert f'quadriga_backup_timestamp_seconds{{kind="{kind}"}} 1.' in text


def _succeed(words: list[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(words)
    assert not end.value.code


def test_the_backup_of_a_store_of_an_older_version_is_made(run: Any, tmp_path: Path):
    from support import ROOT

    shutil.copy(ROOT / "tests" / "fixtures" / "0.1.0" / "tables.sqlite", tmp_path / "old.sqlite")
    assert run("backup", tmp_path / "copy.sqlite", "--store", tmp_path / "old.sqlite")[0] == 0
