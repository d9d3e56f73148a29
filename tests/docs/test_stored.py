"""`docs/stored.md` lists every table and column of the store, with how long it is kept and why."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from support import ROOT

pytest.importorskip("sqlalchemy", reason="the extra `server` is not installed")

PAGE = (ROOT / "docs" / "stored.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", PAGE, re.M | re.S))
LISTED = {name: re.findall(r"^\| `(\w+)` \| \S", text, re.M) for name, text in SECTIONS.items()}


def columns(path: Path) -> dict[str, list[str]]:
    """Return the columns of a new store by table, with those that only PostgreSQL has."""
    from quadriga.server.storage.address import open_store
    from quadriga.server.storage.postgres import coordination

    async def create() -> None:
        await (await open_store(path)).close()

    asyncio.run(create())
    found = {table.name: [each.name for each in table.c] for table in coordination.METADATA.sorted_tables}
    with closing(sqlite3.connect(path)) as disk:
        named = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        for (table,) in disk.execute(named).fetchall():
            found[table] = [row[1] for row in disk.execute(f"PRAGMA table_info({table})")]
    return found


def test_every_column_of_the_store_has_a_line_and_every_line_a_column(tmp_path: Path):
    real = columns(tmp_path / "tables.sqlite")
    assert sorted(LISTED) == sorted(real)
    for table, names in real.items():
        assert sorted(LISTED[table]) == sorted(names), table


def test_every_table_says_how_long_it_is_kept_and_why():
    for table, text in SECTIONS.items():
        assert re.search(r"^\*\*Kept:\*\* \S", text, re.M), table
        assert re.search(r"^\*\*Why:\*\* \S", text, re.M), table
