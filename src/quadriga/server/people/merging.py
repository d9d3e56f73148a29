"""Give the friends, blocks and dates of one person to another, when two accounts become one."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from quadriga.server.storage.lobby_schema import BLOCKS, FRIEND_REQUESTS, FRIENDS, NIGHT_GUESTS, NIGHTS


def merge_company(connection: sa.Connection, person_id: str, into_id: str) -> None:
    """Replace one person by another in friendships, blocks and dates. Nobody has to do with themselves."""
    for table in (FRIENDS, FRIEND_REQUESTS, BLOCKS, NIGHTS, NIGHT_GUESTS):
        sides = [each for each in (table.c.person_id, table.c.get("other_id")) if each is not None]
        mine = sa.or_(*(each == person_id for each in sides))
        rows = [dict(row) for row in connection.execute(sa.select(table).where(mine)).mappings()]
        connection.execute(sa.delete(table).where(mine))
        for row in rows:
            _insert(connection, table, {key: into_id if each == person_id else each for key, each in row.items()})


def _insert(connection: sa.Connection, table: sa.Table, row: dict[str, Any]) -> None:
    keys = [each == row[each.name] for each in table.primary_key.columns]
    is_self = row["person_id"] == row.get("other_id")
    if not is_self and connection.execute(sa.select(table).where(*keys)).first() is None:
        connection.execute(table.insert().values(**row))
