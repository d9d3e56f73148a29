"""Whole games of all three in a real browser, from the first page to the last."""

from __future__ import annotations

import time

import pytest

from browser.conftest import Arrive
from browser.people import PATIENCE
from server.support.harness import Server
from soak import only_in_soak
from support import SHORT_TRACK

SHORT = {
    "ur": ({"markers": 1}, "me bot"),
    "ave-caesar": ({"courses": ["white cw"]}, "me bot bot"),
    "ben-hvrt": ({"series": [1], "track": SHORT_TRACK}, "me bot"),
}


# test_touch.py and test_first_race.py play whole games of the others.
@pytest.mark.parametrize("game", ["ur", only_in_soak("ave-caesar"), only_in_soak("ben-hvrt")])
def test_a_whole_game_is_played_to_its_end(arrive: Arrive, server: Server, game: str) -> None:
    options, seats = SHORT[game]
    table, token = server.create(game, seats, options=options)
    ann = arrive()
    ann.sits_at(table, token)
    ann.waits()
    if game == "ben-hvrt":  # the windows pass by themselves
        for box in ann.page.get_by_role("group", name="When should I be asked?").get_by_role("checkbox").all():
            box.uncheck()
    made = ann.plays_by_hand()
    assert made > 3
    ann.page.get_by_role("heading", level=1).filter(has_text="win").wait_for()
    assert server.get(f"/api/tables/{table}")["status"] == "over"


def test_three_people_play_a_series_of_ben_hvrt_in_three_windows_without_reloading(
    arrive: Arrive, server: Server
) -> None:
    """Ann and Bob answer in timed windows, Cleo never does. A watcher sees the result as well."""
    options = {"series": [1, 1], "chariots": 1, "track": SHORT_TRACK}
    table, host = server.create("ben-hvrt", "me open open", options=options, beat=200)
    tokens = [host, server.join(table, "Bob"), server.join(table, "Cleo")]
    server.call("POST", f"/api/tables/{table}/start", {}, host)
    people = [arrive(name=name) for name in ("Ann", "Bob", "Cleo")]
    for person, token in zip(people, tokens, strict=True):
        person.sits_at(table, token)
    watcher = arrive(f"/t/{table}")
    watcher.page.locator(".table").wait_for()
    cleo = people[2]
    answered = passed_over = 0
    known, changed_at = "", time.monotonic()
    moments = [person.moment() for person in people]
    while any(moment.state != "over" for moment in moments):
        for person, moment in zip(people, moments, strict=True):
            if moment.state == "asked" and not (person is cleo and moment.is_timed):
                person.clicks()
                answered += moment.is_timed
            passed_over += person is cleo and moment.is_timed
        number = " ".join(moment.number for moment in moments)
        if number != known:
            known, changed_at = number, time.monotonic()
        else:
            cleo.page.wait_for_timeout(20)
        assert time.monotonic() - changed_at < PATIENCE / 1000, "the game stands still"
        moments = [person.moment() for person in people]
    assert server.get(f"/api/tables/{table}")["status"] == "over"
    watcher.page.locator("#over-title").wait_for()
    assert answered > 3
    assert passed_over > 3
