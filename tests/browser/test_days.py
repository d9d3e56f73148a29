"""Games by days on the page: made, shown with the time that is left, a bot that plays meanwhile, and a vacation."""

from __future__ import annotations

import pytest

from browser.conftest import Arrive
from browser.test_account import becomes_member
from browser.test_pages import look
from server.support.harness import Server
from soak import only_in_soak


@pytest.mark.parametrize("language", ["en", only_in_soak("fr")])
def test_a_game_by_days_is_made_played_and_left_to_a_bot(arrive: Arrive, own: Server, language: str) -> None:
    ann = arrive("/me", server=own, name="Ann")
    becomes_member(ann, "Ann")
    ann.page.evaluate(
        "language => localStorage.setItem('quadriga.settings', JSON.stringify({"
        "...JSON.parse(localStorage.getItem('quadriga.settings') ?? '{}'), language}))",
        language,
    )
    ann.visit("/new/ur?with=friends")
    ann.page.locator("select[data-days]").select_option("3")
    look(ann, "days-create", language)
    ann.page.locator("form .bar button").click()
    ann.page.wait_for_url("**/t/*")
    ann.page.locator("[data-days]").wait_for()
    table = ann.page.url.rpartition("/")[2]
    token = own.join(table, "Bob")
    ann.page.locator(".start button:not([disabled])").click()
    ann.page.locator(".head [data-days]").wait_for()
    said = ann.page.locator(".head [data-days]").inner_text()
    assert {"en": "2 days 23 hours", "fr": "2 jours 23 heures"}[language] in said.replace("\u00a0", " ")
    bob = arrive("/", server=own, language=language)
    bob.sits_at(table, token)
    bob.page.locator(".head [data-days]").wait_for()
    assert own.get(f"/api/tables/{table}")["seats"][0]["here"]
    ann.page.locator("[data-vacation], .head").first.wait_for()
    look(ann, "days-table", language)
    ann.visit("/me")
    ann.page.locator("[data-vacation=off] button").click()
    ann.page.locator("[data-vacation=on]").wait_for()
    look(ann, "days-vacation", language)
    seat = bob.page.locator(".seats li").first
    seat.locator(".tag", has_text={"en": "on vacation", "fr": "en vacances"}[language]).wait_for()
    ann.page.locator("[data-vacation=on] button").click()
    ann.page.locator("[data-vacation=off]").wait_for()
    ann.visit("/games")
    ann.page.locator("a [data-days]").wait_for()
    look(ann, "days-games", language)
