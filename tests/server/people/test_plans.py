"""Lists of games find their rows by an index, however many people and games there are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from quadriga.server.people.history import History
from quadriga.server.people.person import MEMBER, Person
from quadriga.server.storage.sqlite.store import SqliteStore

ANN = Person("ann", 0, MEMBER, "Ann", False, True)


class Watched(History):
    """Keeps the statements that it reads with."""

    def __init__(self, store: SqliteStore) -> None:
        super().__init__(store)
        self.statements: list[sa.Select[Any]] = []
        self._store = self  # type: ignore[assignment]

    async def read(self, statement: sa.Select[Any]) -> list[Any]:
        self.statements.append(statement)
        return []


@pytest.mark.parametrize(
    ("asked", "index"),
    [
        (lambda history: history.open_games(ANN), "players_finished (person_id=? AND ended=?)"),
        (lambda history: history.finished(ANN), "players_finished (person_id=? AND ended>?)"),
        (
            lambda history: history.finished(ANN, None, (9, "t")),
            "players_finished (person_id=? AND ended>? AND (ended,table_id)<(?,?))",
        ),
        (lambda history: history.finished(ANN, "ur"), "players_by_game (person_id=? AND game=? AND ended>?)"),
        (lambda history: history.results(ANN), "players_finished (person_id=? AND ended>?)"),
        (lambda history: history.holder(ANN, "t"), "PRIMARY KEY (table_id=? AND person_id=?)"),
    ],
)
async def test_a_list_reads_by_an_index_and_never_the_whole_table(tmp_path: Path, asked: Any, index: str):
    store = await SqliteStore.opened(tmp_path / "store.sqlite")
    history = Watched(store)
    await asked(history)
    (statement,) = history.statements

    def explained(connection: sa.Connection) -> list[str]:
        compiled = statement.compile(connection.engine, compile_kwargs={"literal_binds": True})
        return [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}")]

    plan = await store.transact(explained)
    await store.close()
    assert any(index in line for line in plan), plan
    assert not any(line.startswith("SCAN") for line in plan), plan
