"""Whatever the store has of a person: it goes along when accounts are merged, and goes when one is deleted."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
import sqlalchemy as sa

from quadriga.server.people.people import People
from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import Storage
from quadriga.server.storage.people_schema import FORMER_NAMES, PEOPLE
from quadriga.server.storage.schema import METADATA
from server.support.services import new_shared_store

OF_PEOPLE = [each for each in METADATA.sorted_tables if "person_id" in each.c and each is not FORMER_NAMES]


def filled(table: sa.Table, person_id: str) -> dict[str, Any]:
    """Return a row of a table that belongs to a person."""
    found: dict[str, Any] = {}
    for column in table.c:
        kind = column.type
        if column.name == "person_id":
            found["person_id"] = person_id
        elif isinstance(kind, sa.Boolean):
            found[column.name] = False
        elif isinstance(kind, sa.Integer):
            found[column.name] = crc32(person_id.encode()) % 2**31
        elif isinstance(kind, sa.LargeBinary):
            found[column.name] = person_id.encode()
        elif isinstance(kind, sa.String):
            found[column.name] = person_id[:8]
    return found


@pytest.mark.parametrize("is_shared", [False, True])
async def test_no_table_keeps_or_refuses_rows_of_people_who_are_merged_or_deleted(tmp_path: Path, is_shared: bool):
    store = await open_store(new_shared_store() if is_shared else tmp_path / "store.sqlite")
    try:
        accounts = (await People.of(store)).accounts
        people = [(await accounts.create("test"))[0].person for _ in range(2)]

        def work(connection: sa.Connection) -> None:
            for person in people:
                for table in OF_PEOPLE:
                    connection.execute(table.insert().values(**filled(table, person.id)))

        await store.transact(work)
        await accounts.merge(*people)
        assert await rows_of(people[0].id, store) == []
        await accounts.delete(people[1])
        assert await rows_of(people[1].id, store) == []
        assert await store.read(sa.select(PEOPLE.c.id)) == []
    finally:
        await store.close()


async def rows_of(person_id: str, store: Storage) -> list[str]:
    """Return the tables that still have rows of a person."""
    found = []
    for table in OF_PEOPLE:
        columns = [each for each in (table.c.person_id, table.c.get("other_id")) if each is not None]
        mine = sa.or_(*(each == person_id for each in columns))
        if await store.read(sa.select(table.c.person_id).where(mine)):
            found.append(table.name)
    return found
