"""A phone: what a turn needs is large enough for a finger, and a tap beside a square means the nearest one."""

from __future__ import annotations

import pytest

from browser.boxes import box, boxes, resize
from browser.conftest import Arrive
from browser.people import Person
from browser.test_hands import comes_to
from browser.test_pages import assert_accessible
from server.support.harness import Server
from soak import count

FINGER = 40  # pixels
CONTROLS = ".centre, .doing"
PARTS = ":is(button, select, input:not([type=radio]), label:has(input[type=radio]))"
GAMES = {
    "ur": ({}, "me bot"),
    "ave-caesar": ({"courses": ["blue cw"]}, "me bot bot"),
    "ben-hvrt": ({"series": [1]}, "me bot bot bot"),
}
_BESIDE = """
() => {
  const isFree = (x, y) => {
    const hit = document.elementFromPoint(x, y);
    return hit?.closest('svg.board') && !hit.closest('[role="button"], .thing');
  };
  for (const each of document.querySelectorAll('svg.board .target, svg.board .free')) {
    const box = each.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const [dx, dy] = [box.width / 2 + 9, box.height / 2 + 9];
    for (const place of [[x - dx, y], [x + dx, y], [x, y - dy], [x, y + dy]])
      if (isFree(...place)) return [each.dataset.square ?? null, ...place];
  }
  return null;
}
"""


def sits(arrive: Arrive, server: Server, game: str, language: str = "fr") -> Person:
    options, seats = GAMES[game]
    table, token = server.create(game, seats, options=options)
    person = arrive("/settings", language=language, width=390, height=844, touch=True)
    person.sits_at(table, token)
    person.waits()
    return person


def assert_large_enough(person: Person) -> None:
    """Everything that can be pressed in a turn has room for a finger, upright and on its side."""
    for size in ("phone on its side", "phone"):
        resize(person, size)
        found = boxes(person, f":is({CONTROLS}) {PARTS}")
        assert found
        for each in found:
            assert each.bottom - each.top >= FINGER, (size, each)
            assert each.right - each.left >= FINGER, (size, each)


@pytest.mark.parametrize("game", GAMES)
def test_what_a_turn_needs_is_large_enough_for_a_finger(arrive: Arrive, server: Server, game: str) -> None:
    ann = sits(arrive, server, game)
    if game == "ben-hvrt":
        for phase in ("auction", "market", "window"):
            comes_to(ann, phase)
            assert_large_enough(ann)
        comes_to(ann, "steps")
    assert_large_enough(ann)
    for _ in range(count(1, 3)):
        square, x, y = ann.page.evaluate(_BESIDE)
        number = ann.number
        ann.page.touchscreen.tap(x, y)
        if game == "ur":
            ann._moved(number)
        elif game == "ave-caesar":
            ann.page.locator("[data-lane]").first.wait_for()
        else:
            ann.page.locator(f"[data-square='{square}'].on").wait_for(state="attached")
        assert ann.page.locator(".explained").count() == 0  # the tap was not a question
        ann.waits()


def test_the_track_zooms_to_the_own_chariot_and_a_tap_reads_a_card_large(arrive: Arrive, server: Server) -> None:
    ann = sits(arrive, server, "ben-hvrt", "en")
    comes_to(ann, "market")
    ann.page.locator(".hand .lit").first.tap()  # it is read before it is fitted
    ann.page.locator("dialog .large").wait_for()
    assert ann.page.locator("dialog .choices .primary").count() >= 1
    assert_accessible(ann, "large card")
    ann.page.get_by_role("button", name="Cancel").tap()
    comes_to(ann, "steps")
    assert box(ann, ".hand .pick .line")  # a line of the rule
    before, frame = box(ann, ".target"), box(ann, ".stagebox")
    lens = ann.page.get_by_role("button", name="Zoom to my chariot")
    lens.tap()
    ann.page.locator(".zoom.near").wait_for()
    near = box(ann, ".target")
    assert near.right - near.left > 1.5 * (before.right - before.left)
    ann.page.wait_for_function("() => document.querySelector('.zoom').scrollTop > 0")
    own = box(ann, "[data-own]")
    assert frame.left <= own.left < own.right <= frame.right
    assert frame.top <= own.top < own.bottom <= frame.bottom
    assert_accessible(ann, "zoom")
    lens.tap()
    ann.page.locator(".zoom:not(.near)").wait_for()
    assert box(ann, ".target") == before
