"""A game by days of each kind, played by two people to its end, on pages that nobody reloads.

One gives a standing order, the other is late, so that a bot plays, and comes back.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from browser.conftest import Arrive, SeededServer
from browser.people import Person
from browser.test_people import take_turns
from server.support.shared_clock import SharedClock
from soak import rows
from support import SHORT_RACE

GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "ur": ("me open", {"markers": 2}),
    "ave-caesar": ("me open bot", {"courses": ["white cw"]}),
    "ben-hvrt": ("me open bot", {"series": [1], **SHORT_RACE}),
}


def give_order(person: Person) -> None:
    """Give the first order that the page offers, and close the panel."""
    page = person.page
    page.locator("[data-orders]").first.click()
    panel = page.get_by_role("dialog", name="Standing orders")
    panel.locator("[data-order=give]").click()
    panel.locator("[data-cancel]").first.wait_for()
    page.keyboard.press("Escape")
    panel.wait_for(state="hidden")


def wait_until(person: Person, server: SeededServer, table: str, is_so: Any) -> dict[str, Any]:
    """Wait until the server tells something of a table; return the table."""
    while not is_so(shown := server.get(f"/api/tables/{table}")):
        person.page.wait_for_timeout(20)
    return dict(shown)


@pytest.mark.parametrize("game", rows(list(GAMES), "ben-hvrt".__eq__))
def test_two_people_play_by_days_to_the_end_without_reloading(
    arrive: Arrive, page_built: None, tmp_path: Path, game: str
) -> None:
    clock = SharedClock(tmp_path / "clock")
    server = SeededServer(tmp_path / "tables.sqlite", sweep=0.05)
    server.clock = clock.path
    server.start()
    seats, options = GAMES[game]
    table, token = server.create(game, seats, options=options, days={"days": 1}, start=False)
    others = server.join(table, "Bob")
    server.call("POST", f"/api/tables/{table}/start", {}, token)
    people = [arrive(server=server, name=name) for name in ("Ann", "Bob")]
    for person, own in zip(people, (token, others), strict=True):
        person.sits_at(table, own)
        person.page.wait_for_selector("#moves")
    due = wait_until(people[0], server, table, lambda shown: shown["deadline"])["deadline"]
    late = people[due["seat"]]
    other = people[1 - due["seat"]]
    give_order(other)
    clock.go_to(due["due"] - 1000)
    warned = wait_until(late, server, table, lambda shown: shown["deadline"]["warned"])["deadline"]
    clock.go_to(warned["due"])
    other.page.locator(".seats .tag.warn").first.wait_for()
    late.page.locator(".covered button").click()
    late.page.locator(".covered").wait_for(state="detached")
    take_turns(people, table, server)
    titles = {person.page.locator("#over-title").inner_text().casefold() for person in people}
    assert all(titles)
    server.kill()
