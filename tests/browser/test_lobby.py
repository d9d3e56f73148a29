"""Meeting people in real browsers: an open table, one click, a game to its end, and the next one."""

from __future__ import annotations

from browser.conftest import Arrive
from browser.test_pages import LANGUAGES, look
from browser.test_people import take_turns
from server.support.harness import Server


def test_two_people_meet_at_an_open_table_play_and_meet_again(arrive: Arrive, own: Server) -> None:
    bob = arrive(server=own, name="Bob")
    bob.page.get_by_text("Nobody is waiting right now").wait_for()
    ann = arrive("/new/ur?with=friends&open", server=own, name="Ann")
    ann.page.get_by_label("Markers per side").fill("1")
    ann.page.get_by_role("button", name="Open table").click()
    table = ann.table
    bob.page.locator(f"[data-table='{table}']").get_by_role("button").click()  # without reloading
    assert bob.table == table
    ann.page.get_by_text("Bob").first.wait_for()
    ann.page.get_by_role("button", name="Start").click()
    take_turns([ann, bob], table, own)
    ann.page.get_by_role("button", name="Rematch").click()
    ann.page.wait_for_url(lambda url: table not in url)
    bob.page.get_by_role("button", name="Join the rematch").click()
    bob.page.wait_for_url(lambda url: table not in url)
    for person in (ann, bob):
        person.page.wait_for_selector("svg.board")
    assert ann.table == bob.table


def test_two_people_find_each_other_by_a_quick_game(arrive: Arrive, own: Server) -> None:
    people = [arrive(server=own, name=name) for name in ("Ann", "Bob", "Cem")]
    for person in people:
        person.page.get_by_role("button", name="Find somebody").wait_for()
    people[0].page.get_by_role("button", name="Find somebody").click()
    people[0].page.get_by_role("button", name="Stop looking").click()  # nobody is paired with Ann
    for person in people[1:]:
        person.page.get_by_role("button", name="Find somebody").click()
    for person in people[1:]:
        person.page.wait_for_selector("svg.board")
    assert people[1].table == people[2].table
    people[0].page.get_by_role("button", name="Find somebody").wait_for()


@LANGUAGES
def test_the_first_page_with_tables(arrive: Arrive, own: Server, language: str) -> None:
    own.create("ave-caesar", "me open open", public=True, fill=600)
    own.create("ur", "me open", public=True, options={"markers": 3}, clock={"kind": "move", "seconds": 60})
    own.create("ur", "me bot", public=True)
    table, _ = own.create("ben-hvrt", "me open open", public=True, days={"days": 3})
    person = arrive(server=own, language=language)
    person.page.locator("[data-table]").nth(3).wait_for()
    said = {"en": "3 days a move", "fr": "3 jours par coup"}[language]
    person.page.locator(f"[data-table='{table}']").get_by_text(said).wait_for()
    look(person, "lobby", language)


@LANGUAGES
def test_friends_and_an_invitation_by_name(arrive: Arrive, own: Server, language: str) -> None:
    """Bob asks Ann, Ann agrees, she and Cem invite him to one table, and he comes, all without reloading."""
    people = {name: arrive(server=own, language=language, name=name) for name in ("Ann", "Bob", "Cem")}
    for name, person in people.items():
        person.visit("/me")
        person.page.locator("form input").first.fill(name)
        person.page.locator("form button").first.click()
        person.page.locator(".once button").click()
        person.page.goto(own.address + "/friends")
    bob, ann, cem = people["Bob"].page, people["Ann"].page, people["Cem"].page
    bob.locator("form input").first.fill("ann")
    bob.locator("form button").first.click()
    ann.locator("li button.primary").click()
    bob.get_by_text("Ann", exact=True).wait_for()
    look(people["Bob"], "friends", language)
    ann.goto(own.address + "/new/ave-caesar?with=friends")
    ann.locator("button.primary").last.click()
    table = people["Ann"].table
    ann.get_by_role("button", name="Bob", exact=True).click()
    people["Cem"].visit(f"/t/{table}")
    cem.locator("main button.primary").first.click()
    cem.locator("h3 ~ form input[maxlength='40']").fill("bob")
    cem.locator("h3 ~ form button").click()
    invitations = bob.locator(f"section li a[href='/t/{table}']")
    invitations.nth(1).wait_for()
    look(people["Bob"], "invitations", language)
    invitations.first.click()
    assert people["Bob"].table == table


@LANGUAGES
def test_a_game_night_is_planned_answered_and_held(arrive: Arrive, own: Server, language: str) -> None:
    ann = arrive("/night", server=own, language=language, name="Ann")
    soon = ann.page.evaluate(
        "() => new Date(Date.now() - new Date().getTimezoneOffset() * 60000 + 1.8e6).toISOString().slice(0, 16)"
    )
    ann.page.locator("input[type='datetime-local']").fill(soon)
    look(ann, "night-plan", language)
    ann.page.locator("form button.primary").click()
    ann.page.wait_for_url("**/night/*")
    bob = arrive(ann.page.url.removeprefix(own.address), server=own, language=language, name="Bob")
    bob.page.locator("[data-answer='maybe']").click()
    bob.page.locator("li", has_text="Bob").wait_for()
    look(bob, "night", language)
    with bob.page.expect_download() as download:
        bob.page.locator("a[download]").click()
    assert b"DTSTART:" in download.value.path().read_bytes()
    bob.page.goto(own.address)
    bob.page.locator("a[href^='/night/']").wait_for()
    ann.page.locator("section button.primary").last.click()
    table = ann.table
    bob.page.locator("a[href^='/night/']").click()
    bob.page.locator(f"a[href='/t/{table}']").click()
    assert bob.table == table
