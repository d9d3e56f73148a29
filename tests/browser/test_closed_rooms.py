"""A game that was begun under older rules: the page says so, and offers its record."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.conftest import Arrive
from server.support.harness import Server

OLD = Path(__file__).parent.parent / "fixtures" / "0.1.0"
ROOM = next(room for room in json.loads((OLD / "rooms.json").read_text()) if room["name"] == "ave-caesar running")


@pytest.fixture
def old(page_built: None, tmp_path: Path) -> Iterator[Server]:
    """Start a server with a store that version 0.1.0 has written."""
    shutil.copy(OLD / "tables.sqlite", tmp_path / "tables.sqlite")
    started = Server(tmp_path / "tables.sqlite").start()
    yield started
    started.kill()


@pytest.mark.parametrize(
    ("language", "title", "text", "button"),
    [
        ("en", "This game is closed", "begun under older rules", "record"),
        ("fr", "Cette partie est fermée", "anciennes règles", "Télécharger la partie"),
    ],
)
def test_a_closed_game_says_why_and_gives_its_record(
    arrive: Arrive, old: Server, language: str, title: str, text: str, button: str
) -> None:
    ann = arrive(f"/t/{ROOM['id']}", language=language, server=old)
    ann.page.get_by_role("heading", name=title).wait_for()
    ann.page.get_by_text(text).wait_for()
    with ann.page.expect_download() as download:
        ann.page.get_by_role("link", name=button).click()
    header = json.loads(Path(download.value.path()).read_text().splitlines()[0])
    assert (header["game"], header["version"]) == ("ave-caesar", 1)
