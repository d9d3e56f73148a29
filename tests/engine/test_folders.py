"""The user's folders: the same as ever on Linux, the system's elsewhere, and older files are still found."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs
import pytest
from platformdirs.macos import MacOS
from platformdirs.unix import Unix
from platformdirs.windows import Windows, get_win_folder_from_env_vars

from quadriga.cli.terminal.lessons import progress_file
from quadriga.engine.errors import FileError
from quadriga.engine.folders import cache_folder, data_path
from quadriga.engine.kernels.disk_cache import DiskCache
from quadriga.lab.study.store import default_folder
from quadriga.players.exact import tables
from quadriga.server.settings import default_store

SYSTEMS = {"linux": Unix, "macos": MacOS, "windows": Windows}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty home folder, in an environment that names no other folder."""
    for name in [name for name in os.environ if name.startswith(("QUADRIGA_", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "AppData" / "Local"))
    return tmp_path


def on(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let platformdirs find folders as on this system; it reads Windows' variables instead of its registry."""
    monkeypatch.setattr(platformdirs, "PlatformDirs", SYSTEMS[system])
    monkeypatch.setattr("platformdirs.windows.get_win_folder", get_win_folder_from_env_vars)


@pytest.mark.parametrize(
    ("system", "cache", "data"),
    [
        ("linux", ".cache/quadriga", ".local/share/quadriga"),
        ("macos", "Library/Caches/quadriga", "Library/Application Support/quadriga"),
        ("windows", "AppData/Local/quadriga/Cache", "AppData/Local/quadriga"),
    ],
)
def test_each_system_has_its_own_folders(
    system: str, cache: str, data: str, home: Path, monkeypatch: pytest.MonkeyPatch
):
    on(system, monkeypatch)
    assert cache_folder() == home / cache
    assert DiskCache().folder == home / cache / "kernels"
    assert default_store() == home / data / "tables.sqlite"
    assert tables.folder() == home / data / "tables"
    assert default_folder() == home / data / "reports"
    assert progress_file() == home / data / "lessons.json"


@pytest.mark.parametrize("system", SYSTEMS)
def test_files_of_earlier_versions_are_found_until_there_are_newer_ones(
    system: str, home: Path, monkeypatch: pytest.MonkeyPatch
):
    on(system, monkeypatch)
    earlier = home / ".local" / "share" / "quadriga" / "tables.sqlite"
    newer = default_store()
    assert isinstance(newer, Path)
    earlier.parent.mkdir(parents=True)
    earlier.touch()
    assert default_store() == earlier
    newer.parent.mkdir(parents=True, exist_ok=True)
    newer.touch()
    assert default_store() == newer


@pytest.mark.parametrize("system", ["linux", "macos"])
def test_the_folders_of_the_freedesktop_specification_are_used_if_they_are_set(
    system: str, home: Path, monkeypatch: pytest.MonkeyPatch
):
    on(system, monkeypatch)
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "c"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "d"))
    assert cache_folder() == home / "c" / "quadriga"
    assert data_path("lessons.json") == home / "d" / "quadriga" / "lessons.json"


def test_our_own_variables_come_first(home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "c"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "d"))
    for name in ("CACHE", "TABLES", "REPORTS", "STORE"):
        monkeypatch.setenv(f"QUADRIGA_{name}", str(home / name))
    found = [cache_folder(), tables.folder(), default_folder(), default_store()]
    assert found == [home / name for name in ("CACHE", "TABLES", "REPORTS", "STORE")]
    monkeypatch.setenv("QUADRIGA_STORE", "postgresql://somewhere/games")
    assert default_store() == "postgresql://somewhere/games"


def test_a_user_without_a_home_is_told_so(home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", "nowhere")
    monkeypatch.setattr("pwd.getpwuid", lambda number: {}[number])  # as for a number without a name in a container
    for find in (cache_folder, default_store):
        with pytest.raises(FileError, match="set HOME"):
            find()
