"""Fixtures: a real server, a real Chromium, and persons that see only the page."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import chromium
import programs
from browser.people import PATIENCE, PICTURES, Person
from server.support.harness import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest.importorskip("playwright.sync_api", reason="playwright is not installed: NOT RUN")

ROOT = Path(__file__).parent.parent.parent
ARTEFACTS = Path(__file__).parent / "artefacts"
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
PAGE = ROOT / "src" / "quadriga" / "server" / "page" / "index.html"

Arrive = Callable[..., Person]
_PEOPLE = pytest.StashKey[list[Person]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add what people see at the moment to the report of a test that has failed."""
    report = yield
    if report.failed and call.when == "call":
        for person in item.stash.get(_PEOPLE, []):
            with suppress(Exception):  # the page may be closed, or hang
                seen = person.page.locator("body").inner_text(timeout=5_000)
                report.sections.append((f"page {person.page.url}", seen[:3_000]))
    return report


class SeededServer(Server):
    """A server whose tables have the same dice and cards in every run, unless a test asks for others."""

    def create(self, game: str, seats: str = "me bot", **more: Any) -> tuple[str, str]:
        # With this seed Ann begins Ur, and each of her moves has a space of its own.
        return super().create(game, seats, **{"dice": {"kind": "seeded", "seed": 4}, **more})


def _sources() -> list[Path]:
    web = ROOT / "web"
    return [*(web / "src").rglob("*"), *(web / "public").rglob("*"), web / "index.html", web / "package.json"]


@pytest.fixture(scope="session")
def page_built() -> None:
    """Build the page if it is missing or older than its sources."""
    if (
        PAGE.is_file()
        and AXE.is_file()
        and all(p.stat().st_mtime <= PAGE.stat().st_mtime for p in _sources() if p.is_file())
    ):
        return
    command = [sys.executable, str(ROOT / "scripts" / "page.py")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert PAGE.is_file(), done.stdout + done.stderr


@pytest.fixture(scope="session")
def server(page_built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = SeededServer(tmp_path_factory.mktemp("store") / "tables.sqlite").start()
    yield started
    started.kill(signal.SIGTERM)


@pytest.fixture
def own(page_built: None, tmp_path: Path) -> Iterator[Server]:
    """Start a server that the test may kill."""
    started = SeededServer(tmp_path / "tables.sqlite").start()
    yield started
    started.kill()


# The driver of the browser keeps an event loop in this thread, which other tests start themselves.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start Chromium. It paints only if tests take pictures."""
    with chromium.launched(_installed(), PATIENCE, paints=PICTURES) as opened:
        yield opened


@pytest.fixture(scope="package")
def painting(browser: Browser) -> Iterator[Browser]:
    """Return a Chromium that paints."""
    if PICTURES:
        yield browser
        return
    opened = chromium.launch(browser.browser_type, _installed(), PATIENCE, paints=True)
    yield opened
    opened.close()


def _installed() -> chromium.Chromium:
    return chromium.find() or programs.missing("browser", "make browser")


@pytest.fixture
def arrive(browser: Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[Arrive]:
    """Return a function that opens a new browser context; errors in its console fail the test."""
    people = request.node.stash[_PEOPLE] = list[Person]()

    def come(
        path: str = "/",
        *,
        language: str = "en",
        width: int = 1280,
        height: int = 800,
        motion: str = "off",
        theme: str = "light",
        name: str = "",
        stops: list[str] | None = None,
        limit: int | None = None,
        asks: str | None = None,
        touch: bool = False,
        server: Server = server,
    ) -> Person:
        chosen: Browser = request.getfixturevalue("painting") if touch else browser
        context = chosen.new_context(
            viewport={"width": width, "height": height},
            locale="fr-FR" if language == "fr" else "en-GB",
            service_workers="block",
            has_touch=touch,
            ignore_https_errors=server.address.startswith("https:"),  # a certificate of the test
        )
        context.set_default_timeout(PATIENCE)
        person = Person(
            context,
            server,
            path,
            language=language,
            motion=motion,
            theme=theme,
            name=name,
            stops=stops,
            limit=limit,
            asks=asks,
        )
        people.append(person)
        return person

    yield come
    faults = [fault for person in people for fault in person.faults]
    for person in people:
        person.leave()
    assert not faults, faults


@pytest.fixture(scope="session")
def finished(server: Server) -> dict[str, str]:
    """Let bots play each game to its end; return the tables."""
    fair = {"kind": "fair"}
    tables = {
        "ur": server.create("ur", "bot bot", options={"markers": 2}, dice=fair)[0],
        "ave-caesar": server.create("ave-caesar", "bot bot bot bot", options={"courses": ["white cw"]}, dice=fair)[
            0
        ],
        "ben-hvrt": server.create("ben-hvrt", "bot bot bot bot", options={"series": [1]}, dice=fair)[0],
    }

    async def watch(table: str) -> None:
        client = await server.connect(table)
        while not client.over:
            await client.hear()
        await client.close()

    def all_of_them() -> None:
        for table in tables.values():
            asyncio.run(asyncio.wait_for(watch(table), 600))

    with ThreadPoolExecutor(1) as own_thread:  # the driver of the browser has a loop in this one
        own_thread.submit(all_of_them).result()
    return tables
