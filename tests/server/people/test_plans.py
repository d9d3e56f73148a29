"""Lists of games find their rows by an index, however many people and games there are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from quadriga.server.people.history import Filter, History
from quadriga.server.people.person import MEMBER, Person
from quadriga.server.storage.base import Storage
from quadriga.server.storage.sqlite.store import SqliteStore

ANN = Person("ann", 0, MEMBER, "Ann", False, True)


class Watched(History):
    """Keeps the statements that it reads with."""

    def __init__(self, store: Storage) -> None:
        super().__init__(store)
        self.statements: list[sa.Select[Any]] = []
        self._store = self  # type: ignore[assignment]

    async def read(self, statement: sa.Select[Any]) -> list[Any]:
        self.statements.append(statement)
        return []


QUESTIONS: list[tuple[Callable[[History], Awaitable[object]], str]] = [
    (lambda history: history.open_games(ANN), "players_finished (person_id=? AND ended=?)"),
    (lambda history: history.finished(ANN), "players_finished (person_id=? AND ended>?)"),
    (
        lambda history: history.finished(ANN, before=(9, "t")),
        "players_finished (person_id=? AND ended>? AND (ended,table_id)<(?,?))",
    ),
    (lambda history: history.finished(ANN, Filter("ur")), "players_by_game (person_id=? AND game=? AND ended>?)"),
    (lambda history: history.finished(ANN, Filter(place=1)), "players_finished (person_id=? AND ended>?)"),
    (
        lambda history: history.finished(ANN, Filter(since=7, until=9)),
        "players_finished (person_id=? AND ended>? AND ended<?)",
    ),
    (
        lambda history: history.finished(ANN, Filter("ur", others=["Bob"])),
        "players_by_game (person_id=? AND game=? AND ended>?)",
    ),
    (lambda history: history.months(ANN, 9), "players_finished (person_id=? AND ended>?)"),
    (lambda history: history.results(ANN), "players_finished (person_id=? AND ended>?)"),
    (lambda history: history.holder(ANN, "t"), "PRIMARY KEY (table_id=? AND person_id=?)"),
]


async def asked(question: Callable[[History], Awaitable[object]], store: Storage) -> sa.Select[Any]:
    """Return the statement with which a question reads."""
    history = Watched(store)
    await question(history)
    (statement,) = history.statements
    return statement


@pytest.mark.parametrize(("question", "index"), QUESTIONS)
async def test_a_list_reads_by_an_index_and_never_the_whole_table(tmp_path: Path, question: Any, index: str):
    store = await SqliteStore.opened(tmp_path / "store.sqlite")
    statement = await asked(question, store)

    def explained(connection: sa.Connection) -> list[str]:
        compiled = statement.compile(dialect=sqlite.dialect(paramstyle="named"))
        return [row[3] for row in connection.execute(sa.text(f"EXPLAIN QUERY PLAN {compiled}"), compiled.params)]

    plan = await store.transact(explained)
    await store.close()
    assert any(index in line for line in plan), plan
    assert not any(line.startswith("SCAN") for line in plan), plan
