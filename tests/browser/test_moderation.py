"""Moderation in real browsers: an insult, a report, a mute, an appeal, the host's decision; the game goes on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from browser.conftest import ARTEFACTS, Arrive
from browser.people import Person
from browser.test_account import becomes_member
from browser.test_pages import LANGUAGES, look
from quadriga.server.moderation.desk import Desk
from server.support.harness import Server


def give_role(server: Server, name: str, role: str) -> None:
    """Make a member the host, as the code of the server's start does."""
    with closing(sqlite3.connect(str(server.store), timeout=60)) as store, store:
        assert store.execute("UPDATE people SET role = ? WHERE name = ?", (role, name)).rowcount == 1


def house_of(person: Person) -> None:
    """Open the page of the house."""
    person.page.goto(person.server.address + "/house")
    person.page.get_by_role("heading", name="House").wait_for()


def test_an_insult_is_reported_muted_appealed_and_decided_while_the_game_goes_on(
    arrive: Arrive, own: Server
) -> None:
    ann, bob = arrive(server=own, name="Ann"), arrive(server=own, name="Bob", width=390, height=844)
    mo, hera = arrive(server=own, name="Mo"), arrive(server=own, name="Hera")
    for person, name in ((ann, "Ann"), (bob, "Bob"), (mo, "Mo"), (hera, "Hera")):
        becomes_member(person, name)
    give_role(own, "Hera", "host")
    house_of(hera)
    hera.page.get_by_placeholder("Name").fill("Mo")
    hera.page.get_by_role("button", name="Make a moderator").click()
    hera.page.get_by_role("button", name="Make a member again").wait_for()
    ann.page.goto(own.address + "/new/ur?with=friends&open")
    ann.page.get_by_role("button", name="Open table").click()
    ann.page.wait_for_url("**/t/*")
    table = ann.table
    bob.page.goto(own.address)
    bob.page.locator(f"[data-table='{table}']").get_by_role("button").click()
    bob.page.get_by_label("Write a message").fill("you donkey")
    bob.page.get_by_role("button", name="Send", exact=True).click()
    # One tap, and the reason.
    ann.page.locator(".chat [data-report]").click()
    ann.page.get_by_role("button", name="Insult").click()
    ann.page.get_by_text("Thank you.").wait_for()
    ann.shot(ARTEFACTS / "report-1280.png")
    ann.page.get_by_role("button", name="Done").click()
    ann.page.get_by_role("button", name="Start").click()
    for person in (ann, bob):
        person.page.wait_for_selector("svg.board")
    house_of(mo)
    mo.page.locator("[data-case] > summary").click()
    mo.page.locator("li.reported").get_by_text("you donkey").wait_for()
    mo.page.get_by_label("What to do").first.select_option("mute")
    mo.page.get_by_label("Reason, as the person reads it").first.fill("Be kind.")
    mo.shot(ARTEFACTS / "case-1280.png")
    mo.page.get_by_role("button", name="Do it").first.click()
    mo.page.locator("[data-act='mute']").wait_for()
    # Bob sees it at the table, without reloading, and appeals.
    notice = bob.page.locator("[data-act='mute']")
    notice.get_by_text("Be kind.").wait_for()
    bob.shot(ARTEFACTS / "muted-390.png")
    notice.get_by_text("Appeal", exact=True).first.click()
    notice.get_by_role("textbox").fill("It was a joke.")
    notice.get_by_role("button", name="Send the appeal").click()
    notice.get_by_text("Your appeal waits for a decision.").wait_for()
    house_of(hera)
    hera.page.get_by_placeholder("Answer to the person").fill("Granted once.")
    hera.page.get_by_role("button", name="Lift").first.click()
    hera.page.get_by_role("heading", name="0 appeals").wait_for()
    notice.get_by_text("Granted once.").wait_for()
    assert own.get(f"/api/tables/{table}")["status"] == "playing"
    notice.get_by_role("button", name="I have read it").click()
    notice.wait_for(state="detached")
    # A ban ends it for Bob alone.
    house_of(mo)
    mo.page.get_by_text("Act without a report").click()
    form = mo.page.locator("form.act").last
    form.get_by_label("What to do").select_option("ban")
    form.get_by_role("textbox", name="Name").fill("Bob")
    form.get_by_role("textbox", name="Reason").fill("Again.")
    form.get_by_role("button", name="Do it").click()
    bob.page.get_by_role("heading", name="You cannot play here").wait_for()
    bob.page.get_by_text("Again.").wait_for()
    bob.shot(ARTEFACTS / "banned-390.png")
    ann.page.wait_for_selector("svg.board")
    assert own.get(f"/api/tables/{table}")["status"] == "playing"


@LANGUAGES
def test_the_page_of_the_house(arrive: Arrive, own: Server, language: str) -> None:
    hera = arrive("/me", server=own, language=language, name="Hera")
    hera.page.locator("form input").first.fill("Hera")
    hera.page.locator("form button").first.click()
    hera.page.locator(".once button").click()
    give_role(own, "Hera", "host")
    hera.page.goto(own.address + "/house")
    hera.page.locator("#host-facts").wait_for()
    look(hera, "house", language)


@LANGUAGES
def test_what_moderators_say_takes_little_of_a_phone(arrive: Arrive, own: Server, language: str) -> None:
    bob = arrive("/me", server=own, language=language, name="Bob", width=390, height=844)
    bob.page.locator("form input").first.fill("Bob")
    bob.page.locator("form button").first.click()
    bob.page.locator(".once button").click()
    house = Desk(Path(str(own.store)))
    house.act("mute", "Bob", "You have insulted others at three tables. Please be kind, or stay away.", 48, "")
    bob.page.goto(own.address)
    notice = bob.page.locator("aside.standing")
    notice.get_by_text("Please be kind").wait_for()
    bob.shot(ARTEFACTS / f"standing-390-{language}.png")
    assert notice.evaluate("each => each.offsetHeight") <= 150
    house.act("warn", "Bob", "A long story. " * 40, None, "")
    bob.page.reload()
    bob.page.locator("[data-act='warn']").wait_for()
    assert notice.evaluate("each => each.offsetHeight") <= 300
    assert bob.page.evaluate("document.documentElement.scrollWidth") <= 390
