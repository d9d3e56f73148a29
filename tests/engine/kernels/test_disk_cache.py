"""The disk cache and the file writer: whole or not at all."""

import os
import re
import time
from pathlib import Path

import pytest

from quadriga.engine import files
from quadriga.engine.errors import FileError
from quadriga.engine.kernels.disk_cache import DiskCache


def test_stored_content_is_found_again(tmp_path):
    cache = DiskCache(tmp_path)
    assert cache.read("a", "key") is None
    cache.write("a", "key", b"content")
    assert cache.read("a", "key") == b"content"
    assert cache.read("a", "other key") is None


@pytest.mark.parametrize("damage", [lambda c: c[:-1], lambda c: c[:10], lambda c: b"", lambda c: b"x" + c[1:]])
def test_a_damaged_file_is_no_file(tmp_path, damage):
    cache = DiskCache(tmp_path)
    cache.write("a", "key", b"content")
    path = cache.path("a", "key")
    path.write_bytes(damage(path.read_bytes()))
    assert cache.read("a", "key") is None


def test_files_unused_for_a_month_are_deleted(tmp_path):
    cache = DiskCache(tmp_path)
    cache.write("old", "key", b"content")
    long_ago = time.time() - 40 * 24 * 3600
    os.utime(cache.path("old", "key"), (long_ago, long_ago))
    cache.write("new", "key", b"content")
    assert cache.read("old", "key") is None
    assert cache.read("new", "key") == b"content"


def test_a_cache_that_cannot_be_written_stays_empty(tmp_path):
    (tmp_path / "file").write_text("")
    cache = DiskCache(tmp_path / "file")
    cache.write("a", "key", b"content")
    assert cache.read("a", "key") is None


def test_a_file_is_written_whole(tmp_path):
    path = tmp_path / "game.jsonl"
    files.write_text(path, "one\n")
    files.write_text(path, "two\n")
    assert list(files.read_lines(path)) == [b"two\n"]
    assert [p.name for p in tmp_path.iterdir()] == ["game.jsonl"]


def test_a_write_that_fails_leaves_the_old_file_and_no_temporary_one(tmp_path, monkeypatch):
    path = tmp_path / "game.jsonl"
    files.write_text(path, "one\n")

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match="No space left"):
        files.write_text(path, "two\n")
    assert path.read_text() == "one\n"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("place", ["", "missing/file"])
def test_a_file_that_cannot_be_read_or_written_is_named(tmp_path, place):
    with pytest.raises(FileError, match="cannot be read"):
        list(files.read_lines(tmp_path / place))
    with pytest.raises(FileError, match="cannot be written"):
        files.write_text(tmp_path / place, "")


def test_a_block_that_fails_leaves_the_old_file_and_no_temporary_one(tmp_path):
    path = tmp_path / "table"
    path.write_text("one")

    def interrupted():
        with files.atomic_replace(path) as fresh:
            fresh.write_text("half of tw")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "one"
    assert [p.name for p in tmp_path.iterdir()] == ["table"]


def test_a_file_keeps_its_old_content_until_the_block_has_ended(tmp_path):
    path = tmp_path / "table"
    path.write_text("one")
    with files.atomic_replace(path) as fresh:
        fresh.write_text("two")
        assert fresh.parent == path.parent  # on the same disk, so that it can be renamed
        assert path.read_text() == "one"
    assert path.read_text() == "two"


def test_a_file_is_synced_before_it_is_renamed(tmp_path, monkeypatch):
    path, synced = tmp_path / "table", []
    sync = os.fsync

    def noted(handle):
        synced.append((os.fstat(handle).st_size, path.exists()))
        sync(handle)

    monkeypatch.setattr(os, "fsync", noted)
    files.write_bytes(path, b"content")
    assert synced == [(7, False)]


def test_a_written_file_has_the_permissions_of_any_other_new_file(tmp_path):
    before = os.umask(0o027)
    try:
        files.write_text(tmp_path / "ours", "")
    finally:
        os.umask(before)
    assert (tmp_path / "ours").stat().st_mode & 0o777 == 0o640


def test_only_one_module_renames_files():
    source = Path(files.__file__).parent.parent
    renamers = {
        p.name for p in source.rglob("*.py") if re.search(r"\bfsync\(|mkstemp\(|os\.replace\(", p.read_text())
    }
    assert renamers == {"files.py"}
