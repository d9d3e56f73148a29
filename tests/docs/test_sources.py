"""docs/rules/sources.md: every sentence of the rule sheets has its number, and every rule a sentence or a mark."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from docs.test_rulebook import ROOT, RULEBOOK, RULINGS


def script(name: str) -> ModuleType:
    """Return a script of `scripts/` as a module."""
    found = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert found is not None
    assert found.loader is not None
    sys.modules[found.name] = module = importlib.util.module_from_spec(found)  # dataclasses look there
    found.loader.exec_module(module)
    return module


SOURCES = script("sources")
SHEETS = SOURCES.read_table(SOURCES.TABLE.read_text("utf-8"))
sheets = pytest.mark.parametrize("sheet", SHEETS, ids=[each.name for each in SHEETS])


def test_there_are_five_sheets():
    assert [each.name for each in SHEETS] == ["ur", "ave-caesar", "ben-hvrt-en", "ben-hvrt-fr", "ben-hvrt-fr-2"]


def test_every_rule_is_carried_by_a_sentence_or_marked_as_a_ruling():
    carried = {id for sheet in SHEETS for row in sheet.rows for id in row.rules}
    assert sorted(set(RULEBOOK) - carried - set(RULINGS)) == []
    assert sorted(carried - set(RULEBOOK)) == []


@sheets
def test_no_number_is_missing_and_none_occurs_twice(sheet):
    numbers = [*(row.number for row in sheet.rows), *sheet.no_rule]
    assert sorted(numbers) == [*range(1, sheet.count + 1)]


@sheets
def test_a_sheet_carries_the_rules_of_its_own_game_only(sheet):
    prefix = {"ur": "UR-", "ave": "AC-", "ben": "BH-"}[sheet.name.partition("-")[0]]
    assert all(id.startswith(prefix) for row in sheet.rows for id in row.rules)


@sheets
def test_a_row_has_no_more_than_three_words_of_its_sentence(sheet):
    assert all(len(row.words.split()) <= SOURCES.WORDS for row in sheet.rows)


# The script, on a sheet of our own.

TEXT = """Rules of Tiny

 Roll the die, and move as many
spaces. You may not
 pass. *Whoever* is home has won!
- a bullet
Left\tRight
"""


def test_a_sheet_is_split_into_sentences_headings_and_cells():
    assert SOURCES.sentences(TEXT) == [
        *("Rules of Tiny", "Roll the die, and move as many spaces.", "You may not", "pass."),
        *("Whoever is home has won!", "- a bullet Left", "Right"),
    ]


def table(text: str, last_words: str = "Whoever is home") -> str:
    found = SOURCES.sentences(text)
    rows = [
        (2, SOURCES.first_words(found[1]), SOURCES.hash_of(found[1])),
        (5, last_words, SOURCES.hash_of(found[4])),
    ]
    return (
        f"## Tiny (`tiny`)\n\nSHA-256 `{hashlib.sha256(text.encode()).hexdigest()}`, {len(found)} sentences.\n\n"
        "No rule: 1, 3 to 4, 6, 7.\n\n"
        + "".join(f"| {n} | {words} | `{digest}` | UR-1, UR-2 |\n" for n, words, digest in rows)
    )


@pytest.mark.parametrize(("words", "code"), [("Whoever is home", 0), ("Who ever is", 1)])
def test_the_script_compares_the_table_with_the_sheets_in_a_folder(tmp_path, monkeypatch, capsys, words, code):
    (tmp_path / "sheets").mkdir()
    (tmp_path / "sheets" / "any name.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "sources.md").write_text(table(TEXT, words), encoding="utf-8")
    monkeypatch.setattr(SOURCES, "TABLE", tmp_path / "sources.md")
    assert SOURCES.main(str(tmp_path / "sheets")) == code
    assert capsys.readouterr().out.endswith(f"1 sheets checked, {code} faults\n")
    (sheet,) = SOURCES.read_table(table(TEXT, words))
    assert sorted([*sheet.no_rule, *(row.number for row in sheet.rows)]) == [*range(1, 8)]


def test_the_script_says_that_a_sheet_is_not_there(tmp_path, capsys):
    assert SOURCES.main(str(tmp_path)) == 1
    assert "ur: not here" in capsys.readouterr().out


def test_bh_6_9_the_picture_of_passing_is_what_the_engine_plays():
    drawn = script("passing_picture").picture()
    assert drawn == (Path(ROOT) / "docs" / "images" / "passing.svg").read_text("utf-8")
    assert re.search(r"images/passing\.svg", (ROOT / "docs" / "rulings.md").read_text("utf-8"))


def test_bh_6_9_each_panel_passes_whom_its_text_says():
    picture = script("passing_picture")
    passed = [[sorted(step) for step in picture.played(panel)] for panel in picture.PANELS]
    assert passed == [[[], [1], [2]], [[], []], [[1], []], [[1], [], []]]
