"""The result without luck adds up over a person's rated games that were reviewed, beside the rating."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from quadriga.server.scores.luck import Luck, WithoutLuck
from quadriga.server.scores.ratings import Ratings
from quadriga.server.scores.results import Result, Results
from quadriga.server.storage.base import Storage
from quadriga.server.storage.postgres.store import PostgresStore
from quadriga.server.storage.score_changes import forget_player, merge_player
from quadriga.server.storage.scores_schema import REVIEWED
from quadriga.server.storage.sqlite.store import SqliteStore
from server.people.test_history import play_out
from server.people.test_identity import MANY_PROOFS
from server.scores.games import add, bot, person, result, two
from server.support.devices import Device
from server.support.in_process import in_process
from server.support.services import new_shared_store


def review(first: float, second: float, error: float = 0.0, **more: Any) -> bytes:
    """Return a review of a game that the first seat has won, with the results of both without luck."""
    sides = [
        {"seat": 0, "result": 1.0, "adjusted": first, "adjusted_error": error},
        {"seat": 1, "result": 0.0, "adjusted": second, "adjusted_error": error},
    ]
    return json.dumps({"game": "ur", "sides": sides, "interrupted": False, **more}).encode()


async def opened(tmp_path: Path, *results: Result) -> tuple[Storage, Luck]:
    """Open a store with rated results."""
    store = await SqliteStore.opened(tmp_path / "store.sqlite")
    await add(store, *results)
    await Ratings(store).update()
    return store, Luck(store, Results(store))


async def test_results_without_luck_are_averaged_and_their_errors_added_as_squares(tmp_path: Path):
    store, luck = await opened(tmp_path, *(two(number, "Ann", "Bob") for number in (1, 2, 3)))
    await luck.keep("table-000001", review(0.6, 0.4, 0.03))
    await luck.keep("table-000002", review(0.5, 0.5, 0.04))
    found = await luck.of(["Ann", "Bob", "Cid"])
    assert found["Ann"]["ur/2"] == pytest.approx(WithoutLuck(2, 1.0, 0.55, 0.025))
    assert found["Bob"]["ur/2"] == pytest.approx(WithoutLuck(2, 0.0, 0.45, 0.025))
    assert "Cid" not in found
    await luck.keep("table-000002", review(0.7, 0.3))  # a later review replaces the earlier one
    assert (await luck.of(["Ann"]))["Ann"]["ur/2"] == pytest.approx(WithoutLuck(2, 1.0, 0.65, 0.015))
    await luck.keep("table-000002", review(0.1, 0.9, 0.05))  # ... unless it is less exact
    await luck.keep("table-000003", b'{"game": "ur", "sides": [], "interrupted": null}')  # not stored, and no error
    assert (await luck.of(["Ann"]))["Ann"]["ur/2"] == pytest.approx(WithoutLuck(2, 1.0, 0.65, 0.015))
    assert await luck.of([]) == {}
    await store.close()


async def test_only_rated_games_of_two_that_somebody_has_played_to_the_end_count(tmp_path: Path):
    left = result(2, [person("Ann", 1), person("Bob", 2, left=True)])
    undone = result(3, [person("Ann"), person("Bob", 2)], uncounted="undo")
    alone = result(4, [person("Ann"), bot("hard", 2)], uncounted="alone")
    other = result(5, [person("Ann"), person("Bob", 2)], "ben-hvrt")
    store, luck = await opened(tmp_path, left, undone, alone, other)
    for each in (left, undone, alone):
        await luck.keep(each.table_id, review(0.6, 0.4))
    await luck.keep(other.table_id, review(0.6, 0.4, game="ben-hvrt"))
    await luck.keep(left.table_id, review(0.9, 0.1, interrupted=True))
    await luck.keep("unknown", review(0.6, 0.4))
    assert await luck.of(["Ann", "Bob"]) == {"Ann": {"ur/2": WithoutLuck(1, 1.0, 0.6, 0.0)}}
    await store.close()


async def test_the_games_of_a_bot_with_a_key_are_its_own(tmp_path: Path):
    store, luck = await opened(tmp_path, result(1, [person("Ann", 1, key="key"), person("Bob", 2)]))
    await luck.keep("table-000001", review(0.6, 0.4))
    assert set(await luck.of(["Ann", "Bob", "key"])) == {"Bob", "key"}
    await store.close()


async def test_merged_people_have_the_games_of_both_and_a_deleted_one_none(tmp_path: Path):
    store, luck = await opened(tmp_path, two(1, "Ann", "Bob"), two(2, "Cid", "Bob"), two(3, "Ann", "Cid"))
    for number in (1, 2, 3):
        await luck.keep(f"table-00000{number}", review(0.6, 0.4))
    await store.transact(lambda connection: merge_player(connection, "Cid", "Ann"))
    await Ratings(store).update()
    assert (await luck.of(["Ann"]))["Ann"]["ur/2"].games == 2  # not the game of the person with themselves
    await store.transact(lambda connection: forget_player(connection, "Ann", "nobody"))
    assert await luck.of(["Ann"]) == {}
    assert (await luck.of(["Bob"]))["Bob"]["ur/2"].games == 2
    await store.close()


async def test_two_processes_that_review_the_same_game_store_it_once():
    url = new_shared_store()
    stores = [await PostgresStore.opened(url) for _ in range(2)]
    await add(stores[0], two(1, "Ann", "Bob"))
    await Ratings(stores[0]).update()
    lucks = [Luck(each, Results(each)) for each in stores]
    await asyncio.gather(*(each.keep("table-000001", review(0.6, 0.4)) for each in lucks * 3))
    assert (await lucks[1].of(["Ann"]))["Ann"]["ur/2"] == WithoutLuck(1, 1.0, 0.6, 0.0)
    assert len(await stores[0].read(sa.select(REVIEWED))) == 2
    for store in stores:
        await store.close()


async def test_a_review_that_anybody_asks_for_shows_in_the_ratings_of_both(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        people = [Device(server), Device(server)]
        for device, name in zip(people, ["Ann", "Bob"], strict=True):
            await device.member(name)
        await people[1].post("/api/me/profile", {"public": True})
        table = await play_out(people, options={"rules": "blitz", "markers": 1})
        await server.app.state.scores.update()
        (before,) = (await people[0].get("/api/me/ratings"))["ratings"]
        assert before["without_luck"] is None
        _, job = await server.fetch("POST", f"/api/tables/{table}/review", {})
        while job["state"] in ("waiting", "running"):
            await asyncio.sleep(0.1)
            _, job = await server.fetch("GET", f"/api/reviews/{job['review']}")
        sides = {side["seat"]: side for side in job["result"]["sides"]}
        mine = (await people[0].get("/api/me/ratings"))["ratings"][0]
        seats = (await people[0].get("/api/me/history"))["games"][0]["seats"]
        own = next(number for number, seat in enumerate(seats) if seat["name"] == "Ann")
        assert mine["without_luck"] == {
            "games": 1,
            "result": sides[own]["result"],
            "adjusted": pytest.approx(sides[own]["adjusted"], abs=1e-4),
            "error": pytest.approx(sides[own]["adjusted_error"], abs=1e-4),
        }
        assert mine["rating"] == before["rating"]
        (theirs,) = (await people[0].get("/api/people/Bob"))["ratings"]
        assert theirs["without_luck"]["adjusted"] == pytest.approx(1 - mine["without_luck"]["adjusted"], abs=2e-4)
