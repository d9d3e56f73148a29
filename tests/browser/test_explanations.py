"""Explanations on the page: hints with chances, reasons why a thing cannot be played, reviews."""

from __future__ import annotations

import re

import pytest

from browser.conftest import ARTEFACTS, Arrive
from browser.people import PICTURES, Person
from browser.test_pages import SIZES, look
from server.support.harness import Server
from soak import only_in_soak, rows

GAMES = {
    "ur": ({"markers": 4}, "me bot"),
    "ave-caesar": ({"courses": ["white cw"]}, "me bot bot"),
    "ben-hvrt": ({"series": [1]}, "me bot bot bot"),
}
SHORT = [("ben-hvrt", "fr")]
LONG = 240_000  # milliseconds: code may have to be compiled first
ASK = {"en": "Hint", "fr": "Conseil"}
PLAY = {"en": "Play it", "fr": "Jouer ce coup"}
ALIKE = {"en": ("about as good", "hardly tried"), "fr": ("à peu près égal", "peu essayé")}
REVIEW = {"en": "Review the game", "fr": "Analyser la partie"}

CHOICES = """
() => new Set([...document.querySelectorAll('.all [data-act], #moves [data-act]')].map((b) => b.dataset.act)).size
"""
GONE_ON = """
(before) => document.querySelector('.table').dataset.number !== before && !document.querySelector('.hintbox')
"""


def pictures(person: Person, name: str, language: str) -> None:
    for width, height in SIZES.items() if PICTURES else ():
        person.page.set_viewport_size({"width": width, "height": height})
        person.shot(ARTEFACTS / f"{name}-{language}-{width}.png")
    look(person, name, "none")


# test_layout.py asks for hints in Ave Caesar, test_details.py in Ur.
@pytest.mark.parametrize(
    ("game", "language"),
    rows([(game, language) for game in GAMES for language in ("en", "fr")], lambda row: row in SHORT),
)
def test_a_hint_shows_the_chances_of_the_moves_and_plays_the_best(
    arrive: Arrive, server: Server, game: str, language: str
) -> None:
    options, seats = GAMES[game]
    table, token = server.create(game, seats, options=options, dice={"kind": "seeded", "seed": 11})
    ann = arrive(language=language)
    ann.sits_at(table, token)
    ann.waits()
    while ann.page.evaluate(CHOICES) < 2:
        ann.plays_by_hand(1)
        ann.waits()
    ask = ann.page.get_by_role("button", name=ASK[language], exact=True)
    ask.click()
    ann.page.wait_for_selector(".hintbox")
    while not ann.page.locator(".chances li").count():  # rules of thumb, while the strongest bot is being compiled
        assert ann.page.locator(".hintbox .muted").inner_text()
        ann.page.wait_for_timeout(1500)
        ask.click()
        ann.page.wait_for_timeout(500)
    rows = ann.page.locator(".chances li")
    assert rows.count() >= 2
    first, *others = rows.all_inner_texts()
    numbers = [bool(re.search(r"\d+\s?%", text)) for text in others]
    alike = [any(words in text for words in ALIKE[language]) for text in others]
    assert all(number != same for number, same in zip(numbers, alike, strict=True))
    assert bool(re.search(r"\d+\s?%", first)) == any(numbers)  # numbers that say nothing are not shown
    pictures(ann, f"hint-{game}", language)
    number = ann.page.locator(".table").get_attribute("data-number")
    ann.page.get_by_role("button", name=PLAY[language]).click()
    ann.page.wait_for_function(GONE_ON, arg=number)


@pytest.mark.parametrize("language", ["en", only_in_soak("fr")])
def test_a_card_of_ave_caesar_says_why_when_it_is_touched(arrive: Arrive, server: Server, language: str) -> None:
    table, token = server.create("ave-caesar", "me open open", options={"courses": ["white cw"]})
    tokens = [token, server.join(table), server.join(table, "Cleo")]
    server.call("POST", f"/api/tables/{table}/start", {}, token)
    ann = arrive(language=language)
    ann.sits_at(table, tokens[0])
    ann.page.wait_for_selector(".hand [data-card]")
    if ann.is_asked():  # then it is somebody else's turn for the next
        ann = arrive(language=language)
        ann.sits_at(table, tokens[1])
        ann.page.wait_for_selector(".hand [data-card]")
    ann.page.locator(".hand [data-card]").first.click()
    told = ann.page.locator("[data-why]")
    told.wait_for()
    assert ("turn" if language == "en" else "de jouer") in told.inner_text()
    pictures(ann, "why-ave-caesar", language)


@pytest.mark.parametrize("language", ["fr", only_in_soak("en")])
def test_a_marker_of_ur_and_a_card_of_ben_hvrt_say_why(arrive: Arrive, server: Server, language: str) -> None:
    table, token = server.create("ur", "me open", options={"rules": "finkel"}, dice={"kind": "seeded", "seed": 1})
    other = server.join(table)
    server.call("POST", f"/api/tables/{table}/start", {}, token)
    ann, bob = arrive(language=language), arrive(language=language)
    ann.sits_at(table, token)
    bob.sits_at(table, other)
    for person in (ann, bob):
        person.page.wait_for_selector("svg.board")
    waits = bob if ann.waits() == "asked" else ann
    waits.page.locator("[data-stuck='0']").focus()
    waits.page.locator("[data-why='0']").wait_for()
    assert ("turn" if language == "en" else "le tour d") in waits.page.locator("[data-why]").inner_text()
    pictures(waits, "why-ur", language)
    more = {"options": {"series": [1]}, "dice": {"kind": "seeded", "seed": 1}}  # the first card cannot be fitted
    table, token = server.create("ben-hvrt", "me bot bot bot", **more)
    ann.sits_at(table, token)
    ann.waits()
    ann.page.locator(".hand [data-card]").first.click()
    ann.page.locator("[data-why]").wait_for()
    assert ("the auction is on" if language == "en" else "enchères") in ann.page.locator("[data-why]").inner_text()
    pictures(ann, "why-ben-hvrt", language)


# test_words.py reviews a game of Ave Caesar, test_records.py one of Ur.
@pytest.mark.soak  # test_words.py reviews a game in the browser, too
@pytest.mark.parametrize(
    ("game", "language"),
    rows([(game, language) for game in GAMES for language in ("en", "fr")], lambda row: row in SHORT),
)
def test_a_finished_game_is_reviewed_under_its_replay(
    arrive: Arrive, finished: dict[str, str], game: str, language: str
) -> None:
    ann = arrive(f"/replay/{finished[game]}", language=language)
    ann.page.get_by_role("button", name=REVIEW[language]).click()
    ann.page.locator(".review table").wait_for(timeout=LONG)
    rows = ann.page.locator(".review tbody tr")
    assert rows.count() == (2 if game == "ur" else 4)
    slips = ann.page.locator("[data-slip-at]")
    if slips.count():
        number = slips.first.get_attribute("data-slip-at")
        slips.first.click()
        assert ann.page.locator("input.scrub").input_value() == number
        assert "%" in ann.page.locator(".review .here").inner_text()
    pictures(ann, f"review-{game}", language)


def test_a_game_that_goes_on_has_no_review(arrive: Arrive, server: Server) -> None:
    table, _ = server.create("ur", "me bot")
    ann = arrive(f"/replay/{table}")
    ann.page.get_by_role("alert").wait_for()
    assert not ann.page.get_by_role("button", name="Review the game").count()
    ann.faults = [fault for fault in ann.faults if "409" not in fault]
