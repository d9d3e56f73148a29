"""The glossaries: true to a rule, in both languages, and with an entry for everything that the page shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from quadriga.engine.text import catalogues
from quadriga.engine.text.glossary import glossary
from quadriga.games import find
from quadriga.games.benhvrt.deck.operations import TYPES, WINDOWS
from quadriga.games.ur.board import RULE_SETS
from support import there

ROOT = Path(__file__).parents[2]
GAMES = ("ur", "ave-caesar", "ben-hvrt")
EACH = pytest.mark.parametrize("game", GAMES)
ENTRIES = {game: glossary(find(game).package)[game] for game in GAMES}
# Things whose entry depends on the position, by game.
CHANGING = {
    "ur": {"home", "off"},
    "ave-caesar": {"coin", "paid", "finished", "out", "wrecked", "chariot", "six", "card"},
    "ben-hvrt": {
        *(name.lower() for name in TYPES),
        *(f"window-{'always' if window == '-' else window}" for window in WINDOWS),
    },
}


def geometry(game: str, **options: object) -> dict[str, Any]:
    found = find(game)
    return there(found.display.geometry)(found.rules.new(*found.resolve_options(options, found.min_seats))[0])


@EACH
def test_every_entry_follows_a_rule_that_can_be_read(game):
    rules = (ROOT / "docs" / "rules" / f"{game}.md").read_text("utf-8")
    for key, entry in ENTRIES[game].items():
        assert f"**{entry.rule}" in rules or f"## {entry.rule}\n" in rules, (key, entry.rule)


@EACH
def test_an_entry_is_short_and_a_whole_sentence_in_both_languages(game):
    for key, entry in ENTRIES[game].items():
        for language in catalogues.LANGUAGES:
            term = entry.term(language)
            assert 1 <= len(term.name) <= 30, key
            assert 20 <= len(term.text) <= 175, (key, len(term.text))
            assert term.text.endswith(".")
            assert not re.search(r"[{}]", term.text)
        assert there(entry.en).text != there(entry.fr).text
        assert not re.search(r"\S[:;!?](\s|$)", there(entry.fr).text), "French puts a space before these signs"
        assert there(entry.en).text.count(",") + there(entry.en).text.count(";") <= 5


@EACH
def test_names_are_unique_in_each_language(game):
    for language in catalogues.LANGUAGES:
        names = [entry.term(language).name for entry in ENTRIES[game].values()]
        assert len(set(names)) == len(names)


@EACH
def test_the_entries_are_messages_of_the_catalogue(game):
    for language in catalogues.LANGUAGES:
        say = catalogues.of(language, find(game).package)
        for key, entry in ENTRIES[game].items():
            assert say(f"{game}.glossary.{key}.name") == entry.term(language).name
            assert say(f"{game}.glossary.{key}.text") == entry.term(language).text


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_space_marker_and_roll_of_ur_has_an_entry(rules):
    drawn = geometry("ur", rules=rules)
    terms = {space["term"] for space in drawn["spaces"].values()} | set(drawn["terms"].values())
    assert terms <= set(ENTRIES["ur"])
    assert len(terms) == (9 if rules == "ben" else 4)


def test_outside_bens_rules_only_rosettes_are_special_and_only_finkels_are_safe():
    for rules, term in (("finkel", "rosette-finkel"), ("masters", "rosette-masters"), ("blitz", "rosette-masters")):
        spaces = geometry("ur", rules=rules)["spaces"].values()
        assert {space["term"] for space in spaces if space["motif"] == "rosette"} == {term}
        assert {space["term"] for space in spaces if space["motif"] != "rosette"} == {"space-classic"}


def test_every_space_of_ave_caesar_has_an_entry():
    for course in ("white cw", "blue cw", "yellow ccw", "red cw"):
        for drawn in geometry("ave-caesar", courses=[course])["courses"].values():
            assert set(drawn["terms"]) == set(drawn["spaces"])
            assert {"alley", "lane"} <= set(drawn["terms"].values()) <= set(ENTRIES["ave-caesar"])
            assert all((term == "alley") == space.startswith("ALLEY") for space, term in drawn["terms"].items())


def test_every_square_of_ben_hvrt_has_an_entry_and_curves_are_told_from_straights():
    drawn = geometry("ben-hvrt")
    assert set(drawn["terms"]) == set(drawn["track"].squares)
    assert set(drawn["terms"].values()) == {"lane", "curve"}
    curves = [square for square, term in drawn["terms"].items() if term == "curve"]
    assert [sum(square.startswith(f"{lane}.") for square in curves) for lane in (1, 2, 3, 4)] == [8, 12, 16, 20]


@EACH
def test_every_thing_that_the_page_marks_has_an_entry(game):
    sources = (ROOT / "web" / "src" / "games" / game).rglob("*.svelte")
    marked = {term for path in sources for term in re.findall(r'data-term="([a-z-]+)"', path.read_text("utf-8"))}
    assert marked
    assert marked | CHANGING[game] <= set(ENTRIES[game])
