"""People at one table: two browsers and a watching one, a shared device, a lost connection, a killed server."""

from __future__ import annotations

import re

import pytest

from browser.conftest import ARTEFACTS, Arrive
from browser.people import Person
from server.support.harness import Server
from soak import only_in_soak


def take_turns(people: list[Person], table: str, server: Server, most: int = 4000) -> None:
    """Let the asked person play until the game is over for all."""
    for _ in range(most):
        states = [person.moment().state for person in people]
        if all(state == "over" for state in states):
            return
        asked = [person for person, state in zip(people, states, strict=True) if state == "asked"]
        for person in asked:
            person.moves_if_asked()
        if not asked:
            people[0].page.wait_for_timeout(20)
    raise AssertionError(f"table {table} does not come to its end: {server.get(f'/api/tables/{table}')}")


def test_two_browsers_and_a_third_that_watches(arrive: Arrive, server: Server) -> None:
    ann = arrive("/new/ur?with=friends", name="Ann")
    ann.page.get_by_label("Markers per side").fill("1")
    ann.page.get_by_role("button", name="Open table").click()
    table = ann.table
    ann.page.get_by_role("img", name=re.compile("QR code")).wait_for()
    bob = arrive(f"/t/{table}", name="Bob")
    cem = arrive(f"/t/{table}")
    bob.page.get_by_role("button", name="Take a seat").click()
    ann.page.get_by_text("Bob").first.wait_for()
    ann.page.get_by_role("button", name="Start").click()
    for person in (ann, bob, cem):
        person.page.wait_for_selector("svg.board")
    cem.page.get_by_text("you are watching").wait_for()
    ann.page.get_by_label("Write a message").fill("<b>salve</b>")
    ann.page.get_by_role("button", name="Send").click()
    for person in (bob, cem):
        person.page.get_by_text("<b>salve</b>").wait_for()
    take_turns([ann, bob], table, server)
    cem.page.wait_for_selector("#over-title")
    assert cem.page.locator(".free, .target").count() == 0
    titles = {person.page.locator("#over-title").inner_text().casefold() for person in (ann, bob)}
    assert "you win!" in titles
    assert titles & {"ann wins", "bob wins"}

    ann.page.get_by_role("button", name="Rematch").click()
    ann.page.wait_for_url(lambda url: table not in url)
    bob.page.get_by_role("button", name="Join the rematch").click()
    bob.page.wait_for_url(lambda url: table not in url)
    for person in (ann, bob):
        person.page.wait_for_selector("svg.board")
    assert ann.table == bob.table


def test_a_reload_changes_nothing(arrive: Arrive, server: Server) -> None:
    table, token = server.create("ave-caesar", "me bot bot", options={"courses": ["white cw"]})
    ann = arrive()
    ann.sits_at(table, token)
    ann.plays_by_hand(3)
    ann.waits()
    hand = ann.page.locator("[data-card]").all_inner_texts()
    lines = ann.page.locator(".lines p").all_inner_texts()
    ann.page.reload()
    ann.waits()
    assert ann.page.locator("[data-card]").all_inner_texts() == hand
    assert ann.page.locator(".lines p").all_inner_texts()[-3:] == lines[-3:]
    ann.plays_by_hand(2)


def test_a_lost_connection_is_restored_and_the_click_is_not_lost(arrive: Arrive, server: Server) -> None:
    table, token = server.create("ur", "me bot", options={"markers": 3}, dice={"kind": "seeded", "seed": 5})
    ann = arrive()
    ann.sits_at(table, token)
    ann.waits()
    before = int(ann.page.locator(".table").get_attribute("data-number") or 0)
    ann.context.set_offline(True)
    ann.page.get_by_text("Connection lost").wait_for()
    ann.clicks()
    ann.page.get_by_text("Your move is saved").wait_for()
    ann.shot(ARTEFACTS / "lost-line-1280.png")
    ann.context.set_offline(False)
    ann.page.wait_for_function("(n) => Number(document.querySelector('.table').dataset.number) > n", arg=before)
    ann.page.get_by_text("Connection lost").wait_for(state="detached")
    ann.plays_by_hand(2)


def test_the_page_reconnects_to_a_restarted_server(arrive: Arrive, own: Server) -> None:
    table, token = own.create("ave-caesar", "me bot bot", options={"courses": ["white cw"]})
    ann = arrive(server=own)
    ann.sits_at(table, token)
    ann.plays_by_hand(2)
    ann.waits()
    own.kill()
    ann.page.get_by_text("Connection lost").wait_for()
    own.start()
    ann.page.get_by_text("Connection lost").wait_for(state="detached")
    assert ann.plays_by_hand(3) == 3


@pytest.mark.parametrize("game", [only_in_soak("ave-caesar"), "ben-hvrt"])
def test_the_device_is_handed_over_and_hides_hands(arrive: Arrive, server: Server, game: str) -> None:
    options = {"courses": ["white cw"]} if game == "ave-caesar" else {"series": [1], "offers": 0}
    seats = "me me bot" if game == "ave-caesar" else "me me"
    table, token = server.create(game, seats, options=options)
    both = arrive()
    both.sits_at(table, token)
    handed = 0
    for _ in range(14):
        state = both.waits()
        if state == "over":
            break
        if state == "handover":
            handed += 1
            assert both.page.locator("[data-card]").count() == 0
            assert both.page.locator("svg.board").count() == 0
            both.page.get_by_role("dialog").get_by_role("button").click()
            both.page.locator("svg.board").wait_for()
            assert handed == 1 or both.page.get_by_text("Nothing yet.").count() == 0
        both.plays_by_hand(1)
    assert handed >= 2


def test_ur_on_one_device_needs_no_handover_screen(arrive: Arrive, server: Server) -> None:
    ann = arrive("/new/ur?with=device")
    ann.page.get_by_label("Markers per side").fill("1")
    ann.page.get_by_role("button", name="Start").click()
    table = ann.table
    ann.plays_by_hand()
    assert server.get(f"/api/tables/{table}")["status"] == "over"


def test_everybody_agrees_to_a_pause_and_goes_on(arrive: Arrive, server: Server) -> None:
    table, token = server.create("ur", "me open")
    bobs = server.join(table)
    server.call("POST", f"/api/tables/{table}/start", {}, token)
    ann, bob = arrive(), arrive()
    ann.sits_at(table, token)
    bob.sits_at(table, bobs)
    for person in (ann, bob):
        person.page.wait_for_selector("svg.board")
        person.page.get_by_text("Game menu").click()
    ann.page.get_by_role("button", name="Vote to pause").click()
    bob.page.get_by_role("button", name="Agree").click()
    ann.page.get_by_text("Game paused").wait_for()
    bob.page.get_by_role("button", name="Vote to resume").click()
    ann.page.get_by_role("button", name="Agree").click()
    ann.page.get_by_text("Game paused").wait_for(state="detached")
