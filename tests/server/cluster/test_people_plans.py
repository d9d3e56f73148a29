"""Lists of games on PostgreSQL: which indexes they read by, among many people and games."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from quadriga.server.storage.postgres.store import PostgresStore
from server.people.test_plans import QUESTIONS, asked
from server.support.services import new_shared_store

PEOPLE, GAMES = 2_000, 20_000
FILLED = f"""
INSERT INTO people (id, created, seen, role, public) SELECT 'p' || n, 0, 0, 'member', false
  FROM generate_series(1, {PEOPLE}) n;
INSERT INTO people (id, created, seen, role, public) VALUES ('ann', 0, 0, 'member', false);
INSERT INTO games (table_id, game, status, turn, changed, seats)
  SELECT 't' || n, 'ur', 'over', 0, n, convert_to('[["person","Bob","h",null,1]]', 'UTF8')
  FROM generate_series(1, {GAMES}) n;
INSERT INTO players (table_id, person_id, holder, game, seats, created, ended, place)
  SELECT 't' || n, CASE WHEN n % 1000 = 0 THEN 'ann' ELSE 'p' || 1 + n % {PEOPLE} END, 'h', 'ur', 2, n, n, 1
  FROM generate_series(1, {GAMES}) n;
ANALYZE people, games, players
"""


async def test_lists_read_by_indexes_on_postgresql():
    store = await PostgresStore.opened(new_shared_store())

    def filled(connection: sa.Connection) -> None:
        for statement in FILLED.split(";"):
            connection.execute(sa.text(statement))

    await store.transact(filled)
    plans = [await store.transact(partial(explained, await asked(question, store))) for question, _ in QUESTIONS]
    await store.close()
    for plan in plans:
        assert "Seq Scan" not in plan, plan
        assert re.search(r"Index.* on players.*\n +Index Cond: .*(person|table)_id\)::text = '(ann|t)'", plan), plan


def explained(statement: sa.Select[Any], connection: sa.Connection) -> str:
    """Return the plan of a statement."""
    compiled = statement.compile(dialect=postgresql.dialect(paramstyle="named"))
    text = re.sub(r"::[A-Z]+", "", str(compiled))
    return "\n".join(row[0] for row in connection.execute(sa.text(f"EXPLAIN {text}"), compiled.params))
