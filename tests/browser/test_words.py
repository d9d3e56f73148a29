"""Words on the page: no rule ids and no bare coordinates unless asked for, and a log that lights places."""

from __future__ import annotations

import re
from itertools import product

import pytest

from browser.boxes import boxes
from browser.conftest import Arrive
from browser.people import Person
from browser.test_pages import look
from server.support.harness import Server
from soak import only_in_soak, rows

GAMES = {
    "ur": ({"markers": 3}, "me bot", 14),
    "ave-caesar": ({"courses": ["white cw"]}, "me bot bot", 8),
    "ben-hvrt": ({"series": [1]}, "me bot bot bot", 16),
}
SHORT = [("ave-caesar", "en"), ("ben-hvrt", "fr")]
RULE = re.compile(r"\b(?:UR|AC|BH)-[V\d]")
# A space of Ur, of Ave Caesar and of Ben Hvrt in notation.
COORDINATE = re.compile(r"\b[ABC][1-8]\b|\b[A-Z]+\d*[+-]?\.\d+\.\d+\b|(?<![\d,])\b[1-6]\.\d{1,2}\b(?!\s?%)")
# Everything that a reader sees or a screen reader says: texts, labels and titles.
SAID = """
() => {
  const said = [document.body.innerText];
  for (const element of document.querySelectorAll('.sr, title, option')) said.push(element.textContent);
  for (const name of ['aria-label', 'title', 'aria-valuetext', 'placeholder', 'alt'])
    for (const element of document.querySelectorAll(`[${name}]`)) said.push(element.getAttribute(name));
  return said;
}
"""
UNFOLD = "() => document.querySelectorAll('details').forEach((each) => (each.open = true))"


def reads(person: Person) -> None:
    """Assert that nothing on the page is a rule id or a bare coordinate."""
    person.page.evaluate(UNFOLD)
    for text in person.page.evaluate(SAID):
        assert not RULE.search(text), text
        assert not COORDINATE.search(text), text


@pytest.mark.parametrize(("game", "language"), rows([*product(GAMES, ["fr", "en"])], lambda row: row in SHORT))
def test_a_game_speaks_in_words_and_its_log_lights_the_board(
    arrive: Arrive, server: Server, game: str, language: str
) -> None:
    options, seats, moves = GAMES[game]
    table, token = server.create(game, seats, options=options, dice={"kind": "seeded", "seed": 11})
    ann = arrive(language=language, width=1280 if language == "en" else 390, stops=[])
    ann.sits_at(table, token)
    for _ in range(moves // 2):
        if ann.waits() == "over":
            break
        reads(ann)
        ann.plays_by_hand(2)
    ann.waits()
    reads(ann)
    line = ann.page.locator(".lines [data-places]").last
    places = (line.get_attribute("data-places") or "").split()
    lit = ann.page.locator("[data-told]")
    assert places
    assert lit.count() == 0
    line.hover()
    lit.first.wait_for()
    assert {each.get_attribute("data-told") for each in lit.all()} == set(places)
    ann.page.mouse.move(0, 0)
    lit.first.wait_for(state="detached")
    ann.page.locator(".log .lines").focus()
    ann.page.keyboard.press("ArrowUp")  # the newest line that names a place
    lit.first.wait_for()
    if game == "ave-caesar":
        assert ann.page.locator(".head [data-spare]").is_visible()
        assert ann.page.locator(".seats [data-spare]").count() == 3
    look(ann, f"words-{game}", language)


@pytest.mark.parametrize("language", [only_in_soak("en"), "fr"])
def test_a_replay_and_its_review_speak_in_words(arrive: Arrive, finished: dict[str, str], language: str) -> None:
    ann = arrive(f"/replay/{finished['ave-caesar']}?step=60", language=language)
    ann.page.get_by_role("button", name={"en": "Review", "fr": "Analyser"}[language]).click()
    ann.page.locator(".review table").wait_for()
    reads(ann)
    slips = ann.page.locator("[data-slip-at]").count()
    counted = ann.page.locator(".review h3").inner_text()
    assert (int(counted.split()[0]) == slips) if slips else not counted[0].isdigit()
    ann.page.set_viewport_size({"width": 390, "height": 844})
    assert ann.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert all(cell.right <= 390 for cell in boxes(ann, ".review td"))
    by_side = ann.page.locator(".review tbody tr td:nth-child(3)").all_inner_texts()
    assert sum(map(int, by_side)) == slips
    end = ann.page.locator(".review polyline").last.get_attribute("points") or ""
    assert end.split()[-1].startswith("992,")  # the curve goes on to the last step
    look(ann, "words-review", language)


def test_rule_numbers_are_shown_to_those_who_ask(arrive: Arrive, server: Server) -> None:
    table, token = server.create("ur", "me bot", options={"markers": 3})
    ann = arrive("/rules/ur")
    ann.page.locator("article h2").first.wait_for()
    assert not RULE.search(ann.page.inner_text("main"))
    assert "terminal" not in ann.page.inner_text("main")
    ann.page.get_by_label("Show rule numbers").check()
    ann.page.get_by_text("UR-4.1").first.wait_for()
    ann.sits_at(table, token)
    ann.plays_by_hand(2)
    ann.page.locator(".lines .rule").first.wait_for()
    assert RULE.search(ann.page.locator(".lines .rule").first.inner_text())


@pytest.mark.parametrize(("language", "won"), [only_in_soak("en", "You win!"), ("fr", "Vous gagnez !")])
def test_the_winner_is_told_so(arrive: Arrive, server: Server, language: str, won: str) -> None:
    for seed in range(1, 12):
        dice = {"kind": "seeded", "seed": seed}
        table, token = server.create("ur", "me bot", options={"markers": 1, "rules": "finkel"}, dice=dice)
        ann = arrive(language=language)
        ann.sits_at(table, token)
        ann.plays_by_hand()
        scores = server.call("GET", f"/api/tables/{table}")[1]["scores"]
        title = ann.page.locator("#over-title").inner_text().replace("\xa0", " ")
        if scores[0] > scores[1]:
            assert title.casefold() == won.casefold()
            return
        assert title.casefold() != won.casefold()
    raise AssertionError("the bot has won every game")
