"""The page while nothing can be stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.conftest import Arrive
from browser.people import PATIENCE
from server.support import disks
from server.support.harness import Server
from soak import only_in_soak

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: NOT RUN").expect

NOTICES = {"en": "Nothing can be saved", "fr": "Rien ne peut être enregistré"}


@pytest.fixture
def on_small_disk(page_built: None, tmp_path: Path) -> Iterator[Server]:
    with disks.mounted(tmp_path / "disk") as folder:
        started = Server(folder / "tables.sqlite").start()
        try:
            yield started
        finally:
            started.kill()


@pytest.mark.parametrize("language", ["fr", only_in_soak("en")])
def test_the_page_says_that_nothing_can_be_stored_until_it_can_again(
    arrive: Arrive, on_small_disk: Server, language: str
):
    table, token = on_small_disk.create("ur", "me bot", options={"rules": "ben"})
    ann = arrive("/", language=language, server=on_small_disk)
    ann.sits_at(table, token)
    assert ann.waits() == "asked"
    notice = ann.page.get_by_role("alert").filter(has_text=NOTICES[language])
    expect(notice).to_have_count(0)
    ballast = disks.fill(on_small_disk.store.parent)
    while on_small_disk.call("GET", "/api/health")[0] == 200:  # until what the store has already is used up
        if ann.is_asked():
            ann.clicks()
    expect(notice).to_be_visible()  # once, though the move was refused too
    late = arrive(f"/t/{table}", language=language, server=on_small_disk)
    expect(late.page.get_by_role("alert").filter(has_text=NOTICES[language])).to_be_visible()
    ballast.unlink()
    expect(notice).to_have_count(0, timeout=PATIENCE)
    assert ann.waits() == "asked"
    number = ann.page.locator(".table").get_attribute("data-number")
    ann.clicks()
    expect(ann.page.locator(".table")).not_to_have_attribute("data-number", number or "")
