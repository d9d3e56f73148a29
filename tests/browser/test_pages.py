"""Every page, in both languages, on a desk and in a hand: nothing serious for axe, no overflow, and a picture."""

from __future__ import annotations

import pytest

from browser.conftest import ARTEFACTS, AXE, Arrive
from browser.people import Person
from server.support.harness import Server
from soak import rows

SIZES = {1280: 800, 390: 844}
SEEDED = {"kind": "seeded", "seed": 11}
GAMES = {
    "ur": ({"markers": 4}, "me bot"),
    "ave-caesar": ({"courses": ["blue cw"]}, "me bot bot bot"),
    "ben-hvrt": ({"series": [1], "bribes": True}, "me bot bot bot"),
}
# `make test` sees every page in English, and in French those with the longest words.
LANGUAGES = pytest.mark.parametrize("language", rows(["en", "fr"], "en".__eq__))
GAMES_AND_LANGUAGES = pytest.mark.parametrize(
    ("game", "language"),
    rows(
        [(game, language) for language in ("en", "fr") for game in GAMES],
        lambda row: row[1] == "en" or row[0] == "ben-hvrt",
    ),
)


def look(person: Person, name: str, language: str) -> None:
    """At both widths: no sideways scrolling, and in English a picture; and axe finds nothing serious."""
    person.page.wait_for_function("() => document.fonts.status === 'loaded'")
    for width, height in SIZES.items():
        person.page.set_viewport_size({"width": width, "height": height})
        if language == "en":
            person.shot(ARTEFACTS / f"{name}-{width}.png")
        page = "document.documentElement"
        wide = person.page.evaluate(f"() => {page}.scrollWidth - {page}.clientWidth")
        assert wide <= 0, f"{name} is {wide} pixels too wide at {width}"
        end = "Math.max(innerHeight, document.querySelector('main').getBoundingClientRect().bottom + scrollY)"
        empty = person.page.evaluate(f"() => {page}.scrollHeight - {end}")
        assert empty <= 1, f"{name} goes on for {empty} empty pixels at {width}"
    person.page.set_viewport_size({"width": 1280, "height": 800})
    person.page.evaluate(AXE.read_text("utf-8"))
    found = person.page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    serious = [
        (fault["id"], [node["html"][:160] for node in fault["nodes"][:3]])
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical")
    ]
    assert not serious, (name, language, serious)


def visits(person: Person, language: str, name: str, path: str, sign: str) -> None:
    """Go there, wait for the sign that it is there, and look."""
    person.visit(path)
    person.page.wait_for_selector(sign)
    look(person, name, language)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_first_page_settings_and_a_wrong_road(arrive: Arrive, language: str) -> None:
    person = arrive(language=language)
    visits(person, language, "home", "/", ".game")
    visits(person, language, "settings", "/settings", "fieldset")
    visits(person, language, "lost", "/nowhere", "h1")
    visits(person, language, "gone", "/t/nowhere", "h1")
    visits(person, language, "fair-empty", "/fair", "form")
    visits(person, language, "record", "/record", ".drop")


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


@GAMES_AND_LANGUAGES
def test_a_game_under_way(arrive: Arrive, server: Server, game: str, language: str) -> None:
    options, seats = GAMES[game]
    table, token = server.create(game, seats, options=options, dice=SEEDED)
    person = arrive(language=language)
    person.sits_at(table, token)
    person.plays_by_hand(9 if game == "ben-hvrt" else 5)
    person.waits()
    look(person, f"play-{game}", language)
    if game == "ben-hvrt" and language == "en":  # the same page, on the track
        person.plays_by_hand(26)
        person.waits()
        look(person, "race-ben-hvrt", language)


@GAMES_AND_LANGUAGES
def test_the_end_the_replay_and_the_check(
    arrive: Arrive, finished: dict[str, str], game: str, language: str
) -> None:
    table = finished[game]
    person = arrive(f"/t/{table}", language=language)
    person.page.wait_for_selector("#over-title")
    person.page.locator(".next button").last.click()
    person.page.wait_for_selector("figure svg")
    look(person, f"over-{game}", language)
    visits(person, language, f"replay-{game}", f"/replay/{table}?step=40", ".scrub")
    visits(person, language, f"fair-{game}", f"/fair/{table}", ".right")


@LANGUAGES
def test_between_two_people_on_one_device(arrive: Arrive, server: Server, language: str) -> None:
    table, token = server.create("ave-caesar", "me me bot", options={"courses": ["white cw"]})
    both = arrive(language=language)
    both.sits_at(table, token)
    both.page.wait_for_selector("#hand-title")
    look(both, "handover", language)


def test_by_night(arrive: Arrive, server: Server) -> None:
    person = arrive(theme="dark")
    person.page.wait_for_selector(".game")
    look(person, "night-home", "en")
    for game, (options, seats) in GAMES.items():
        table, token = server.create(game, seats, options=options, dice=SEEDED)
        person.sits_at(table, token)
        person.plays_by_hand(4)
        person.waits()
        look(person, f"night-{game}", "en")
