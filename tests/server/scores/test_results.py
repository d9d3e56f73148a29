"""The results of finished games: read from logs once, in the order in which the games ended."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from quadriga.server.protocol.errors import RoomError
from quadriga.server.scores.results import Results
from quadriga.server.scores.scores import Scores
from quadriga.server.storage.base import LoadedRoom
from quadriga.server.storage.scores_schema import RESULTS
from server.people.test_history import play_out
from server.people.test_identity import MANY_PROOFS
from server.support.devices import Device
from server.support.in_process import in_process


async def test_results_come_in_the_order_of_ending_and_say_who_played(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        people = [Device(server), Device(server), Device(server)]
        for device, name in zip(people, ["Ann", "Bob", "Cid"], strict=True):
            await device.member(name)
        tables = [await play_out(people[:2], options={"rules": "blitz"})]
        tables.append(await play_out(people, "ave-caesar", options={"courses": ["white cw"]}))
        tables.append(await play_out(people[1:], options={"rules": "blitz"}, dice={"kind": "seeded", "seed": 3}))
        scores: Scores = server.app.state.scores
        await scores.close()  # the task stores what is missing, too
        await scores.update()
        found = await scores.results.after()
        assert [each.table_id for each in found] == tables
        assert [each.uncounted for each in found] == ["", "", "dice"]
        ids = [(await server.registry.people.accounts.named(name)).id for name in ("Ann", "Bob", "Cid")]  # type: ignore[union-attr]
        assert [[seat.player for seat in each.seats] for each in found] == [ids[:2], ids, ids[1:]]
        for each in found:
            shown = await people[1].get(f"/api/tables/{each.table_id}")
            assert [seat.score for seat in each.seats] == shown["scores"]
            assert not any(seat.left for seat in each.seats)
        assert await scores.results.after(found[0].key, 1) == found[1:2]
        assert await scores.results.of(tables[2:]) == found[2:]
        assert not await scores.results.store_result(tables[0], again=True)
        await server.registry.store.transact(lambda connection: connection.execute(sa.delete(RESULTS)))
        assert await scores.results.settle() == 3
        assert await scores.results.after() == found


async def test_a_result_is_stored_after_the_store_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        people = [Device(server), Device(server)]
        for device, name in zip(people, ["Ann", "Bob"], strict=True):
            await device.member(name)
        table = await play_out(people, options={"rules": "blitz"})
        store = server.registry.store
        await server.app.state.scores.close()
        await store.transact(lambda connection: connection.execute(sa.delete(RESULTS)))
        results = Results(store)

        async def fail(room_id: str) -> LoadedRoom | None:
            raise RoomError("store.failing", 503, reason="the disk is away")

        with monkeypatch.context() as patched:
            patched.setattr(store, "load", fail)
            with pytest.raises(RoomError):
                await results.settle()
        assert await results.settle() == 1
        assert [each.table_id for each in await results.after()] == [table]


async def test_missing_results_are_looked_for_in_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """No question reads all games: each goes by the ids of a few rooms, from where the last one ended."""
    monkeypatch.setattr("quadriga.server.scores.results.SLICE", 2)
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        people = [Device(server), Device(server)]
        for device, name in zip(people, ["Ann", "Bob"], strict=True):
            await device.member(name)
        tables = [await play_out(people, options={"rules": "blitz", "markers": 1}) for _ in range(5)]
        store, read = server.registry.store, server.registry.store.read
        await server.app.state.scores.close()
        await store.transact(lambda connection: connection.execute(sa.delete(RESULTS)))
        results, plans = Results(store), list[str]()

        async def watched(statement: sa.Select[Any]) -> Any:
            compiled = statement.compile(dialect=sqlite.dialect(paramstyle="named"))
            explain = sa.text(f"EXPLAIN QUERY PLAN {compiled}")
            plans.extend(await store.transact(lambda c: [row[3] for row in c.execute(explain, compiled.params)]))
            return await read(statement)

        monkeypatch.setattr(store, "read", watched)
        assert [await results.settle_slice() for _ in range(4)] == [2, 2, 1, 0]
        assert [line for line in plans if line.startswith("SCAN") and "tables" in line] == []
        monkeypatch.undo()
        assert sorted(each.table_id for each in await results.after()) == sorted(tables)
        await store.transact(lambda connection: connection.execute(sa.delete(RESULTS)))
        results.note(tables[3])
        assert await results.settle_noted() == 1
        assert await results.settle() == 4
        assert await results.settle_noted() == 0


async def test_a_listener_that_fails_keeps_nobody_from_results(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        scores: Scores = server.app.state.scores
        heard = asyncio.Queue[int]()

        async def fail() -> None:
            raise ValueError("a mistake")

        async def hear() -> None:
            heard.put_nowait(1)

        scores.listeners[:] = [fail, hear]
        for _ in range(2):
            server.registry.on_game_over("a table")
            await heard.get()
