"""The schema: every table is written with its columns, and docs/lab.md lists the same."""

from __future__ import annotations

import re

import pytest

from lab.study.studies import frames_of, plan_of
from quadriga.engine.parts.study import Column, Table
from quadriga.engine.text.catalogues import LANGUAGES
from quadriga.games import find
from quadriga.lab.study import schema
from quadriga.lab.study.data_tables import types
from support import ROOT, there

DOCS = (ROOT / "docs" / "lab.md").read_text("utf-8")
HEADINGS = {"ur": "Ur", "ave-caesar": "Ave Caesar", "ben-hvrt": "Ben Hvrt"}


def documented(part: str) -> dict[str, tuple[str, list[tuple[str, str, str]]]]:
    """Return the tables of a part of the document: what a row is, and its columns with type and meaning."""
    found = {}
    for block in re.split(r"^#### ", part, flags=re.M)[1:]:
        name, row = there(re.match(r"`(\w+)`: (.+)\n", block)).groups()
        lines = re.findall(r"^\| `(\w+)` \| ([\w ]+) \| (.+) \|$", block, flags=re.M)
        found[name] = row, lines
    return found


def described(tables: tuple[Table, ...]) -> dict[str, tuple[str, list[tuple[str, str, str]]]]:
    """Return tables of the schema in the same form."""
    return {
        table.name: (
            f"{table.row}",
            [(each.name, each.kind + (" or empty" if each.is_optional else ""), each.en) for each in table.columns],
        )
        for table in tables
    }


@pytest.mark.parametrize("id", ["ur", "ave-caesar", "ben-hvrt"])
def test_the_documentation_lists_every_table_and_column(id):
    sections = re.split(r"^### ", DOCS, flags=re.M)
    common = documented(next(each for each in sections if each.startswith("All games")))
    own = documented(next(each for each in sections if each.startswith(HEADINGS[id])))
    row, columns = own.pop("games")
    first, *rest = schema.tables(find(id))
    assert common == described(schema.COMMON)
    added = described((first._replace(columns=first.columns[len(schema.COMMON[0].columns) :]),))["games"][1]
    assert (row, columns) == ("a game, with these further columns", added)
    assert own == described(tuple(table for table in rest if table not in schema.COMMON))


@pytest.mark.parametrize("id", ["ur", "ave-caesar", "ben-hvrt"])
def test_every_table_is_written_with_its_columns(tmp_path, id):
    found = frames_of(plan_of(id, "greedy", games=1, reviews=int(id == "ur"), playouts=1), tmp_path)
    for table in schema.tables(find(id)):
        if table.name in found:
            assert dict(found[table.name].schema) == types(table)
            for column in table.columns:
                assert column.is_optional or found[table.name][column.name].null_count() == 0
        else:
            assert table.name == "reviews"


@pytest.mark.parametrize("id", ["ur", "ave-caesar", "ben-hvrt"])
def test_every_column_is_explained_in_both_languages(id):
    columns = [column for table in schema.tables(find(id)) for column in table.columns]
    assert [column.name for column in columns if not column.fr or column.fr == column.en] == []
    assert columns[0].meaning("fr") == "Le numéro de la partie, à partir de 0."
    assert [column.name for column in columns if column.label and len(column.label) != len(LANGUAGES)] == []


def test_a_column_without_french_has_an_english_label():
    label = Column("pips", "int", "The pips.", label=("pips",)).labelled()
    assert (label.text("en"), label.text("fr")) == ("pips", "pips")
    assert Column("pips", "int", "The pips.").labelled().text("fr") == "pips"
