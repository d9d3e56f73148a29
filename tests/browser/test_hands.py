"""Ben Hvrt with quick hands: driving, reacting and dealing by mouse, touch and keyboard, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from browser.boxes import SIZES, box, boxes, resize
from browser.conftest import ARTEFACTS, Arrive
from browser.people import PATIENCE, Person
from browser.test_pages import assert_accessible
from server.support.harness import Server
from soak import SOAK, only_in_soak

_STATE = """
() => {
  if (document.querySelector('#over-title')) return 'over';
  if (document.querySelector('.pending')) return null;
  const act = (text) => document.querySelector(`#moves [data-act="${text}"]:not([disabled])`);
  // On one's own roll a square passes, and drives there unless somebody reacts.
  if (document.querySelector('.target') && !act('pass')) return 'steps';
  if (act('ready')) return 'market';
  const any = document.querySelector('#moves [data-act]:not([disabled])');
  if (any && document.querySelector('.lot')) return 'auction';
  if (act('pass')) return 'window';
  return any ? 'other' : null;
}
"""


def state(person: Person) -> str:
    """Wait until the person is asked, and return what for."""
    found: str = person.page.wait_for_function(_STATE, timeout=PATIENCE).json_value()
    return found


def comes_to(person: Person, wanted: str) -> None:
    """Answer quickly until the person is asked for something."""
    while (now := state(person)) != wanted:
        assert now != "over"
        number = person.number
        if now == "window":
            person.page.locator("#moves [data-act=pass]").click()
        elif now == "steps":
            person.page.keyboard.press("f")
        elif now == "market":
            person.page.locator("#moves [data-act=ready]").click()
        else:
            buy = person.page.locator("#moves [data-act=buy]:not([disabled])")
            (buy if buy.count() else person.page.locator("#moves [data-act]:not([disabled])").last).click()
        person._moved(number)


def sits(arrive: Arrive, server: Server, seats: str = "me bot", seed: int = 1, **more: Any) -> Person:
    """Return a person at a new table of one lap."""
    table, token = server.create(
        "ben-hvrt", seats, options={"series": [1]}, dice={"kind": "seeded", "seed": seed}, beat=1500
    )
    person = arrive(**more)
    person.sits_at(table, token)
    return person


def farthest(person: Person) -> str:
    """Return the square that the way with the most steps leads to, by the words on it."""
    found: str = person.page.evaluate(
        """() => [...document.querySelectorAll('.target')]
          .map((each) => [Number(/(\\d+) (?:step|pas)/.exec(each.ariaLabel)[1]), each.dataset.square])
          .sort((a, b) => b[0] - a[0])[0][1]"""
    )
    return found


def drives_to(person: Person, square: str) -> None:
    """Wait until the chariot stands on a square, or has finished: the way is driven to its end."""
    person.page.wait_for_function(
        """() => !document.querySelector('.pending') && !document.querySelector('.way') &&
          !document.querySelector('p.drive')""",
        timeout=PATIENCE,
    )
    at = person.page.evaluate("(square) => document.querySelector(`[data-square='${square}']`) === null", square)
    assert at  # nobody drives to where the chariot is


def steps(person: Person) -> list[str]:
    """Return the actions that the page has sent."""
    return [text for text in person.page.evaluate("() => window.sent ?? []") if text.startswith("step ")]


_COUNT = """
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) {
  const message = JSON.parse(text);
  if (message.type === 'act') (window.sent ??= []).push(message.action);
  return send.call(this, text);
};
"""


def test_a_click_shows_the_way_and_drives_it_step_by_step(arrive: Arrive, server: Server) -> None:
    ann = sits(arrive, server)
    ann.page.add_init_script(_COUNT)
    ann.page.reload()
    comes_to(ann, "steps")
    before = len(steps(ann))
    square = farthest(ann)
    target = ann.page.locator(f"[data-square='{square}']")
    target.hover()
    shown = ann.page.locator(".way polyline").get_attribute("points")
    assert shown is not None
    assert "rolled + Speed" in ann.page.locator(".headline").inner_text()
    target.click()
    drives_to(ann, square)
    driven = steps(ann)[before:]
    assert len(driven) == len(shown.split()) - 1 > 1
    assert driven[-1] == f"step {square}"


_ANSWER = """() => {
  const buttons = [...document.querySelectorAll('#moves [data-act]:not([disabled])')];
  const wanted = ['ready', 'buy', 'pass', 'decline'];
  const found = wanted.map((text) => buttons.find((each) => each.dataset.act === text));
  (found.find((each) => each) ?? buttons.at(-1))?.click();
}"""


def _answer(person: Person) -> None:
    """Be ready, buy, or pass, unless the moment has passed."""
    person.page.evaluate(_ANSWER)


def _at_a_table_of_four(arrive: Arrive, server: Server, seed: int) -> Person:
    ann = sits(arrive, server, seats="me bot bot bot", seed=seed)
    ann.page.add_init_script(_COUNT)
    ann.page.reload()
    return ann


def comes_to_a_roll(person: Person) -> bool:
    """Answer until the person has rolled and may react; return False if the game ends before: bots vary."""
    is_roll = "!!document.querySelector('.target') && !!document.querySelector('#moves [data-act=pass]')"
    while not person.page.evaluate(is_roll):
        now = state(person)
        if now == "over":
            return False
        number = person.number
        if now == "steps":
            person.page.keyboard.press("f")
        else:
            _answer(person)
        person._moved(number)
    return True


def test_on_the_own_roll_a_square_passes_and_several_cards_are_one_answer(arrive: Arrive, server: Server) -> None:
    ann = next(filter(comes_to_a_roll, (_at_a_table_of_four(arrive, server, seed) for seed in range(13, 30))))
    assert "or a card" in ann.page.locator(".headline").inner_text()
    if ann.page.locator("[data-queue]").count():
        ann.page.locator("[data-queue]").click()
        lit = ann.page.locator(".hand .lit")
        lit.first.click()
        lit.last.click()
        assert ann.page.locator("[data-queue-play]").inner_text() == "Play 2 cards"
        ann.page.locator("[data-queue]").click()  # not after all
    before = ann.page.evaluate("() => window.sent.length")
    ann.page.keyboard.press("f")
    ann.page.wait_for_function("(before) => window.sent.length > before", arg=before)
    assert ann.page.evaluate("(before) => window.sent[before]", before) == "pass"


def test_when_to_be_asked_is_chosen_with_one_tap(arrive: Arrive, server: Server) -> None:
    ann = sits(arrive, server, seats="me bot bot bot", seed=13)
    chosen = "document.querySelector('.when input:checked')?.value"
    while (found := ann.page.evaluate(chosen)) is None:  # not seen during one's own steps
        _go_on(ann)
    assert found == "concerns"
    is_tapped = False
    while (found := ann.page.evaluate(chosen)) != "always":
        if found is None:
            _go_on(ann)
        elif not is_tapped:
            tap = "(label => { label?.click(); return Boolean(label); })"
            is_tapped = ann.page.evaluate(f"{tap}(document.querySelector('.when label:last-child'))")
        ann.page.wait_for_timeout(20)


def _go_on(ann: Person) -> None:
    """Do what is asked, if anything is."""
    if ann.page.locator(".target").count():
        ann.page.keyboard.press("f")
    elif ann.is_asked():
        _answer(ann)
    ann.page.wait_for_timeout(20)


def test_a_first_touch_shows_the_way_and_a_second_one_drives(arrive: Arrive, server: Server) -> None:
    ann = sits(arrive, server, width=390, height=844, touch=True)
    comes_to(ann, "steps")
    square, number = farthest(ann), ann.number
    box = ann.page.locator(f"[data-square='{square}']").bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    ann.page.touchscreen.tap(*middle)
    ann.page.locator(".way polyline").wait_for(state="attached")
    assert ann.number == number
    assert ann.page.locator("[data-drive]").is_enabled()
    ann.page.touchscreen.tap(*middle)
    drives_to(ann, square)
    assert ann.number != number


def test_arrow_keys_choose_a_square_and_f_goes_straight_on(arrive: Arrive, server: Server) -> None:
    ann = sits(arrive, server)
    ann.page.add_init_script(_COUNT)
    ann.page.reload()
    comes_to(ann, "steps")
    ann.page.keyboard.press("ArrowRight")  # the grid is driven to the right
    ann.page.keyboard.press("ArrowRight")
    chosen = ann.page.evaluate("() => document.activeElement.dataset.square")
    assert chosen is not None
    assert ann.page.evaluate("() => document.activeElement.ariaLabel").startswith("Lane ")
    before = len(steps(ann))
    ann.page.keyboard.press("Enter")
    drives_to(ann, chosen)
    assert steps(ann)[-1] == f"step {chosen}"
    assert len(steps(ann)) - before == 2
    while state(ann) != "over" and len(steps(ann)) - before < 4:
        comes_to(ann, "steps")
        count, straight = len(steps(ann)), ann.page.locator("[data-act=straight]")
        wanted = int(straight.inner_text().split(":")[1].split()[0]) if straight.count() else 0
        ann.page.keyboard.press("f" if wanted else "Enter")
        if not wanted:
            break
        drives_to(ann, "")
        assert 0 < len(steps(ann)) - count <= wanted


def test_space_passes_and_a_skip_can_be_taken_back(arrive: Arrive, server: Server) -> None:
    ann = sits(arrive, server, seats="me bot bot bot", asks="always")
    comes_to(ann, "window")
    assert ann.page.locator(".reactions .tells").inner_text() == "Every time, even without a card to play."
    number = ann.number
    ann.page.locator(".headline").click()  # nothing has the focus
    ann.page.keyboard.press("Space")
    ann._moved(number)
    comes_to(ann, "window")
    number = ann.number
    ann.page.locator("[data-react=race]").click()
    back = ann.page.locator("[data-react=back]")
    back.wait_for()
    ann._moved(number)  # the open window is passed, too
    assert state(ann) != "window"
    comes_to(ann, "steps")
    back.click()
    back.wait_for(state="detached")


def test_among_people_a_hold_lasts_and_the_others_only_see_that_somebody_reacts(
    arrive: Arrive, server: Server
) -> None:
    table, host = server.create("ben-hvrt", "me open", options={"series": [1]}, beat=4000)
    guest = server.join(table, "Bob")
    server.call("POST", f"/api/tables/{table}/start", {}, host)
    ann, bob = arrive(name="Ann"), arrive(name="Bob")
    for person, token in ((ann, host), (bob, guest)):
        person.sits_at(table, token)
    hold = ann.page.locator("[data-react=hold]:not([disabled])")
    while not hold.count():
        for person in (ann, bob):
            if person.is_asked() and not hold.count():
                person.clicks()
        ann.page.wait_for_timeout(50)
    hold.click()
    ann.page.wait_for_function("() => !document.querySelector('[data-react=hold]:not([disabled])')")
    number = bob.number
    # When his own time is over, only the hold keeps the window open, and he is told nothing.
    bob.page.locator(".headline").filter(has_text="Waiting for reactions").wait_for()
    bob.page.wait_for_function("() => document.querySelector('.beat.runs') === null")
    assert bob.number == number
    assert ann.page.locator(".beat.runs").count()
    ann.page.locator("[data-react=go], #moves [data-act=pass]").first.click()
    bob.page.wait_for_function("(before) => document.querySelector('.table').dataset.number !== before", arg=number)


def drawn(person: Person) -> int:
    """Return the height of the name in the middle of the track: how large the track is drawn."""
    name = box(person, "svg.board .name")
    return name.bottom - name.top


def fits(person: Person, phase: str, language: str) -> None:
    """Assert at every size that all there is to play with is on the screen, and that axe finds nothing serious."""
    for size in SIZES if SOAK or phase in ("auction", "steps") else ("phone", "desk"):
        width, height = resize(person, size)
        person.shot(ARTEFACTS / f"hands-{phase}-{size}-{language}.png")
        wide = person.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, (phase, size, wide)
        assert person.page.locator("h1:visible").count() == 1, (phase, size)
        board, hand = box(person, "svg.board"), boxes(person, ".hand .pick")
        asked = boxes(person, "#moves button, .drive button, .reactions button")
        assert asked
        assert hand
        assert board.right <= width
        for each in (board, box(person, ".headline"), *asked, *hand):
            assert 0 <= each.top < each.bottom <= height, (phase, size, each)
        if height < 520:  # side by side; further cards are reached by scrolling the hand
            assert all(each.left >= board.right for each in (*asked, box(person, ".hand"))), (phase, size)
        if phase in ("window", "steps"):  # there the track matters
            assert board.bottom - board.top >= 0.4 * height, size
        if SOAK or size == {"market": "desk", "steps": "phone on its side"}.get(phase, "phone"):
            assert_accessible(person, f"{phase} {size} {language}")


@pytest.mark.parametrize("language", [only_in_soak("en"), "fr"])
def test_every_phase_fits_every_screen_and_is_accessible(arrive: Arrive, server: Server, language: str) -> None:
    table, token = server.create(
        "ben-hvrt",
        "me bot bot bot",
        options={"series": [1], "bribes": True},
        dice={"kind": "seeded", "seed": 11},
    )
    ann = arrive("/settings", language=language)
    ann.sits_at(table, token)
    comes_to(ann, "auction")
    fits(ann, "auction", language)
    small = drawn(ann)
    comes_to(ann, "market")
    fits(ann, "market", language)
    resize(ann, "phone")
    ann.page.locator("[data-act^='offer']").click()
    form = ann.page.locator("form.offer")
    assert [field.input_value() for field in form.locator("input").all()] == ["", ""]
    assert form.locator("select").first.input_value() == "-1"
    assert_accessible(ann, f"offer {language}")
    ann.page.keyboard.press("Escape")
    form.wait_for(state="detached")
    resize(ann, "large")
    comes_to(ann, "window")
    fits(ann, "window", language)
    resize(ann, "phone")
    ann.page.locator(".hand .pick:not(.lit)").first.click()  # its sheet lies over the page and says why not now
    why, sheet = ann.page.locator("dialog .why"), ann.page.locator("dialog")
    why.wait_for()
    inner, outer = why.bounding_box(), sheet.bounding_box()
    assert inner is not None
    assert outer is not None
    assert outer["y"] <= inner["y"] < inner["y"] + inner["height"] <= outer["y"] + outer["height"]
    assert_accessible(ann, f"card {language}")
    ann.page.keyboard.press("Escape")
    resize(ann, "large")
    comes_to(ann, "steps")
    fits(ann, "steps", language)
    assert small < drawn(ann)  # in the auction the cards matter, in the race the track


def test_an_offer_is_made_by_keyboard_and_logged_with_its_content_and_its_answer(
    arrive: Arrive, server: Server
) -> None:
    ann = sits(arrive, server)
    comes_to(ann, "market")
    keys = ann.page.keyboard
    keys.press("m")
    keys.press("Tab")
    keys.press("Enter")
    form = ann.page.locator("form.offer")
    form.wait_for()
    keys.press("Escape")  # nothing is offered
    form.wait_for(state="detached")
    assert ann.page.evaluate("() => document.activeElement.dataset.act") == "offer *"
    keys.press("Enter")
    ann.page.wait_for_function("() => document.activeElement.matches('form.offer select')")
    keys.press("ArrowDown")
    keys.press("Tab")
    keys.type("1")
    number = ann.number
    ann.page.wait_for_function("() => document.activeElement.value === '1'")
    while not ann.page.evaluate("() => document.activeElement.matches('form.offer select')"):
        keys.press("Tab")
    keys.type("Orang")
    while not ann.page.evaluate("() => document.activeElement.matches('form.offer .primary')"):
        keys.press("Tab")
    keys.press("Enter")
    ann._moved(number)
    ann.page.locator(".answered li").filter(has_text="1 D for Orangutan:").wait_for()
    ann.page.locator(".log").filter(has_text="1 D for Orangutan").wait_for()


def test_a_card_that_can_be_fitted_says_so(arrive: Arrive, server: Server) -> None:
    for seed in range(1, 9):
        ann = sits(arrive, server, seed=seed, seats="me bot bot")
        comes_to(ann, "market")
        fits = ann.page.locator(".hand .lit").filter(has=ann.page.locator(".upkeep"))
        if fits.count():
            assert "Fit it now" in fits.first.inner_text()
            assert "upkeep" in fits.first.inner_text()
            return
    raise AssertionError("no card to fit in eight games")
