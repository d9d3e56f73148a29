"""A copy of a store has everything of it, also if it is interrupted and made again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from quadriga.server.storage import copying
from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import StoredDeadline
from quadriga.server.storage.days_schema import DEADLINES
from quadriga.server.storage.people_schema import PEOPLE
from server.rooms.days.support import stored

ROW = StoredDeadline("a", 5, "due", 5, "x")


async def test_a_copy_that_was_interrupted_among_the_people_is_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    source, target = tmp_path / "old.sqlite", tmp_path / "new.sqlite"
    store = await open_store(source)
    person = {"id": "p", "created": 0, "seen": 0, "role": "guest", "public": False}
    await store.transact(lambda connection: connection.execute(PEOPLE.insert().values(**person)) and None)
    await store.transact(lambda connection: connection.execute(DEADLINES.insert().values(ROW)) and None)
    await store.close()
    insert = copying._insert

    def broken(table: sa.Table, *rest: Any) -> None:
        if table is DEADLINES:
            raise KeyboardInterrupt
        insert(table, *rest)

    monkeypatch.setattr(copying, "_insert", broken)
    with pytest.raises(KeyboardInterrupt):
        await asyncio.to_thread(copying.copy, source, target)
    monkeypatch.undo()
    await asyncio.to_thread(copying.copy, source, target)
    store = await open_store(target)
    assert await stored(store) == [ROW]
    await store.close()
