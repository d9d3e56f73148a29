"""Bribes in Ben Hvrt: the form by keyboard and by touch, in a real browser."""

from __future__ import annotations

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
