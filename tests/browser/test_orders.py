"""Standing orders on the page: a limit bids by itself, a move is made in advance, an order is cancelled."""

from __future__ import annotations

import re

from browser.conftest import Arrive
from browser.people import PATIENCE, Person
from browser.test_pages import look
from server.support.harness import Server

# Pass until somebody is asked for a bid, so that there is a ladder of prices.
_UNTIL_BIDS = """
() => {
  if (document.querySelector('.ladder') && document.querySelector('[data-act=bid]:not(:disabled)')) return true;
  document.querySelector('#moves [data-act=auction]:not(:disabled)')?.click();
  return false;
}
"""


def seated(arrive: Arrive, server: Server, game: str, language: str = "en", **more: object) -> Person:
    table, token = server.create(game, "me bot", **more)
    person = arrive(language=language)
    person.sits_at(table, token)
    person.waits()
    return person


def test_a_limit_in_the_auction_is_an_order_that_bids_and_that_a_tap_cancels(
    arrive: Arrive, server: Server
) -> None:
    ann = seated(arrive, server, "ben-hvrt", options={"series": [1]})
    ann.page.wait_for_function(_UNTIL_BIDS, timeout=PATIENCE)
    limit = ann.page.get_by_label("Bid for me up to")
    limit.fill("2")
    limit.press("Enter")
    ann.page.locator(".log").get_by_text(re.compile(r"Ann .*bids 1 D|Ann bids 1 D")).first.wait_for()
    ann.page.locator("[data-orders]").click()
    orders = ann.page.get_by_role("dialog", name="Standing orders")
    orders.locator("[data-order=form]").select_option(label="Pay upkeep")
    orders.locator("[data-order=give]").click()
    orders.get_by_text("Pay the upkeep: all of them.").wait_for()
    orders.locator("[data-order=preview]").click()
    orders.get_by_text("In your last").wait_for()
    look(ann, "orders-ben-hvrt", "en")
    kept = orders.get_by_role("listitem").filter(has_text="Pay the upkeep")
    kept.get_by_role("button", name="Cancel").click()
    kept.wait_for(state="detached")
    orders.get_by_role("button", name="Close").click()
    orders.wait_for(state="hidden")


def test_a_move_in_advance_is_made_when_it_is_due(arrive: Arrive, server: Server) -> None:
    ann = seated(arrive, server, "ur", language="fr")
    number = ann.number
    ann.page.locator("[data-orders]").focus()
    ann.page.keyboard.press("Enter")
    orders = ann.page.get_by_role("dialog", name="Ordres permanents")
    orders.locator("[data-order=form]").select_option(value="move ")
    look(ann, "orders-ur", "fr")
    orders.locator("[data-order=give]").focus()
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_function(
        "number => document.querySelector('.table').dataset.number > number", arg=number, timeout=PATIENCE
    )
    ann.page.keyboard.press("Escape")
    orders.wait_for(state="hidden")


def test_a_game_by_days_asks_for_orders_while_others_move(arrive: Arrive, server: Server) -> None:
    table, token = server.create("ben-hvrt", "me open", options={"series": [1]}, days={"days": 3}, start=False)
    people = [arrive(), arrive()]
    others = server.join(table, "Bob")
    server.call("POST", f"/api/tables/{table}/start", {}, token)
    for person, own in zip(people, (token, others), strict=True):
        person.sits_at(table, own)
        person.page.wait_for_selector("#moves")
    asked = people[0] if people[0].page.locator("#moves [data-act]").count() else people[1]
    waiting = next(each for each in people if each is not asked)
    waiting.page.locator("[data-leave-orders] button").click()
    waiting.page.get_by_role("dialog", name="Standing orders").get_by_label("Up to (D)").wait_for()
    assert waiting.page.locator(".menu fieldset").count() == 0  # no window waits, so none can be chosen
    assert asked.page.locator("[data-leave-orders]").count() == 0


def test_the_replay_of_a_finished_game_shows_the_orders_that_there_were(arrive: Arrive, server: Server) -> None:
    ann = seated(arrive, server, "ur", language="fr")
    number = ann.number
    ann.page.locator("[data-orders]").click()
    orders = ann.page.get_by_role("dialog", name="Ordres permanents")
    orders.locator("[data-order=form]").select_option(value="move ")
    orders.locator("[data-order=give]").click()
    ann.page.wait_for_function(
        "number => document.querySelector('.table').dataset.number > number", arg=number, timeout=PATIENCE
    )
    ann.page.keyboard.press("Escape")
    orders.wait_for(state="hidden")
    table = ann.table
    ann.page.locator(".menu details summary").first.click()
    ann.page.locator('[data-menu="giveup"]').click()
    ann.page.locator("dialog .primary").click()
    ann.page.wait_for_selector("#over-title", timeout=PATIENCE)
    ann.visit(f"/replay/{table}?step=9999&seat=-1")
    kept = ann.page.get_by_role("region", name="Ordres permanents")
    kept.get_by_text(re.compile(r"exécuté au coup \d+")).wait_for()
    look(ann, "replay-orders", "fr")
    kept.get_by_role("button").click()
    kept.get_by_text(re.compile(r"depuis le coup \d+")).wait_for()
