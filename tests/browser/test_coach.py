"""The coach in the browser: off by default, a switch at tables with bots, a vote among people."""

from __future__ import annotations

import pytest

from browser.boxes import box, resize
from browser.conftest import Arrive
from browser.people import Person
from browser.test_pages import assert_accessible
from soak import rows

WIDTHS = {1280: 800, 390: 844}
SHORT = [("ave-caesar", "fr", 390), ("ben-hvrt", "en", 1280)]
EVERY = [
    (game, language, width)
    for game in ("ur", "ave-caesar", "ben-hvrt")
    for language in ("en", "fr")
    for width in WIDTHS
]
SEATS = {"ur": "me bot", "ave-caesar": "me" + 5 * " bot", "ben-hvrt": "me bot bot bot"}
SAYS = {
    "ur": {"en": "Spaces to go:", "fr": "Cases restantes :"},
    "ave-caesar": {"en": "Your cards have", "fr": "Vos cartes valent"},
    "ben-hvrt": {"en": "Pot:", "fr": "Pot :"},
}


_IS_COACHED = """
() => document.querySelector('[data-coach]')?.dataset.coach === document.querySelector('.table').dataset.number
"""


def coached(person: Person) -> str:
    """Wait for the numbers of the position that the page shows, and return them."""
    person.waits()
    person.page.wait_for_function(_IS_COACHED)
    return " ".join(person.page.locator("section.coach").inner_text().split())


@pytest.mark.parametrize(("game", "language", "width"), rows(EVERY, lambda row: row in SHORT))
def test_the_coach_is_switched_on_in_the_menu_and_remembered_on_the_device(
    arrive: Arrive, game: str, language: str, width: int
) -> None:
    person = arrive(language=language, width=width, height=WIDTHS[width])
    page = person.page
    table, token = person.server.create(game, SEATS[game], start=True)
    person.sits_at(table, token)
    person.waits()
    assert page.locator("section.coach").count() == 0
    page.locator('[data-menu="coach"]').check()
    said = coached(person)
    assert SAYS[game][language] in said.replace("\u00a0", " ")
    if game == "ben-hvrt":
        page.locator(".stage [data-lot-worth]").wait_for()  # what the lot is worth, beside it
    assert_accessible(person, game)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    for text in page.locator("[data-coached]").first.get_attribute("data-coached").split("|"):  # type: ignore[union-attr]
        assert text in [each["text"] for each in person_legal(person)]
    _, height = resize(person, "phone on its side")
    assert box(person, "section.coach").bottom <= height
    for size in ("large", "desk"):
        _, height = resize(person, size)
        for part in (".seats", ".logbox"):
            assert box(person, part).bottom <= height, (size, part)
    resize(person, "phone" if width == 390 else "desk")
    person.plays_by_hand(2)
    assert coached(person)
    page.reload()
    assert coached(person)
    page.locator('[data-menu="coach"]').uncheck()
    page.locator("section.coach").wait_for(state="detached")


def person_legal(person: Person) -> list[dict[str, str]]:
    """Return the legal actions that the page offers, in its list or as its buttons."""
    found: list[dict[str, str]] = person.page.evaluate(
        "() => [...document.querySelectorAll('[data-act]')].map((each) => ({ text: each.dataset.act }))"
    )
    return found


def test_among_people_all_must_agree_and_one_is_enough_to_switch_it_off(arrive: Arrive) -> None:
    ann, bob = arrive(name="Ann"), arrive(name="Bob")
    table, token = ann.server.create("ur", "me open")
    ann.sits_at(table, token)
    bob.sits_at(table, ann.server.join(table))
    ann.page.get_by_role("button", name="Start").first.click()
    for person in (ann, bob):
        person.page.locator('[data-menu="coach"]').wait_for()
        assert person.page.locator("section.coach").count() == 0
    ann.page.locator('[data-menu="coach"]').click()
    bob.page.locator('[data-vote="coach"]').get_by_role("button", name="Agree").click()
    for person in (ann, bob):
        person.page.locator("section.coach").wait_for()
    bob.page.locator('[data-menu="coach"]').click()
    for person in (ann, bob):
        person.page.locator("section.coach").wait_for(state="detached")
