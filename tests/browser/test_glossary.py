"""What things are, by mouse, finger and keyboard, and the path of Ur. Neither gets in the way of a move."""

from __future__ import annotations

from typing import Any

import pytest

from browser.conftest import Arrive
from browser.people import Person
from browser.test_pages import assert_accessible
from quadriga.engine.text.glossary import glossary
from quadriga.games import find
from server.support.harness import Server
from soak import rows
from support import there

SETUPS: dict[str, tuple[str, dict[str, Any]]] = {
    "ur": ("me bot", {}),
    "ave-caesar": ("me bot bot", {"courses": ["white cw"]}),
    "ben-hvrt": ("me bot bot", {"series": [1]}),
}
PLACES = [("en", 1280), ("fr", 390), ("fr", 1280), ("en", 390)]
EVERY = [(game, language, width) for game in SETUPS for language, width in PLACES]
SHORT = [("ave-caesar", "fr", 390), ("ben-hvrt", "en", 1280)]


def sits(arrive: Arrive, server: Server, game: str, options: dict[str, Any] | None = None, **screen: Any) -> Person:
    """Open a new table, and wait until the person is asked."""
    seats, usual = SETUPS[game]
    table, token = server.create(game, seats, options=usual if options is None else options)
    person = arrive(**screen)
    person.sits_at(table, token)
    person.waits()
    roll = person.page.locator('[data-act="roll"]')
    while roll.count():
        person.does(roll)
        person.waits()
    return person


def plain(text: str) -> str:
    """Return a text without the differences that typesetting makes."""
    return " ".join(text.replace("’", "'").split())


def said(game: str, term: str, language: str) -> str:
    return plain(glossary(find(game).package)[game][term].term(language).text)


def shows(person: Person, game: str, term: str, language: str = "en") -> None:
    """Assert that the sentence of a thing is on the screen."""
    box = person.page.locator(f'[data-explains="{term}"]')
    box.wait_for()
    assert said(game, term, language) in plain(box.inner_text())


def closed(person: Person) -> None:
    person.page.locator("[data-explains]").wait_for(state="detached")


def middle(person: Person, place: str) -> tuple[float, float]:
    box = person.page.locator(place).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def holds(person: Person, x: float, y: float) -> None:
    """Hold a finger on a place until a sentence is shown."""
    touch = person.context.new_cdp_session(person.page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    person.page.locator("[data-explains]").wait_for()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_click_on_a_space_says_what_it_is_and_escape_or_another_click_closes_it(
    arrive: Arrive, server: Server
) -> None:
    ann = sits(arrive, server, "ur")
    place = middle(ann, '[data-space="A8"]')
    ann.page.mouse.click(*place)
    shows(ann, "ur", "conversion")
    assert said("ur", "conversion", "en") in plain(ann.page.locator("[data-explained]").inner_text())  # announced
    ann.page.keyboard.press("Escape")
    closed(ann)
    ann.page.mouse.click(*place)
    shows(ann, "ur", "conversion")
    ann.page.locator(".headline").click()
    closed(ann)


def test_a_mouse_that_rests_on_a_thing_is_answered_until_it_goes_on(arrive: Arrive, server: Server) -> None:
    ann = sits(arrive, server, "ave-caesar")
    ann.page.mouse.move(*middle(ann, '.facts [data-term="cards"]'))
    shows(ann, "ave-caesar", "cards")
    ann.page.mouse.move(*middle(ann, ".headline"))
    closed(ann)


def test_a_click_on_a_legal_move_plays_it_and_says_nothing(arrive: Arrive, server: Server) -> None:
    ann = sits(arrive, server, "ur")
    target = ann.page.locator(".target[data-play]").first
    ann.does(target)
    assert ann.page.locator("[data-explains]").count() == 0


def test_in_the_mode_of_the_button_a_click_on_a_legal_move_asks_instead(arrive: Arrive, server: Server) -> None:
    ann = sits(arrive, server, "ur")
    number = ann.number
    button = ann.page.get_by_role("button", name="What is this?")
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    ann.page.locator(".target[data-play]").first.click()
    ann.page.locator("[data-explains]").wait_for()
    assert ann.number == number
    button.click()
    closed(ann)
    ann.does(ann.page.locator(".target[data-play]").first)


def test_a_finger_asks_by_a_touch_and_on_a_legal_move_by_holding_it(arrive: Arrive, server: Server) -> None:
    ann = sits(arrive, server, "ur", width=390, height=844, touch=True)
    ann.page.touchscreen.tap(*middle(ann, '[data-space="B4"]'))
    shows(ann, "ur", "rosette")
    number = ann.number
    target = ann.page.locator(".target[data-play]").first
    play = target.get_attribute("data-play")
    place = middle(ann, f'.target[data-play="{play}"]')
    holds(ann, *place)
    assert ann.number == number  # the end of the touch has not played it
    ann.page.locator(".headline").tap()
    closed(ann)
    ann.page.touchscreen.tap(*place)
    ann.page.wait_for_function("(n) => document.querySelector('.table').dataset.number !== n", arg=number)


def test_holding_a_card_says_what_it_is_and_does_not_play_it(arrive: Arrive, server: Server) -> None:
    ann = sits(arrive, server, "ave-caesar", width=390, height=844, touch=True)
    number = ann.number
    card = ann.page.locator(".hand .card.lit").first
    value = card.get_attribute("data-card")
    holds(ann, *middle(ann, f'.hand .card.lit[data-card="{value}"]'))
    shows(ann, "ave-caesar", "six" if value == "6" else "card")
    assert ann.number == number
    assert card.get_attribute("aria-pressed") != "true"


@pytest.mark.parametrize(("game", "language", "width"), rows(EVERY, lambda row: row in SHORT))
def test_the_arrow_keys_go_through_everything_on_the_screen(
    arrive: Arrive, server: Server, game: str, language: str, width: int
) -> None:
    """Every thing has a sentence, which is announced; nothing is played meanwhile."""
    ann = sits(arrive, server, game, language=language, width=width, height=800 if width == 1280 else 844)
    page, number = ann.page, ann.number
    page.keyboard.press("w")
    page.locator('[data-explain][aria-pressed="true"]').wait_for()
    found: list[str] = page.evaluate(
        "() => [...new Set([...document.querySelectorAll('[data-term]')]"
        ".filter(thing => thing.getClientRects().length).map(thing => thing.dataset.term))]"
    )
    assert len(found) >= 8
    for term in found:
        page.keyboard.press("ArrowRight")
        if term.startswith("card:"):
            page.locator(f'[data-explains="{term}"]').wait_for()
        else:
            shows(ann, game, term, language)
            assert said(game, term, language) in plain(page.locator("[data-explained]").inner_text())
        assert page.evaluate(
            "() => { const box = document.querySelector('.explained').getBoundingClientRect();"
            " return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight; }"
        ), term
    assert_accessible(ann, f"{game} explained {language}")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("Escape")
    closed(ann)
    page.locator('[data-explain][aria-pressed="false"]').wait_for()
    assert ann.number == number


@pytest.mark.parametrize("game", rows(list(SETUPS), "ben-hvrt".__eq__))
def test_every_number_in_the_panel_of_a_seat_is_a_thing(arrive: Arrive, server: Server, game: str) -> None:
    ann = sits(arrive, server, game)
    bare = ann.page.evaluate(
        "() => [...document.querySelectorAll('.seats .facts')].flatMap(facts => {"
        " const copy = facts.cloneNode(true);"
        " copy.querySelectorAll('[data-term], .badge').forEach(thing => thing.remove());"
        " return copy.matches('[data-term]') ? [] : [copy.textContent.replace(/[\\s,.]/g, '')]; }).filter(Boolean)"
    )
    assert bare == []


PATHS = [
    *[(rules, "own", seat, 1280) for rules in ("ben", "finkel", "masters", "blitz") for seat in (0, 1)],
    ("ben", "other", 0, 390),
    ("ben", "other", 1, 390),
    ("ben", "own", 0, 390),
]


@pytest.mark.parametrize(
    ("rules", "loop", "seat", "width"),
    rows(
        PATHS,
        lambda row: row in [("masters", "own", 0, 1280), ("ben", "other", 1, 390)],
    ),
)
def test_the_path_of_a_side_goes_over_its_spaces_in_order(
    arrive: Arrive, server: Server, rules: str, loop: str, seat: int, width: int
) -> None:
    options = {"rules": rules, "loop": loop}
    ann = sits(arrive, server, "ur", options, width=width, height=800 if width == 1280 else 844)
    game = find("ur")
    drawn: Any = there(game.display.geometry)(game.rules.new(*game.resolve_options(options, 2))[0])
    path = drawn["paths"][seat]
    ann.page.locator(f'button[data-path="{seat}"]').click()
    ann.page.locator(f'[data-path-of="{seat}"]').wait_for(state="attached")
    steps = ann.page.evaluate(
        "() => [...document.querySelectorAll('.path circle')].map(circle => {"
        " const dot = circle.getBoundingClientRect(), x = dot.x + dot.width / 2, y = dot.y + dot.height / 2;"
        " return [...document.querySelectorAll('.ground [data-space]')].find(space => {"
        "  const box = space.getBoundingClientRect();"
        "  return x > box.left && x < box.right && y > box.top && y < box.bottom; })?.dataset.space; })"
    )
    assert steps == path
    assert [text.strip() for text in ann.page.locator(".path text").all_text_contents()] == [
        str(step) for step in range(1, len(path) + 1)
    ]


def test_a_key_shows_the_own_path_then_the_other_then_none_and_moves_still_work(
    arrive: Arrive, server: Server
) -> None:
    ann = sits(arrive, server, "ur")
    for seat in ("0", "1"):
        ann.page.keyboard.press("t")
        ann.page.locator(f'[data-path-of="{seat}"]').wait_for(state="attached")
        assert ann.page.locator(f'button[data-path="{seat}"]').get_attribute("aria-pressed") == "true"
        assert ann.page.locator("[data-path-of]").count() == 1
    assert_accessible(ann, "path")
    ann.does(ann.page.locator(".target[data-play]").first)
    ann.page.keyboard.press("t")
    ann.page.locator("[data-path-of]").wait_for(state="detached")


@pytest.mark.parametrize("language", rows(["en", "fr"], "fr".__eq__))
def test_the_rules_end_with_the_glossary(arrive: Arrive, language: str) -> None:
    page = arrive("/rules/ur", language=language).page
    page.locator("#words").wait_for()
    listed = plain(page.locator("dl").inner_text())
    for entry in glossary(find("ur").package)["ur"].values():
        assert plain(entry.term(language).text) in listed


def test_a_lesson_has_the_same_sentences_and_the_path(arrive: Arrive) -> None:
    ann = arrive("/learn/ur/rosette")
    ann.page.locator("[data-explain]").wait_for()
    ann.page.mouse.click(*middle(ann, '[data-space="A8"]'))
    shows(ann, "ur", "conversion")
    ann.page.locator('button[data-path="0"]').click()
    ann.page.locator('[data-path-of="0"]').wait_for(state="attached")
    assert ann.page.locator(".path text").last.text_content() == "23"
