"""A tournament in real browsers: three people enter, play, and see the winner, without reloading."""

from __future__ import annotations

import time

from browser.conftest import Arrive
from browser.people import Person
from browser.test_pages import LANGUAGES, look
from browser.test_people import take_turns
from server.support.harness import Server

_PLAN = """
async ([starts, kind]) => {
  const post = (path, body) => fetch(path, {method: 'POST', body: JSON.stringify(body),
    headers: {'content-type': 'application/json'}}).then((answer) => answer.json());
  await post('/api/me', {label: 'test'});
  const body = {name: 'Ann', title: 'Cup', kind, game: 'ur', options: {markers: 1}, seats: 2, starts};
  return (await post('/api/tournaments', body)).tournament.summary.id;
}
"""


def planned(organiser: Person, kind: str = "knockout") -> str:
    """Return the id of a tournament with the shortest games that there are."""
    return str(organiser.page.evaluate(_PLAN, [int(time.time() * 1000) + 600_000, kind]))


def test_three_people_enter_a_knockout_play_it_and_see_the_winner(arrive: Arrive, own: Server) -> None:
    people = [arrive("/tournaments", server=own, name=name) for name in ("Ann", "Bob", "Cem")]
    tournament = planned(people[0])
    for person in people:  # who look at the list already
        person.page.get_by_role("link", name="Cup").click()
        person.page.locator("[data-enter]").click()
        person.page.get_by_text("You have entered").wait_for()
    people[0].page.locator("[data-begin]").click()
    for _ in range(2):
        ready = two_whose_table_is_ready(people)
        for person in ready:
            person.page.locator("[data-ready]").click()
        offers_no_help(ready[0])
        take_turns(ready, ready[0].table, own)
        for person in ready:
            person.page.get_by_role("link", name="To the tournament").click()
    for person in people:
        person.page.get_by_text("has won.").wait_for()
        assert tournament in person.page.url
    people[0].page.locator(".bracket").wait_for()
    look(people[0], "bracket", "en", is_thorough=True)


def offers_no_help(person: Person) -> None:
    """Check that the table has neither votes nor hints, and can be left."""
    menu = person.page.locator(".menu")
    menu.locator("details summary").first.click()
    menu.get_by_role("button", name="Leave").wait_for()
    for place in ("pause", "pace-by", "leave-days", "end", "giveup", "remove", "coach"):
        assert menu.locator(f'[data-menu="{place}"]').count() == 0, place
    assert person.page.locator("[data-hint]").count() == 0


def two_whose_table_is_ready(people: list[Person]) -> list[Person]:
    """Wait until two people are shown that their table is ready; return them."""
    while True:
        ready = [each for each in people if each.page.locator("[data-ready]").count()]
        if len(ready) == 2:
            return ready
        people[0].page.wait_for_timeout(50)


@LANGUAGES
def test_the_pages_of_tournaments(arrive: Arrive, own: Server, language: str) -> None:
    organiser = arrive("/tournaments", server=own, name="Ann", language=language)
    tournament = planned(organiser, "swiss")
    page = organiser.page
    page.get_by_role("link", name="Cup").wait_for()
    look(organiser, "tournaments", language, is_thorough=True)
    organiser.visit("/tournament")
    page.locator("form").wait_for()
    page.locator("details summary").click()
    page.locator("input[type=checkbox]").first.check()
    page.locator("[data-level]").wait_for()
    look(organiser, "tournament-plan", language, is_thorough=True)
    organiser.visit(f"/tournament/{tournament}")
    page.locator("[data-enter]").click()
    other = arrive(f"/tournament/{tournament}", server=own, name="Bob", language=language)
    other.page.locator("[data-enter]").click()
    other.page.locator("tbody tr").nth(1).wait_for()
    page.locator("[data-begin]").click()
    page.locator("[data-ready]").wait_for()
    look(organiser, "tournament", language, is_thorough=True)
