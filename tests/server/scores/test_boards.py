"""Leaderboards, curves and ratings at a table, as requests answer them. Lists find their rows by an index."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from quadriga.server.lobby.listing import Listing
from quadriga.server.scores.boards import Boards
from quadriga.server.scores.ratings import Ratings
from quadriga.server.scores.results import Result
from quadriga.server.storage.base import now
from quadriga.server.storage.schema import TABLES
from quadriga.server.storage.sqlite.store import SqliteStore
from server.people.test_history import play_out
from server.people.test_identity import MANY_PROOFS
from server.scores.games import add, person, result, two
from server.support.devices import Device
from server.support.harness import Server
from server.support.in_process import in_process

BLITZ = {"rules": "blitz"}


async def members(server: Server, *names: str) -> tuple[list[Device], list[str]]:
    """Return members with their ids."""
    devices, ids = [], []
    for name in names:
        devices.append(Device(server))
        await devices[-1].member(name)
        ids.append((await devices[-1].get("/api/me"))["me"]["id"])
    return devices, ids


def many(start: int, better: str, other: str, count: int = 60) -> list[Result]:
    """Return games, of which the better wins two of three."""
    return [two(start + each, *((better, other) if each % 3 else (other, better))) for each in range(count)]


async def show(*devices: Device) -> None:
    """Let others see the profiles of some members."""
    for each in devices:
        await each.post("/api/me/profile", {"public": True})


async def test_a_leaderboard_has_members_who_agree_with_a_sure_rating_and_marks_bots(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        devices, ids = await members(server, "Ann", "Bob", "Cid", "Dan")
        ann, bob, cid, dan = ids
        key = (await devices[3].post("/api/me/keys", {"label": "Robot"}))["device"]["id"]
        start = now() - 1000
        games = many(start, ann, bob)
        games += [two(start + 200, ann, cid)]
        games += [
            result(start + 100 + number, [person(dan, 1 + number % 2, key=key), person(bob, 2 - number % 2)])
            for number in range(60)
        ]
        games += [result(start + 300, [person(dan), person(ann, 2)])]
        await add(server.registry.store, *games)
        await server.app.state.scores.update()
        board = await devices[0].get("/api/leaderboard?pool=ur/2")
        assert board["players"] == []  # nobody has agreed
        assert board["mine"]["games"] == 62
        assert [each["level"] for each in board["levels"]] == ["expert", "hard", "normal", "easy", "beginner"]
        assert board["levels"][2]["rating"]["mean"] == 1500
        await show(devices[0], devices[1], devices[3])
        shown = (await Device(server).get("/api/leaderboard?pool=ur/2"))["players"]
        assert [(each["rank"], each["name"], each["bot"]) for each in shown[:1]] == [(1, "Ann", None)]
        assert {(each["name"], each["bot"]) for each in shown} == {("Ann", None), ("Bob", None), ("Dan", "Robot")}
        means = [each["rating"]["mean"] for each in shown]
        assert means == sorted(means, reverse=True)
        assert not any(each["rating"]["provisional"] for each in shown)
        own = (await devices[3].get("/api/me/ratings"))["ratings"]
        assert [(each["bot"], each["rating"]["games"]) for each in own] == [(None, 1), ("Robot", 60)]
        assert own[0]["rating"]["provisional"]
        _, text, headers = await asyncio.to_thread(devices[0].raw, "GET", "/api/leaderboard.csv?pool=ur/2")
        lines = text.decode().splitlines()
        assert headers["content-type"].startswith("text/csv")
        assert lines[0].startswith("rank,name,bot,rating")
        assert len(lines) == 4
        assert lines[1].startswith("1,Ann,,")
        assert (await devices[0].get("/api/leaderboards"))["pools"] == [
            {"pool": "ur/2", "game": "ur", "seats": [2, 2]}
        ]
        assert (await devices[0].get("/api/leaderboard"))["players"] == []
        for question in ("pool=ur/2&page=-1", "pool=ur/2&page=x"):
            assert (await devices[0].call("GET", f"/api/leaderboard?{question}"))[0] == 422


async def test_a_leaderboard_has_pages_and_forgets_who_has_not_played_for_long(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        devices, (ann, bob) = await members(server, "Ann", "Bob")
        await show(*devices)
        await add(server.registry.store, *many(1000, ann, bob))
        await server.app.state.scores.update()
        boards: Boards = server.app.state.scores.boards
        first, second = await boards.best("ur/2", 2000)
        assert (first.name, second.name) == ("Ann", "Bob")
        assert await boards.best("ur/2", 2000, 1, 1) == [second]
        assert (await devices[0].get("/api/leaderboard?pool=ur/2"))["players"] == []  # 1970 is long ago


async def test_a_curve_lists_what_each_game_has_changed(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        (ann_device, bob_device), (ann, bob) = await members(server, "Ann", "Bob")
        await add(server.registry.store, *(two(1000 + number, ann, bob) for number in range(230)))
        await server.app.state.scores.update()
        first = await ann_device.get("/api/me/rating?pool=ur/2")
        rest = await ann_device.get(f"/api/me/rating?pool=ur/2&before={first['next']}")
        games = first["games"] + rest["games"]
        assert rest["next"] is None
        assert [each["ended"] for each in games] == list(range(1229, 999, -1))
        for later, earlier in pairwise(games):
            assert later["before"] == earlier["after"]
        assert games[-1]["before"]["mean"] == 1500
        refused = await ann_device.call("GET", "/api/people/Bob/rating?pool=ur/2")
        assert (refused[0], refused[1]["code"]) == (404, "person.unknown")
        await show(bob_device)
        listed = {"id": "table-001228", "created": 1, "public": True, "status": "playing", "setup": b""}
        await server.registry.store.transact(
            lambda connection: connection.execute(TABLES.insert().values(**listed))
        )
        theirs = await ann_device.get("/api/people/Bob/rating?pool=ur/2")
        assert len(theirs["games"]) == 200
        assert [each["table"] for each in theirs["games"][:3]] == [
            "",
            "table-001228",
            "",
        ]  # the others are not listed
        rest = await ann_device.get(f"/api/people/Bob/rating?pool=ur/2&before={theirs['next']}")
        assert [each["ended"] for each in rest["games"]] == list(range(1029, 999, -1))
        assert "table" not in theirs["next"]
        profile = await ann_device.get("/api/people/Bob")
        assert [(each["pool"], each["rating"]["games"]) for each in profile["ratings"]] == [("ur/2", 230)]
        _, text, _ = await asyncio.to_thread(ann_device.raw, "GET", "/api/me/rating.csv?pool=ur/2")
        assert len(text.decode().splitlines()) == 231
        assert (await Device(server).call("GET", "/api/me/rating?pool=ur/2"))[0] == 401


async def test_a_name_in_a_file_is_never_a_formula(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        devices, ids = await members(server, "=1+1", "Bob")
        await show(devices[0])
        await add(server.registry.store, *many(now() - 100, ids[0], ids[1]))
        await server.app.state.scores.update()
        _, text, _ = await asyncio.to_thread(devices[0].raw, "GET", "/api/leaderboard.csv?pool=ur/2")
        assert text.decode().splitlines()[1].startswith("1,'=1+1,")


async def test_a_table_shows_ratings_before_and_after_only_to_whom_may_know_them(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        (ann, bob), ids = await members(server, "Ann", "Bob")
        table = await play_out([ann, bob], options=BLITZ)
        await server.app.state.scores.update()
        shown = await ann.get(f"/api/tables/{table}/ratings")
        assert (shown["pool"], shown["state"], shown["reason"]) == ("ur/2", "rated", "")
        (own,) = shown["seats"]
        assert own["seat"] == 0
        assert own["before"]["mean"] == 1500
        assert own["after"]["mean"] != 1500
        assert (await Device(server).get(f"/api/tables/{table}/ratings"))["seats"] == []
        await show(bob)
        both = (await ann.get(f"/api/tables/{table}/ratings"))["seats"]
        assert both[0] == own
        assert both[1]["after"]["mean"] == pytest.approx(3000 - own["after"]["mean"])
        (listed,) = (await ann.get("/api/me/history"))["games"]
        assert listed["rating"] == [1500, own["after"]["mean"]]
        waiting = await ann.table(seats="me open")
        assert (await ann.get(f"/api/tables/{waiting}/ratings"))["state"] == "open"
        alone = await ann.table(seats="me bot")
        shown = await ann.get(f"/api/tables/{alone}/ratings")
        assert (shown["state"], shown["reason"]) == ("unrated", "alone")
        assert len(ids) == 2


class Watched(Boards):
    """Keeps the statements that it reads with."""

    def __init__(self) -> None:
        self.statements: list[sa.Select[Any]] = []
        self._store = self  # type: ignore[assignment]

    async def read(self, statement: sa.Select[Any]) -> list[Any]:
        self.statements.append(statement)
        return []


QUESTIONS: list[tuple[Callable[[Any], Awaitable[object]], str]] = [
    (lambda boards: boards.best("ur/2", 9, 100), "ratings_best (pool=?)"),
    (lambda boards: boards.curve("ann", "ur/2"), "rated_of_player (player=? AND pool=?)"),
    (
        lambda boards: boards.curve("ann", "ur/2", (9, "t")),
        "rated_of_player (player=? AND pool=? AND (ended,table_id)<(?,?))",
    ),
    (lambda boards: boards.bots_of("ann"), "ix_sessions_person_id (person_id=?)"),
    (lambda boards: boards.parts(["t"]), "PRIMARY KEY (table_id=?)"),
    (lambda boards: Ratings(boards).all_of(["ann"], "ur/2"), "PRIMARY KEY (pool=? AND player=?)"),
    (lambda boards: Ratings(boards).changes(["t"]), "PRIMARY KEY (table_id=?)"),
]


@pytest.mark.parametrize(("question", "index"), QUESTIONS)
async def test_a_list_of_ratings_reads_by_an_index(tmp_path: Path, question: Any, index: str):
    store = await SqliteStore.opened(tmp_path / "store.sqlite")
    boards = Watched()
    await question(boards)
    (statement,) = boards.statements

    def explained(connection: sa.Connection) -> list[str]:
        dialect = sqlite.dialect(paramstyle="named")
        compiled = statement.compile(dialect=dialect, compile_kwargs={"render_postcompile": True})
        return [row[3] for row in connection.execute(sa.text(f"EXPLAIN QUERY PLAN {compiled}"), compiled.params)]

    plan = await store.transact(explained)
    await store.close()
    assert any(index in line for line in plan), plan
    assert not any(line.startswith(("SCAN", "USE TEMP")) for line in plan), plan


async def test_the_lobby_shows_sure_ratings_of_public_members_and_nothing_of_others(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        devices, (ann, bob, cid) = await members(server, "Ann", "Bob", "Cid")
        start = now() - 1000
        await add(server.registry.store, *many(start, ann, bob), two(start + 500, ann, cid))
        await server.app.state.scores.update()
        tables = [await each.table(public=True) for each in devices]

        async def shown() -> list[int | None]:
            listing = Listing(server.registry.store)
            await listing.read()
            return [listing.tables[table].seats[0].rating for table in tables]

        assert await shown() == [None, None, None]
        await show(devices[0], devices[2])
        known = (await devices[0].get("/api/leaderboard?pool=ur/2"))["players"][0]["rating"]["mean"]
        assert await shown() == [round(known), None, None]  # Bob is private, and Cid's rating is provisional
        other = await devices[0].table("ave-caesar", "me open open", public=True)
        listing = Listing(server.registry.store)
        await listing.read()
        assert listing.tables[other].seats[0].rating is None  # she has none in that game
