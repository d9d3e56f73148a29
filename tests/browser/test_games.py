"""Whole games of all three in a real browser, from the first page to the last."""

from __future__ import annotations

import pytest

from browser.conftest import Arrive
from server.support.harness import Server
from soak import only_in_soak
from support import SHORT_TRACK

SHORT = {
    "ur": ({"markers": 1}, "me bot"),
    "ave-caesar": ({"courses": ["white cw"]}, "me bot bot"),
    "ben-hvrt": ({"series": [1], "track": SHORT_TRACK}, "me bot"),
}


# test_touch.py, test_first_race.py and test_strangers.py play whole games of the others.
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
