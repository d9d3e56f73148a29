"""Whole games among strangers: three people, a bot and a watcher, from the waiting room to the result.

Nobody reloads. In mid-game Bob goes on with his phone, as a stranger would: by the page "You" and the list at home.
"""

from __future__ import annotations

import time
from typing import Any

import pytest

from browser.conftest import Arrive
from browser.people import PATIENCE, Person
from browser.test_first_race import is_left_to_bots, positions_heard
from server.support.harness import Server
from soak import rows
from support import SHORT_TRACK

GAMES: dict[str, dict[str, Any]] = {
    "ben-hvrt": {"options": {"series": [1], "chariots": 1, "track": SHORT_TRACK}, "beat": 300},
    "ave-caesar": {"options": {"courses": ["white cw"]}},
}
# Clicks "Skip to the result" as soon as it is there: the bots do not wait.
_RUSHES = """
() => new MutationObserver(() => {
  const button = document.querySelector('[data-rush]');
  if (!button || window.rushed) return;
  window.rushed = button.textContent;
  button.click();
}).observe(document.body, { childList: true, subtree: true })
"""


def gather(arrive: Arrive, server: Server, game: str) -> tuple[dict[str, Person], Person, list[dict[str, Any]]]:
    """Meet in the waiting room, talk, and start; return players by name, a watcher, and what Ann's page is sent."""
    table, token = server.create(game, "me open open open", **GAMES[game])
    ann = arrive(server=server, name="Ann")
    heard = positions_heard(ann)
    ann.sits_at(table, token)
    ann.page.get_by_role("button", name="Add a bot").last.click()
    others = {name: arrive(f"/t/{table}", server=server, name=name) for name in ("Bob", "Cleo")}
    watcher = arrive(f"/t/{table}", server=server)
    for person in others.values():
        person.page.get_by_role("button", name="Take a seat").click()
        person.page.get_by_text("Waiting for the host to start").wait_for()
    watcher.page.get_by_text("Cleo").first.wait_for()
    ann.page.get_by_label("Write a message").fill("salve")
    ann.page.get_by_role("button", name="Send").click()
    watcher.page.get_by_text("salve").wait_for()
    ann.page.get_by_role("button", name="Start").click()
    people = {"Ann": ann, **others}
    for person in (*people.values(), watcher):
        person.page.wait_for_selector("svg.board")
        person.page.evaluate("() => (window.isFirst = true)")  # a reload would forget it
        person.page.evaluate(_RUSHES)
    return people, watcher, heard


def takes_the_phone(arrive: Arrive, bob: Person) -> Person:
    """Keep Bob's games in another tab, sign in on a phone, and go on there."""
    address, tab = bob.page.url, bob.context.new_page()
    tab.goto(bob.server.address + "/me")
    tab.get_by_label("Name").fill("Bob")
    tab.get_by_role("button", name="Keep my games").click()
    tab.get_by_role("button", name="I have written it down").click()
    tab.get_by_role("button", name="Show a code").click()
    code = tab.locator("[data-code]").inner_text()
    phone = arrive(f"/me?code={code}", server=bob.server, width=390, height=844)
    phone.page.get_by_role("button", name="Sign in", exact=True).click()
    phone.page.get_by_role("heading", name="Bob", exact=True).wait_for()
    phone.page.locator("a[href='/']").first.click()
    phone.page.locator(f"a[href='/t/{address.rpartition('/')[2]}']").first.click()
    phone.page.wait_for_selector("svg.board")
    phone.page.evaluate("() => (window.isFirst = true)")
    phone.page.evaluate(_RUSHES)
    bob.page.close()
    tab.close()
    return phone


# test_games.py plays Ben Hvrt among three people and a watcher, one of whom never answers.
@pytest.mark.parametrize("game", rows(list(GAMES), "ave-caesar".__eq__))
def test_strangers_play_a_whole_game_and_one_of_them_changes_the_device(
    arrive: Arrive, own: Server, game: str
) -> None:
    """In Ben Hvrt Cleo never answers in timed windows. In Ave Caesar a race of bots alone is skipped."""
    people, watcher, heard = gather(arrive, own, game)
    made = 0
    is_slow = False
    known, changed_at = "", time.monotonic()
    moments = {name: each.moment() for name, each in people.items()}
    while any(moment.state != "over" for moment in moments.values()):
        for name, person in people.items():
            moment = moments[name]
            if moment.state == "asked" and not (name == "Cleo" and moment.is_timed):
                person.clicks()
                made += 1
        number = " ".join(moment.number for moment in moments.values())
        if number != known:
            known, changed_at = number, time.monotonic()
        else:
            people["Ann"].page.wait_for_timeout(20)
        assert time.monotonic() - changed_at < PATIENCE / 1000, "the game stands still"
        if made >= 12 and people["Bob"].page.viewport_size == {"width": 1280, "height": 800}:
            people["Bob"] = takes_the_phone(arrive, people["Bob"])
        if game == "ave-caesar" and not is_slow and people["Ann"].page.locator(".hand .card").count() == 1:
            people["Ann"].page.locator("[data-menu=pace]").select_option("slowly")  # in sight before it moves on
            is_slow = True
        moments = {name: each.moment() for name, each in people.items()}
    watcher.page.locator("#over-title").wait_for()
    assert all(each.page.evaluate("() => window.isFirst") for each in (*people.values(), watcher))
    if game == "ave-caesar" and any(is_left_to_bots(each, 3) for each in heard):
        skips = {each.page.evaluate("() => window.rushed ?? null") for each in people.values()}
        assert "Skip to the result" in skips
