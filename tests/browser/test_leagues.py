"""A league in real browsers: made, joined by its link, played, looked at without reloading, and corrected."""

from __future__ import annotations

from browser.conftest import Arrive
from browser.people import Person
from browser.test_pages import LANGUAGES, look
from browser.test_people import take_turns
from server.support.harness import Server


def becomes_member(person: Person, name: str) -> None:
    person.visit("/me")
    person.page.locator("form input").first.fill(name)
    person.page.locator("form button").first.click()
    person.page.locator(".once button").click()


@LANGUAGES
def test_a_league_is_made_joined_played_and_corrected(arrive: Arrive, own: Server, language: str) -> None:
    people = {name: arrive(server=own, language=language, name=name) for name in ("Ann", "Bob", "Cem")}
    for name, person in people.items():
        becomes_member(person, name)
    ann, bob, cem = (person.page for person in people.values())
    people["Ann"].visit("/leagues")
    ann.locator("form input[maxlength='60']").fill("Circus Maximus")
    for each in ann.locator("fieldset .flag input").all()[:2]:
        each.check()
    ann.locator("form button.primary").wait_for()
    look(people["Ann"], "leagues", language, is_thorough=True)
    ann.locator("form button.primary").click()
    ann.wait_for_url("**/league/*")
    link = ann.locator("#share-address").input_value()
    path = ann.url.removeprefix(own.address)
    for person in (people["Bob"], people["Cem"]):
        person.visit(path + link[link.index("?") :])
        person.page.locator("main button.primary").click()
        person.page.locator("[data-game], h2").first.wait_for()
    ann.locator("li", has_text="Cem").first.wait_for()  # without reloading

    ann.locator(f".play a[href*='{path.rpartition('/')[2]}'][href^='/new/ur']").click()
    ann.locator("[data-league]").wait_for()
    ann.locator("#option-markers").fill("1")
    ann.locator(".bar button").click()
    table = people["Ann"].table
    people["Bob"].visit("/")
    bob.locator(f"a[href='/t/{table}']").first.click()
    bob.locator("main button.primary").first.click()
    ann.locator("li", has_text="Bob").first.wait_for()
    ann.locator("main button.primary:not([disabled])").first.click()
    take_turns([people["Ann"], people["Bob"]], table, own)
    for name in ("Ann", "Bob"):
        cem.locator(f"tr[data-row='{name}']").wait_for()  # without reloading
    cem.locator(f"[data-game='{table}'][data-state='counts']").wait_for()
    people["Ann"].visit(path)
    game = ann.locator(f"[data-game='{table}']")
    game.locator("button.quiet").click()
    game.locator("input").fill("Bob’s little brother played")
    game.locator("form button").click()
    cem.locator(f"[data-game='{table}'][data-state='excluded']").wait_for()
    cem.locator("li", has_text="Bob’s little brother played").last.wait_for()
    look(people["Ann"], "league", language, is_thorough=True)
