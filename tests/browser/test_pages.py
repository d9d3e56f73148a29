"""Every page, in both languages and at both widths: no serious finding of axe, no overflow, and a picture."""

from __future__ import annotations

from itertools import product

import pytest

from browser.conftest import ARTEFACTS, AXE, Arrive
from browser.people import Person
from server.support.harness import Server
from soak import SOAK, only_in_soak, rows

SIZES = {1280: 800, 390: 844}
SEEDED = {"kind": "seeded", "seed": 11}
GAMES = {
    "ur": ({"markers": 4}, "me bot"),
    "ave-caesar": ({"courses": ["blue cw"]}, "me bot bot bot"),
    "ben-hvrt": ({"series": [1], "bribes": True}, "me bot bot bot"),
}
# `make test` sees every page in one language, those with the longest words in French.
LANGUAGES = pytest.mark.parametrize("language", rows(["en", "fr"], "fr".__eq__))
GAMES_AND_LANGUAGES = pytest.mark.parametrize(
    ("game", "language"),
    rows(
        [(game, language) for language in ("en", "fr") for game in GAMES],
        lambda row: (row[0] == "ben-hvrt") == (row[1] == "fr"),
    ),
)


def look(person: Person, name: str, language: str, is_thorough: bool = SOAK) -> None:
    """Assert at both widths that nothing overflows, and that axe finds nothing serious; take a picture.

    Axe looks at the wide page, and at the narrow one if `is_thorough`: that takes as long again.
    """
    person.page.wait_for_function("() => document.fonts.status === 'loaded'")
    for width, height in SIZES.items():
        person.page.set_viewport_size({"width": width, "height": height})
        if language != "none":
            person.shot(ARTEFACTS / f"{name}-{language}-{width}.png")
        page = "document.documentElement"
        wide = person.page.evaluate(f"() => {page}.scrollWidth - {page}.clientWidth")
        assert wide <= 0, f"{name} is {wide} pixels too wide at {width}"
        end = "Math.max(innerHeight, document.querySelector('main').getBoundingClientRect().bottom + scrollY)"
        empty = person.page.evaluate(f"() => {page}.scrollHeight - {end}")
        assert empty <= 1, f"{name} goes on for {empty} empty pixels at {width}"
        if is_thorough and width < 1000:
            assert_accessible(person, f"{name} {language} at {width}")
    person.page.set_viewport_size({"width": 1280, "height": 800})
    assert person.page.locator("h1:visible").count() == 1, f"{name} has no title, or several"
    assert_accessible(person, f"{name} {language}")


def assert_accessible(person: Person, name: str) -> None:
    """Assert that axe finds nothing serious, and that no level of heading is left out."""
    if not person.page.evaluate("() => 'axe' in window"):
        person.page.evaluate(AXE.read_text("utf-8"))
    found = person.page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    serious = [
        (fault["id"], [node["html"][:160] for node in fault["nodes"][:3]])
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical") or fault["id"] == "heading-order"
    ]
    assert not serious, (name, serious)


def visits(person: Person, language: str, name: str, path: str, sign: str) -> None:
    """Open an address, wait for an element, and check the page."""
    person.visit(path)
    person.page.wait_for_selector(sign)
    look(person, name, language)


@LANGUAGES
def test_first_page_settings_and_an_unknown_address(arrive: Arrive, language: str) -> None:
    person = arrive(language=language)
    visits(person, language, "home", "/", ".game")
    visits(person, language, "settings", "/settings", "fieldset")
    visits(person, language, "lost", "/nowhere", "h1")
    visits(person, language, "gone", "/t/nowhere", "h1")
    visits(person, language, "fair-empty", "/fair", "form")
    visits(person, language, "record", "/record", ".drop")
    visits(person, language, "learn", "/learn", "[data-course]")
    visits(person, language, "lesson-ur", "/learn/ur/rosette", ".task")
    visits(person, language, "puzzle", "/puzzles/001", ".task")
    visits(person, language, "lesson-ben-hvrt", "/learn/ben-hvrt/auction", ".task")


@GAMES_AND_LANGUAGES
def test_options_and_rules(arrive: Arrive, game: str, language: str) -> None:
    person = arrive(language=language)
    visits(person, language, f"new-{game}", f"/new/{game}", ".chairs")
    visits(person, language, f"rules-{game}", f"/rules/{game}", "figure svg")


@LANGUAGES
def test_a_table_that_waits(arrive: Arrive, server: Server, language: str) -> None:
    table, token = server.create("ave-caesar", "me open open")
    host = arrive(language=language)
    host.sits_at(table, token)
    host.page.wait_for_selector(".seats")
    look(host, "lobby", language)


@pytest.mark.parametrize(
    ("game", "language"),
    [only_in_soak(game, language) for game in ("ur", "ave-caesar") for language in ("en", "fr")],
)
def test_a_game_under_way(arrive: Arrive, server: Server, game: str, language: str) -> None:
    options, seats = GAMES[game]  # test_hands.py has Ben Hvrt, test_words.py Ave Caesar, test_explanations.py Ur
    table, token = server.create(game, seats, options=options, dice=SEEDED)
    person = arrive(language=language)
    person.sits_at(table, token)
    person.plays_by_hand(5)
    person.waits()
    look(person, f"play-{game}", language)


@pytest.mark.parametrize(
    ("game", "language"),
    rows([*product(GAMES, ("en", "fr"))], lambda row: row == ("ben-hvrt", "fr")),
)
def test_the_end_the_replay_and_the_check(
    arrive: Arrive, finished: dict[str, str], game: str, language: str
) -> None:
    table = finished[game]
    person = arrive(f"/t/{table}", language=language)
    person.page.wait_for_selector("#over-title")
    person.page.locator(".next button").last.click()
    person.page.wait_for_selector("figure svg")
    person.page.locator("[data-share]").click()
    person.page.wait_for_function("() => document.querySelector('.shared img')?.naturalWidth === 1200")
    look(person, f"over-{game}", language)
    assert person.page.locator(f'a[href="/replay/{table}?review=1"]').count() == 1
    visits(person, language, f"replay-{game}", f"/replay/{table}?step=40", ".scrub")
    person.page.locator("[data-play-on]").click()
    person.page.wait_for_url("**/t/*")
    assert person.table != table
    person.page.wait_for_selector(".table svg.board")
    if SOAK or game == "ben-hvrt":
        visits(person, language, f"fair-{game}", f"/fair/{table}", ".right")


@LANGUAGES
def test_between_two_people_on_one_device(arrive: Arrive, server: Server, language: str) -> None:
    table, token = server.create("ave-caesar", "me me bot", options={"courses": ["white cw"]})
    both = arrive(language=language)
    both.sits_at(table, token)
    both.page.wait_for_selector("#hand-title")
    look(both, "handover", language)


def test_dark_colours(arrive: Arrive, server: Server) -> None:
    person = arrive(theme="dark")
    person.page.wait_for_selector(".game")
    look(person, "night-home", "en")
    for game in GAMES if SOAK else ("ave-caesar",):
        options, seats = GAMES[game]
        table, token = server.create(game, seats, options=options, dice=SEEDED)
        person.sits_at(table, token)
        person.plays_by_hand(4)
        person.waits()
        look(person, f"night-{game}", "en")
