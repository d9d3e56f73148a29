"""Reports of the lab in a real browser: both languages, both widths and both themes, without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from browser.conftest import AXE
from lab.report.small import comparison, report
from soak import rows

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TITLES = {"en": "Is it fair?", "fr": "Est-ce équitable ?"}
REPORTS: dict[str, Callable[[], Path]] = {
    "ur": lambda: report("ur"),
    "ave-caesar": lambda: report("ave-caesar"),
    "ben-hvrt": lambda: report("ben-hvrt"),
    "comparison": comparison,
}


@pytest.fixture(scope="module")
def axe(request: pytest.FixtureRequest) -> str:
    """Return the source of axe."""
    if not AXE.is_file():
        request.getfixturevalue("page_built")
    return AXE.read_text("utf-8")


@pytest.fixture
def offline(browser: Browser) -> Iterator[Page]:
    """Return a page that fails the test if it asks for anything but the report itself."""
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    asked: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    yield page
    assert [url for url in asked if not url.startswith("file:")] == []
    assert len(asked) == 1
    assert faults == []
    page.context.close()


def assert_fits(page: Page, name: str) -> None:
    """Assert that nothing overflows."""
    wide = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{name} is {wide} pixels too wide"


def assert_accessible(page: Page, axe: str, name: str) -> None:
    """Assert that axe finds nothing at all."""
    page.evaluate(axe)
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    faults = [(each["id"], [node["html"][:160] for node in each["nodes"][:3]]) for each in found["violations"]]
    assert not faults, (name, faults)


@pytest.mark.parametrize("kind", rows(list(REPORTS), "ur".__eq__))
def test_a_report_can_be_read_on_a_phone_and_on_a_desk(offline: Page, axe: str, kind: str):
    page = offline
    page.goto(REPORTS[kind]().as_uri())
    looks: list[tuple[str, int, Literal["dark", "light"]]] = [("en", 390, "dark"), ("fr", 1280, "light")]
    for language, width, theme in looks:
        page.emulate_media(color_scheme=theme)
        page.set_viewport_size({"width": width, "height": 844})
        page.check(f"#show-{language}")
        assert page.locator("h1:visible").count() == 1
        assert page.get_by_role("heading", name=TITLES[language]).is_visible()
        assert_fits(page, f"{kind} {language} {width}")
        if kind == "ur" or (language == "fr") == (kind == "ave-caesar"):
            assert_accessible(page, axe, f"{kind} {language} {width} {theme}")


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["ur", "comparison"])
def test_the_tables_of_a_report_can_be_read_on_a_phone(offline: Page, axe: str, kind: str):
    offline.goto(REPORTS[kind]().as_uri())
    offline.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true })")
    assert_fits(offline, kind)
    assert_accessible(offline, axe, kind)


def test_every_chart_has_a_heading_a_sentence_with_numbers_and_a_table(offline: Page):
    offline.goto(REPORTS["ave-caesar"]().as_uri())
    articles = offline.locator("article:visible")
    assert articles.count() > 15
    for article in articles.all():
        assert article.locator("h3").inner_text()
        assert any(digit.isdigit() for digit in article.locator("p").first.inner_text())
        assert article.locator("svg[role=img]").count() >= 1
        assert article.locator("tbody tr").count() >= 1


def test_a_finding_leads_to_its_chart_by_keyboard(offline: Page):
    offline.goto(REPORTS["ur"]().as_uri())
    first = offline.locator(".findings li a:visible").first
    target = (first.get_attribute("href") or "")[1:]
    first.focus()
    offline.keyboard.press("Enter")
    offline.wait_for_function("id => document.getElementById(id).getBoundingClientRect().top < 300", arg=target)


def test_charts_have_the_colours_of_the_theme(offline: Page):
    offline.goto(REPORTS["ur"]().as_uri())
    inks = {}
    for theme in ("light", "dark"):
        offline.emulate_media(color_scheme=theme)
        text = offline.locator("article:visible figure svg text").first
        inks[theme] = text.evaluate("each => getComputedStyle(each).fill")
    assert inks == {"light": "rgb(44, 36, 24)", "dark": "rgb(239, 230, 211)"}
