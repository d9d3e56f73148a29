"""Bribes in Ben Hvrt: the form by keyboard and by touch, in a real browser."""

from __future__ import annotations

import pytest

from browser.conftest import Arrive
from browser.people import Person
from browser.test_hands import comes_to
from browser.test_pages import assert_accessible
from server.support.harness import Server


def announces(person: Person) -> None:
    """Press Bribe, and go on until the form is open: a bribe alone is no reason to be asked (BH-7.9)."""
    page = person.page
    comes_to(person, "steps")
    button = page.locator("[data-react=bribe]")
    button.press("Enter")
    page.locator("[data-react=bribe][aria-pressed=true]").wait_for()
    page.get_by_role("status").filter(has_text="You will be asked as soon as you can bribe").wait_for()
    person.page.keyboard.press("f")
    page.locator("form.bribe").wait_for()


def test_a_bribe_is_made_by_keyboard_and_by_touch(arrive: Arrive, server: Server) -> None:
    table, token = server.create("ben-hvrt", "me bot", options={"series": [2]}, dice={"kind": "seeded", "seed": 11})
    ann = arrive("/settings", width=390, height=844, touch=True)
    ann.sits_at(table, token)
    announces(ann)
    keys, form = ann.page.keyboard, ann.page.locator("form.bribe")
    make = form.locator(".primary")
    assert_accessible(ann, "bribe")
    assert make.is_disabled()  # nothing is filled in
    keys.press("Escape")
    form.wait_for(state="detached")
    assert ann.page.evaluate("() => document.activeElement.dataset.act").startswith("bribe")
    keys.press("Enter")
    form.wait_for()
    while not ann.page.evaluate("() => document.activeElement.matches('form.bribe .primary')"):
        if ann.page.evaluate("() => document.activeElement.matches('form.bribe select')"):
            keys.press("ArrowDown")  # a player, a card and perhaps a chariot
        elif ann.page.evaluate("() => document.activeElement.matches('form.bribe input')"):
            keys.type("2")
        keys.press("Tab")
    number = ann.number
    keys.press("Enter")
    ann._moved(number)
    ann.page.locator(".log").filter(has_text="offers Diocles 2 D to play").wait_for()
    announces(ann)
    for choice in range(3):
        if choice < form.locator("select").count():
            form.locator("select").nth(choice).select_option(index=1)
    form.locator("input").fill("3")
    number = ann.number
    make.tap()
    ann._moved(number)
    ann.page.locator(".log").filter(has_text="offers Diocles 3 D to play").wait_for()


def among_people(
    arrive: Arrive, server: Server, languages: tuple[str, str], wanted: str, seed: int = 7
) -> tuple[Person, Person]:
    """Play a timed race with one chariot each until the first or the second person sees what is wanted."""
    table, host = server.create(
        "ben-hvrt",
        "me open",
        options={"series": [1], "chariots": 1},
        dice={"kind": "seeded", "seed": seed},
        beat=4000,
    )
    guest = server.join(table, "Bob")
    server.call("POST", f"/api/tables/{table}/start", {}, host)
    ann = arrive("/settings", language=languages[0])
    bob = arrive("/settings", language=languages[1], width=390, height=844, touch=True)
    for person, token in ((ann, host), (bob, guest)):
        person.sits_at(table, token)
    while True:
        for person, other in ((ann, bob), (bob, ann)):
            if person.page.locator(wanted).count():
                return person, other
            if person.is_asked():
                person.clicks()
        ann.page.wait_for_timeout(150)  # a window is open for seconds


def fill_in(person: Person) -> None:
    """Offer 3 Ducats for the first card, on the first chariot if it takes one."""
    form = person.page.locator("form.bribe")
    form.wait_for()
    for number in range(3):
        if number < form.locator("select").count():
            form.locator("select").nth(number).select_option(index=1)
    form.locator("input").fill("3")
    form.locator(".primary").click()


@pytest.mark.parametrize("languages", [("en", "fr"), ("fr", "en")])
def test_among_people_a_bribe_is_told_to_the_player_it_is_for(
    arrive: Arrive, server: Server, languages: tuple[str, str]
) -> None:
    first, second = among_people(arrive, server, languages, "[data-react=bribe]:not([disabled])")
    page = first.page
    # All choices and the sentence below them are in sight, as soon as they are there.
    page.wait_for_function(
        """() => {
          const shown = [...document.querySelectorAll('.doing')];
          return shown.length === 1 && shown[0].scrollHeight === shown[0].clientHeight;
        }"""
    )
    page.locator("[data-react=bribe]").click()
    fill_in(first)
    offered = {"en": "Ann offers you 3 D to play ", "fr": "Ann vous offre 3 D pour jouer "}[languages[1]]
    second.page.locator(".reactions .bribes").filter(has_text=offered).wait_for()
    assert not second.page.locator(".reactions .tells").is_visible()  # it stands in its place


def test_among_people_whoever_fills_in_a_bribe_holds_the_window(arrive: Arrive, server: Server) -> None:
    """They could play a card, so that a bribe is one of their buttons. With this seed they soon can."""
    card = "#moves [data-act^=bribe]:not([disabled])"
    person, _ = among_people(arrive, server, ("en", "en"), card, seed=4)
    hold = person.page.locator("[data-react=hold]")
    assert hold.is_enabled()
    person.page.locator("#moves [data-act^=bribe]").click()
    person.page.locator("[data-react=hold][disabled]").wait_for(state="attached")
    fill_in(person)
    person.page.locator(".log").filter(has_text="3 D to play").wait_for()
