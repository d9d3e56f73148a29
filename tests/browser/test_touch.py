"""Whole games on a phone, in French, by touch alone: every tap lands where a finger would put it."""

from __future__ import annotations

import pytest

from browser.conftest import Arrive
from browser.people import Person
from server.support.harness import Server
from soak import only_in_soak
from support import SHORT_TRACK

SHORT = {
    "ur": ({"markers": 1}, "me bot"),
    "ave-caesar": ({"courses": ["white cw"]}, "me bot bot"),
    "ben-hvrt": ({"series": [1], "track": SHORT_TRACK}, "me bot"),
}
# What a finger taps next, the first that is there: an open sheet is answered before anything below it.
_NEXT = """
() => {
  const chosen = document.querySelector('.free.chosen');
  const places = ['.choices .primary', '[data-lane]', chosen ? '.target' : '.free', '.hand .lit:not([disabled])',
    '[data-act=straight]', '.target', '#moves [data-act]:not([disabled]):not([data-act$="*"])'];
  for (const place of places) {
    const found = document.querySelector(place);
    if (!found || document.querySelector('.pending')) continue;
    const box = found.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const hit = document.elementFromPoint(x, y);
    const isFree = hit !== null && (found.contains(hit) || hit.closest('[role=button], button') !== null);
    return [place, x, y, isFree && y < innerHeight];
  }
  return null;
}
"""


def taps(person: Person, most: int = 600) -> set[str]:
    """Tap what can be tapped until the game is over; return the kinds of things that were tapped."""
    kinds: set[str] = set()
    for _ in range(most):
        if person.waits() == "over":
            return kinds
        found = person.page.evaluate(_NEXT)
        if found is None:
            continue
        place, x, y, is_free = found
        assert is_free, f"{place} is covered or off the screen"
        kinds.add(place)
        person.page.touchscreen.tap(x, y)
    raise AssertionError("no end")


@pytest.mark.parametrize("game", [only_in_soak("ur"), "ave-caesar", only_in_soak("ben-hvrt")])
def test_a_whole_game_by_touch_on_a_phone(arrive: Arrive, server: Server, game: str) -> None:
    options, seats = SHORT[game]
    table, token = server.create(game, seats, options=options, dice={"kind": "seeded", "seed": 4})
    ann = arrive("/settings", language="fr", width=390, height=844, touch=True)
    ann.sits_at(table, token)
    kinds = taps(ann)
    wanted = {
        "ur": {".free"},
        "ave-caesar": {"[data-lane]", ".hand .lit:not([disabled])"},
        "ben-hvrt": {".choices .primary", "[data-act=straight]"},
    }
    assert wanted[game] <= kinds
    ann.page.locator(".next .primary").tap()  # a rematch
    ann.page.wait_for_function("(old) => !location.pathname.endsWith(old)", arg=table)
    ann.page.wait_for_selector(".table")
