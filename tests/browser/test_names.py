"""Names and marks of Ben Hvrt's chariots, and house rulings, in both languages and at both widths."""

from __future__ import annotations

import itertools
import re

import pytest

from browser.conftest import ARTEFACTS, Arrive
from server.support.harness import Server
from soak import crossed, rows

SIZES = {1280: 800, 390: 844}
LETTERED = re.compile(r"\b[Cc]har(?:iot)? [A-L]\b|\b(?:lap|tour) 0\b")
RULING = {"en": "house ruling", "fr": "règle maison"}
OF_TWO = {"en": r"\bwith their (?:first|second) chariot\b", "fr": r"\bavec son (?:premier|second) char\b"}


@pytest.mark.parametrize(("language", "width"), rows([*itertools.product(RULING, SIZES)], ("fr", 390).__eq__))
def test_chariots_are_called_by_their_players_and_have_no_letters(
    arrive: Arrive, server: Server, language: str, width: int
) -> None:
    table, token = server.create("ben-hvrt", "me bot", options={"series": [1]})
    ann = arrive(language=language, width=width, height=SIZES[width], stops=[])
    ann.sits_at(table, token)
    read = ""
    # Until somebody has rolled for a chariot, and there is a square to drive to.
    while not (re.search(OF_TWO[language], read) and ann.page.locator(".target").count()):
        assert ann.waits() == "asked"
        ann.plays_by_hand(1)
        read += ann.page.evaluate("() => document.body.textContent")
    assert ann.page.locator("svg.board g.chariot").count() == 4
    assert ann.page.locator("svg.board g.chariot text").count() == 0
    assert ann.page.locator("svg.board g.chariot path[d='M-2.6 -5V5M2.6 -5V5']").count() == 2  # the second of two
    assert ann.page.locator(".seats text").count() == 0
    assert not (found := LETTERED.search(read)), found
    ann.shot(ARTEFACTS / f"ben-hvrt-names-{language}-{width}.png")


@pytest.mark.parametrize(
    ("game", "language_and_width"), crossed(["ur", "ave-caesar", "ben-hvrt"], itertools.product(RULING, SIZES))
)
def test_the_rules_mark_house_rulings(arrive: Arrive, game: str, language_and_width: tuple[str, int]) -> None:
    language, width = language_and_width
    ann = arrive(f"/rules/{game}", language=language, width=width, height=SIZES[width])
    marks = ann.page.locator("article .ruling")
    marks.first.wait_for()
    assert marks.count() > 4
    assert marks.first.get_attribute("title") == RULING[language]
    legend = ann.page.locator("article p", has=ann.page.locator(".ruling")).first
    assert legend.locator(".sr").first.text_content() == f" ({RULING[language]}) "
    ann.shot(ARTEFACTS / f"rules-{game}-{language}-{width}.png")
