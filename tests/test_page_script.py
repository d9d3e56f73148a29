"""The Node that builds the page, the machine's if it is new enough, and the packages that it needs."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def script() -> ModuleType:
    path = Path(__file__).parent.parent / "scripts" / "page.py"
    spec = importlib.util.spec_from_file_location("page_script", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def node(folder: Path, version: str, npm: bool = True) -> Path:
    folder.mkdir()
    for name in ["node", *(["npm"] if npm else [])]:
        (folder / name).write_text(f"#!/bin/sh\necho v{version}\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("version", "npm", "taken"),
    [("24.1.0", True, "machine"), ("20.19.0", True, "machine"), ("18.20.4", True, "own"), ("24.1.0", False, "own")],
)
def test_an_old_node_or_one_without_npm_is_passed_over(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, npm: bool, taken: str
):
    machine, own = node(tmp_path / "machine", version, npm), node(tmp_path / "own", "22.0.0")
    monkeypatch.setenv("PATH", f"{machine}:/bin")
    monkeypatch.setattr(sys, "executable", str(own / "python"))
    assert script.tools() == tmp_path / taken


def test_without_node_none_is_found(script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "empty" / "python"))
    assert script.tools() is None


def test_packages_are_installed_again_after_their_list_was_written(script: ModuleType, tmp_path: Path):
    wanted, installed = tmp_path / "package-lock.json", tmp_path / "node_modules" / ".package-lock.json"
    wanted.touch()
    assert not script.is_installed(tmp_path)
    installed.parent.mkdir()
    installed.touch()
    os.utime(wanted, (1_000, 1_000))
    os.utime(installed, (2_000, 2_000))
    assert script.is_installed(tmp_path)
    os.utime(wanted, (3_000, 3_000))
    assert not script.is_installed(tmp_path)


def test_a_page_is_current_until_a_source_is_newer(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("PAGE", "WEB", "ROOT"):
        monkeypatch.setattr(script, name, tmp_path / getattr(script, name).relative_to(script.ROOT))
    sources = [tmp_path / "web" / "index.html", tmp_path / "web" / "src" / "games" / "ur" / "index.ts"]
    made = [tmp_path / "web" / "node_modules" / "x.js"]
    built = tmp_path / "src" / "quadriga" / "server" / "page" / "index.html"
    for path in (*sources, *made):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (1000, 1000))
    assert not script.is_current()
    built.parent.mkdir(parents=True)
    built.touch()
    os.utime(built, (1000, 1000))  # as in an unpacked source distribution
    assert script.is_current()
    for path in made:
        os.utime(path, (2000, 2000))
    assert script.is_current()
    for path in sources:
        os.utime(path, (2000, 2000))
        assert not script.is_current()
        os.utime(path, (1000, 1000))
