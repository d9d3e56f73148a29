"""The drawer and the files: whole or not at all."""

import os
import time

import pytest

from quadriga.engine import files
from quadriga.engine.disk import Drawer, cache_folder
from quadriga.engine.errors import FileError


def test_what_is_put_in_comes_out(tmp_path):
    drawer = Drawer(tmp_path)
    assert drawer.read("a", "key") is None
    drawer.write("a", "key", b"content")
    assert drawer.read("a", "key") == b"content"
    assert drawer.read("a", "other key") is None


@pytest.mark.parametrize("damage", [lambda c: c[:-1], lambda c: c[:10], lambda c: b"", lambda c: b"x" + c[1:]])
def test_a_damaged_file_is_no_file(tmp_path, damage):
    drawer = Drawer(tmp_path)
    drawer.write("a", "key", b"content")
    path = drawer.path("a", "key")
    path.write_bytes(damage(path.read_bytes()))
    assert drawer.read("a", "key") is None


def test_what_nobody_used_for_a_month_is_cleared_out(tmp_path):
    drawer = Drawer(tmp_path)
    drawer.write("old", "key", b"content")
    long_ago = time.time() - 40 * 24 * 3600
    os.utime(drawer.path("old", "key"), (long_ago, long_ago))
    drawer.write("new", "key", b"content")
    assert drawer.read("old", "key") is None
    assert drawer.read("new", "key") == b"content"


def test_a_drawer_that_cannot_be_written_stays_empty(tmp_path):
    (tmp_path / "file").write_text("")
    drawer = Drawer(tmp_path / "file")
    drawer.write("a", "key", b"content")
    assert drawer.read("a", "key") is None


def test_the_cache_has_its_place(monkeypatch, tmp_path):
    monkeypatch.setenv("QUADRIGA_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("QUADRIGA_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert str(cache_folder()) == "/x/quadriga"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setenv("HOME", "/y")
    assert str(cache_folder()) == "/y/.cache/quadriga"


def test_a_file_is_written_whole(tmp_path):
    path = tmp_path / "game.jsonl"
    files.write_text(path, "one\n")
    files.write_text(path, "two\n")
    assert list(files.read_lines(path)) == [b"two\n"]
    assert [p.name for p in tmp_path.iterdir()] == ["game.jsonl"]


def test_a_write_that_fails_leaves_the_old_file_and_no_draft(tmp_path, monkeypatch):
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
